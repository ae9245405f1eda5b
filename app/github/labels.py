"""Labels of pull requests; names are equal when case-folded (B24)."""

from __future__ import annotations

from urllib.parse import quote

from app.github.client import GitHubClient
from app.github.faults import Refused
from app.github.limits import MOST_LABEL_DESCRIPTION, cut_characters
from app.github.once import post_once


def add_label(
    client: GitHubClient,
    repository: str,
    number: int,
    *,
    label: str,
    color: str,
    description: str,
) -> None:
    """Put a label on a pull request; made first where the repository has none."""
    place = f"/repos/{repository}/issues/{number}/labels"

    def put() -> str:
        name = post_once(
            client,
            lambda: _find(client, f"/repos/{repository}/labels", label),
            lambda: _create(client, repository, label, color, description),
        )
        # An object: PyGithub would send a bare list, which GitHub's own description
        # of this call does not have any more.
        client.send("POST", place, {"labels": [name]})
        return name

    post_once(client, lambda: _find(client, place, label), put)


def remove_label(
    client: GitHubClient, repository: str, number: int, label: str
) -> None:
    """Take a label off a pull request; it is fine when it is not there."""
    place = f"/repos/{repository}/issues/{number}/labels"
    name = _find(client, place, label)
    if name is None:
        return
    try:
        client.send("DELETE", f"{place}/{quote(name, safe='')}")
    except Refused as error:
        if error.reason != "not_found":  # somebody was faster
            raise


def _find(client: GitHubClient, place: str, label: str) -> str | None:
    """Return the name of a label as it is spelt at ``place``."""
    for each in client.pages(place):
        name = str(each.get("name", ""))
        if name.casefold() == label.casefold():
            return name
    return None


def _create(
    client: GitHubClient, repository: str, label: str, color: str, description: str
) -> str:
    body = {
        "name": label,
        "color": color.removeprefix("#"),
        "description": cut_characters(description, MOST_LABEL_DESCRIPTION),
    }
    place = f"/repos/{repository}/labels"
    try:
        client.send("POST", place, body)
    except Refused as error:
        if "already_exists" not in str(error):
            raise
        # A parallel creator was faster, perhaps with another spelling.
        return _find(client, place, label) or label
    return label
