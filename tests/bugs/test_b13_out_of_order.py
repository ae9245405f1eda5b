"""B13: an older event arrives last. What the front door has to say about it."""

from __future__ import annotations

import pytest

from app.web.events import PullEvent, parse
from app.web.triggers import review_request
from tests.app.web import builders
from tests.app.web.builders import APP_ID


def test_the_time_of_an_event_is_that_of_the_state_it_shows() -> None:
    """Whoever compares two events can tell which one is the older."""
    events = []
    for moment in ("2026-01-02T03:04:06Z", "2026-01-02T04:04:05+01:00"):
        payload = builders.pull_request("synchronize")
        payload["pull_request"]["updated_at"] = moment
        event = parse("pull_request", payload)
        assert isinstance(event, PullEvent)
        assert event.updated_at is not None
        events.append(event.updated_at)
    assert events[0] > events[1]


def test_closing_asks_to_look_and_carries_no_state() -> None:
    """A request is a hint to look: it says neither open nor closed."""
    closed = builders.pull_request("closed")
    closed["pull_request"]["state"] = "closed"
    for payload in (closed, builders.pull_request("synchronize")):
        request = review_request(parse("pull_request", payload), app_id=APP_ID)
        assert request is not None
        assert not hasattr(request, "is_closed")
        assert not hasattr(request, "state")


@pytest.mark.parametrize("order", [("completed", "in_progress", "created")])
def test_check_events_in_any_order_move_nothing(order: tuple[str, ...]) -> None:
    """They are not what a verdict or a circuit is made of."""
    for action in order:
        event = parse("check_run", builders.check_run(action))
        assert review_request(event, app_id=APP_ID) is None
