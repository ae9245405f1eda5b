"""Which events ask for a review."""

from __future__ import annotations

from typing import Any

import pytest

from app.web.events import parse
from app.web.triggers import ReviewRequest, review_request
from tests.app.web import builders
from tests.app.web.builders import APP_ID, OTHER_SHA, SHA


def asked(event: str, payload: dict[str, Any]) -> ReviewRequest | None:
    return review_request(parse(event, payload), app_id=APP_ID)


@pytest.mark.parametrize(
    "action", ["opened", "synchronize", "reopened", "ready_for_review"]
)
def test_a_new_head_asks_for_a_review(action: str) -> None:
    """Opened, pushed to, reopened, ready: the head is to be reviewed once."""
    request = asked("pull_request", builders.pull_request(action))
    assert request is not None
    assert (request.installation_id, request.repository_id) == (7, 99)
    assert (request.repository, request.number) == ("octo/hello", 5)
    assert (request.head_sha, request.again) == (SHA, False)


@pytest.mark.parametrize(
    "action",
    ["labeled", "unlabeled", "assigned", "enqueued", "converted_to_draft"],
)
def test_other_actions_ask_for_nothing(action: str) -> None:
    """What cannot change a verdict is not reviewed."""
    assert asked("pull_request", builders.pull_request(action)) is None


def test_a_new_base_asks_once_more() -> None:
    """The same head against another base is another change (B15)."""
    changes = {"base": {"ref": {"from": "dev"}, "sha": {"from": OTHER_SHA}}}
    request = asked("pull_request", builders.pull_request("edited", changes=changes))
    assert request is not None
    assert request.again


def test_a_new_title_asks_for_nothing() -> None:
    """An edit of the words changes no verdict (B15)."""
    changes = {"title": {"from": "x"}}
    edited = builders.pull_request("edited", changes=changes)
    assert asked("pull_request", edited) is None


def test_a_closed_pull_request_asks_to_be_looked_at() -> None:
    """It is read anew, and then forgotten; the payload alone decides nothing (B13)."""
    payload = builders.pull_request("closed")
    payload["pull_request"]["state"] = "closed"
    request = asked("pull_request", payload)
    assert request is not None
    assert (request.reason, request.again) == ("closed", False)


def test_without_an_installation_nothing_can_be_done() -> None:
    """There is no way to reach the repository (B11)."""
    assert asked("pull_request", builders.pull_request(installation=None)) is None
    assert asked("check_run", builders.check_run(installation=None)) is None


def test_a_rerun_of_our_check_asks_again() -> None:
    """The pull request is the one that the payload names."""
    request = asked("check_run", builders.check_run())
    assert request is not None
    assert (request.number, request.head_sha, request.again) == (5, SHA, True)


def test_a_rerun_for_a_fork_is_found_by_its_head() -> None:
    """GitHub names no pull request for forks (B17)."""
    request = asked("check_suite", builders.check_suite())
    assert request is not None
    assert request.number is None
    assert request.of_pull(9).number == 9
    assert request.of_pull(9).head_sha == SHA


def test_several_pull_requests_of_one_head_are_looked_up() -> None:
    """None of them is picked by chance."""
    payload = builders.check_run()
    payload["check_run"]["pull_requests"] = [
        {"number": number, "base": {"repo": {"id": 99}}} for number in (5, 6)
    ]
    request = asked("check_run", payload)
    assert request is not None
    assert request.number is None


@pytest.mark.parametrize("event", ["check_run", "check_suite"])
def test_a_rerun_of_another_app_is_not_ours(event: str) -> None:
    """Only our own checks are ours to run again (B17)."""
    build = {"check_run": builders.check_run, "check_suite": builders.check_suite}
    assert asked(event, build[event](app=999)) is None


@pytest.mark.parametrize("action", ["created", "completed", "requested"])
def test_our_own_writing_asks_for_nothing(action: str) -> None:
    """Creating or completing a check is no reason to begin again (B18)."""
    assert asked("check_run", builders.check_run(action)) is None
    assert asked("check_suite", builders.check_suite(action)) is None


def test_a_rerun_by_ourselves_is_dropped() -> None:
    """Otherwise each answer would ask again (B18)."""
    own = {"login": "Recloser[bot]", "type": "Bot"}
    assert asked("check_run", builders.check_run(sender=own)) is None


@pytest.mark.parametrize(
    "sender",
    [
        {"login": "recloser[bot]", "type": "User"},
        {"login": "recloser-bot", "type": "User"},
        {"login": "dependabot[bot]", "type": "Bot"},
        None,
    ],
)
def test_others_are_not_taken_for_us(sender: dict[str, str] | None) -> None:
    """A user of our name and another bot may ask (B18)."""
    assert asked("check_run", builders.check_run(sender=sender)) is not None


def test_the_button_asks_again() -> None:
    """Our button for it is a re-run; the other buttons are not."""
    for identifier, is_asked in (("retry", True), ("escalate", False)):
        payload = builders.check_run(
            "requested_action", requested_action={"identifier": identifier}
        )
        assert (asked("check_run", payload) is not None) is is_asked


@pytest.mark.parametrize(
    "event", sorted(set(builders.EVERY_EVENT) - {"pull_request", "check_run"})
)
def test_no_other_event_asks(event: str) -> None:
    """Comments, reviews, pushes and the rest ask for no review."""
    payload = builders.EVERY_EVENT[event]
    is_asked = asked(event, payload) is not None
    assert is_asked is (event == "check_suite")
