"""B09: the fork behind a pull request was deleted, ``head.repo`` is null."""

from __future__ import annotations

from typing import Any

import pytest

from app.web.events import PullEvent, parse
from app.web.triggers import review_request
from tests.app.web import builders
from tests.app.web.builders import APP_ID, SHA


def event(head: dict[str, Any]) -> PullEvent:
    payload = builders.pull_request("reopened")
    payload["pull_request"]["head"] = {"sha": SHA, **head}
    found = parse("pull_request", payload)
    assert isinstance(found, PullEvent)
    return found


@pytest.mark.parametrize(
    "head",
    [
        {"label": "unknown", "ref": "patch-1", "repo": None},
        {"label": None, "ref": None, "repo": None, "user": None},
        {},
    ],
)
def test_a_deleted_fork_is_a_pull_request_like_others(head: dict[str, Any]) -> None:
    """Everything that is needed is on the base side: it is reviewed."""
    request = review_request(event(head), app_id=APP_ID)
    assert request is not None
    assert (request.repository, request.number) == ("octo/hello", 5)
    assert request.head_sha == SHA


def test_the_fork_is_never_taken_for_the_repository() -> None:
    """Files and checks are of the base, wherever the head lives."""
    fork = {"id": 1, "full_name": "evil/fork"}
    assert event({"repo": fork}).repository == "octo/hello"
    assert event({"repo": fork}).repository_id == 99
