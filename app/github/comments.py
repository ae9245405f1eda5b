"""Our sticky comment: edited in place, never repeated."""

from __future__ import annotations

from app.errors import GitHubUnavailable
from app.github.client import GitHubClient
from app.github.identity import Identity, with_marker
from app.github.once import post_once


def upsert_comment(
    client: GitHubClient,
    own: Identity,
    repository: str,
    number: int,
    *,
    marker: str,
    body: str,
) -> None:
    """Edit our comment that carries ``marker``, or write it.

    Comments of others that carry the marker are left alone.
    """
    text = with_marker(body, marker)

    def look() -> tuple[int, str] | None:
        comments = client.pages(f"/repos/{repository}/issues/{number}/comments")
        for each in comments:
            if marker in (each.get("body") or "") and own.wrote(each):
                return int(each["id"]), str(each["body"])
        return None

    def post() -> tuple[int, str]:
        place = f"/repos/{repository}/issues/{number}/comments"
        made = client.send("POST", place, {"body": text})
        return int(made.data["id"]), text

    comment_id, stands = post_once(client, look, post)
    if stands.replace("\r\n", "\n") != text:
        place = f"/repos/{repository}/issues/comments/{comment_id}"
        try:
            client.send("PATCH", place, {"body": text})
        except GitHubUnavailable:
            client.settle()
            client.send("PATCH", place, {"body": text})  # the same words: harmless
