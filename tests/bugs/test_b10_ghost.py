"""B10: the author is null, for the account is gone."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from app.web.events import CommentEvent, PullEvent, ReviewEvent, parse
from app.web.triggers import review_request
from tests.app.web import builders
from tests.app.web.builders import APP_ID


def test_a_pull_request_of_a_ghost_is_reviewed() -> None:
    """Who wrote it does not matter for that."""
    payload = builders.pull_request(sender=None)
    payload["pull_request"]["user"] = None
    event = parse("pull_request", payload)
    assert isinstance(event, PullEvent)
    assert review_request(event, app_id=APP_ID) is not None


@pytest.mark.parametrize("sender", [None, {}, {"login": None, "type": None}, "ghost"])
def test_a_ghost_is_on_no_list_and_fits_no_pattern(sender: object) -> None:
    """Neither a bot nor anybody's name."""
    event = parse("pull_request", builders.pull_request(sender=sender))
    assert isinstance(event, PullEvent)
    assert event.sender == ""
    assert not event.sender_is_bot
    assert not fnmatchcase(event.sender, "*[[]bot]")
    assert not fnmatchcase(event.sender, "?*")


def test_a_review_and_a_comment_of_a_ghost() -> None:
    """They are events like others."""
    reviewed = parse("pull_request_review", builders.review(user=None))
    assert isinstance(reviewed, ReviewEvent)
    assert (reviewed.author, reviewed.author_is_bot) == ("", False)
    written = builders.comment(user=None, performed_via_github_app=None)
    commented = parse("issue_comment", written)
    assert isinstance(commented, CommentEvent)
    assert commented.via_app_id is None
