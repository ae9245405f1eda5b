"""One review of ours, with comments on lines.

GitHub takes a review whole or not at all, and says 422 when one line is not in the
diff. Then the lines are asked for, and a comment outside of them moves into the
body: one bad line never loses the good comments (B23).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.github.client import GitHubClient
from app.github.faults import Refused
from app.github.files import changed_files
from app.github.identity import Identity, with_marker
from app.github.limits import MOST_COMMENTS, MOST_TEXT, cut_markdown, sendable
from app.github.once import post_once
from app.messages import code
from app.ports import ReviewComment

_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What is to be posted."""

    head_sha: str
    body: str
    comments: Sequence[ReviewComment]
    marker: str


def post_review(
    client: GitHubClient, own: Identity, repository: str, number: int, review: Review
) -> None:
    """Post one COMMENT review unless one of ours with its marker stands already."""
    place = f"/repos/{repository}/pulls/{number}"

    def look() -> bool | None:
        reviews = client.pages(f"{place}/reviews")
        stands = any(
            review.marker in (each.get("body") or "") and own.wrote(each)
            for each in reviews
        )
        return True if stands else None

    def post() -> bool:
        inline = list(review.comments[:MOST_COMMENTS])
        folded = list(review.comments[MOST_COMMENTS:])
        try:
            client.send("POST", f"{place}/reviews", _payload(review, inline, folded))
        except Refused as error:
            if error.reason != "invalid" or not inline:
                raise
            hunks = _hunks(client, repository, number)
            good = [each for each in inline if _is_within(each, hunks)]
            # GitHub refused them all together: were none outside, none is safe.
            kept = good if len(good) < len(inline) else []
            moved = [each for each in inline if each not in kept]
            _post_rest(client, f"{place}/reviews", review, kept, moved + folded)
        return True

    post_once(client, look, post)


def _post_rest(
    client: GitHubClient,
    place: str,
    review: Review,
    inline: Sequence[ReviewComment],
    folded: Sequence[ReviewComment],
) -> None:
    """Post with fewer comments on lines; at last with none."""
    try:
        client.send("POST", place, _payload(review, inline, folded))
    except Refused as error:
        if error.reason != "invalid" or not inline:
            raise
        client.send("POST", place, _payload(review, (), [*inline, *folded]))


def _payload(
    review: Review,
    inline: Iterable[ReviewComment],
    folded: Iterable[ReviewComment],
) -> dict[str, Any]:
    parts = [review.body.replace(review.marker, "").rstrip()]
    for each in folded:
        parts.append(f"{code(each.path)} line {each.line}:\n\n{each.body}")
    body = "\n\n".join(part for part in parts if part)
    return {
        "commit_id": review.head_sha,
        "event": "COMMENT",
        "body": with_marker(body, review.marker),
        "comments": [_comment(each) for each in inline],
    }


def _comment(comment: ReviewComment) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "path": sendable(comment.path),
        "line": comment.line,
        "side": "RIGHT",
        "body": cut_markdown(comment.body, MOST_TEXT),
    }
    if comment.start_line is not None and comment.start_line < comment.line:
        payload |= {"start_line": comment.start_line, "start_side": "RIGHT"}
    return payload


def _hunks(
    client: GitHubClient, repository: str, number: int
) -> dict[str, tuple[range, ...]]:
    """Return for each path the head-side lines of its hunks."""
    rows = changed_files(client, repository, number).rows
    return {row["path"]: _ranges(row["patch"] or "") for row in rows}


def _ranges(patch: str) -> tuple[range, ...]:
    # A line of a hunk never starts with "@": it has its sign before it.
    starts = ((int(match[1]), int(match[2] or 1)) for match in _HUNK.finditer(patch))
    return tuple(range(start, start + count) for start, count in starts)


def _is_within(comment: ReviewComment, hunks: Mapping[str, tuple[range, ...]]) -> bool:
    first = comment.line if comment.start_line is None else comment.start_line
    return any(
        first in hunk and comment.line in hunk for hunk in hunks.get(comment.path, ())
    )
