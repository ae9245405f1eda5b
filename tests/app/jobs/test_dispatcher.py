"""From stored deliveries to queued reviews: once, from facts, through outages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from app.errors import GitHubRefused, GitHubUnavailable
from app.jobs.dispatcher import Dispatcher
from app.jobs.inbox import Delivery, DurableInbox, open_inbox
from app.store.database import open_database
from app.store.reviews import ReviewStore
from tests.app.jobs.fakes import FakeHub, FixedClock, OneHub
from tests.app.jobs.stage import pull_request
from tests.app.web import builders

A, B = "a" * 40, "b" * 40


@dataclass
class KeptQueue:
    """A queue that keeps what it was given, each id once."""

    ids: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)

    def enqueue(self, workflow_id: str, partition: str, data: dict[str, Any]) -> None:
        """Keep the id."""
        if workflow_id not in self.ids:
            self.ids.append(workflow_id)

    def has_failed(self, workflow_id: str) -> bool:
        """Tell whether the test lets it fail."""
        return workflow_id in self.failed


@dataclass
class CountingHub(FakeHub):
    """A hub that counts how often it was asked for the pull request."""

    asked: int = 0

    def pull(self, number: int) -> Any:
        """Count, and answer."""
        self.asked += 1
        return super().pull(number)


@dataclass
class Desk:
    """A dispatcher with what it works on."""

    inbox: DurableInbox
    queue: KeptQueue
    hub: CountingHub
    reviews: ReviewStore
    dispatcher: Dispatcher

    def deliver(self, payload: dict[str, Any], name: str, guid: str) -> None:
        """Store a delivery."""
        delivery = Delivery(
            delivery_id=guid,
            event=name,
            action=str(payload.get("action", "")),
            installation_id=7,
            repository="octo/hello",
            body=json.dumps(payload).encode(),
        )
        asyncio.run(self.inbox.put(delivery))

    def pull_event(self, action: str, guid: str) -> None:
        """Store an event about the pull request."""
        self.deliver(builders.pull_request(action), "pull_request", guid)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Return a dispatcher on a real inbox and a real store."""
    inbox = open_inbox(f"sqlite:///{tmp_path}/inbox.db")
    inbox.start()
    hub = CountingHub(tmp_path, replace(pull_request(B, A), number=5))
    queue = KeptQueue()
    reviews = ReviewStore(open_database(f"sqlite:///{tmp_path}/recloser.db"))
    dispatcher = Dispatcher(
        inbox, queue, reviews, OneHub(hub), FixedClock(), app_id=builders.APP_ID
    )
    yield Desk(inbox, queue, hub, reviews, dispatcher)
    inbox.stop()


def test_thirty_events_of_one_pull_request_are_one_review(desk: Desk) -> None:
    """One question to GitHub, one review (B12)."""
    for number in range(30):
        desk.pull_event("synchronize", f"guid-{number}")

    desk.dispatcher.dispatch()

    assert desk.hub.asked == 1
    assert desk.queue.ids == [f"octo/hello#5@{A}#1"]
    assert desk.inbox.pending(100) == []


def test_an_older_event_that_comes_last_changes_nothing(desk: Desk) -> None:
    """The payload is a hint; the pull request as it is now counts (B13)."""
    desk.hub.pull_request = replace(desk.hub.pull_request, state="closed")
    desk.pull_event("closed", "newer")
    desk.pull_event("synchronize", "older")

    desk.dispatcher.dispatch()

    assert desk.queue.ids == []
    assert desk.reviews.wanted("octo/hello#5") is None


def test_while_github_is_down_deliveries_wait(desk: Desk) -> None:
    """Nothing is lost in an outage, and it is told apart from idleness."""
    desk.hub.fails["pull"] = GitHubUnavailable("502")
    desk.pull_event("opened", "guid")
    batch = desk.dispatcher.dispatch()
    assert (batch.settled, batch.unsettled) == (0, 1)

    del desk.hub.fails["pull"]
    desk.dispatcher.dispatch()

    assert len(desk.queue.ids) == 1


def test_a_pull_request_that_may_not_be_read_is_given_up(desk: Desk) -> None:
    """A refusal is final: other deliveries are not held up by it."""
    desk.hub.fails["pull"] = GitHubRefused("no permission", status=403)
    desk.pull_event("opened", "guid")

    desk.dispatcher.dispatch()

    assert desk.inbox.pending(10) == []
    assert desk.queue.ids == []


def test_a_crash_before_the_mark_asks_for_nothing_twice(desk: Desk) -> None:
    """A re-run is heard once for each delivery, however often it is dispatched."""
    desk.pull_event("opened", "first")
    desk.dispatcher.dispatch()
    desk.deliver(builders.check_run("rerequested"), "check_run", "again")
    desk.dispatcher.dispatch()
    row = desk.inbox.get("again")
    assert row is not None
    desk.inbox.mark([row.id], "received")

    desk.dispatcher.dispatch()

    assert desk.queue.ids == [f"octo/hello#5@{A}#1", f"octo/hello#5@{A}#2"]


def test_a_review_that_was_wanted_and_not_queued_is_queued_at_start(
    desk: Desk,
) -> None:
    """A crash may lie between the two."""
    desk.pull_event("opened", "first")
    desk.dispatcher.dispatch()
    desk.queue.ids.clear()

    desk.dispatcher.start()
    desk.dispatcher.stop()

    assert desk.queue.ids == [f"octo/hello#5@{A}#1"]


def test_a_review_that_ended_by_an_error_gets_a_new_generation(desk: Desk) -> None:
    """Its id would never run again, and the check would stay in progress."""
    desk.pull_event("opened", "first")
    desk.dispatcher.dispatch()
    desk.queue.failed.add(f"octo/hello#5@{A}#1")

    desk.dispatcher.start()
    desk.dispatcher.stop()

    assert desk.queue.ids == [f"octo/hello#5@{A}#1", f"octo/hello#5@{A}#2"]


def test_a_push_that_github_does_not_show_yet_is_looked_at_again(desk: Desk) -> None:
    """The API may lag behind a webhook: the new head is not lost."""
    desk.hub.pull_request = replace(desk.hub.pull_request, head_sha=B)
    desk.pull_event("synchronize", "push")
    assert desk.dispatcher.dispatch().unsettled == 1

    desk.hub.pull_request = replace(desk.hub.pull_request, head_sha=A)
    assert desk.dispatcher.dispatch().unsettled == 0

    assert desk.queue.ids[-1] == f"octo/hello#5@{A}#2"


def test_a_wrong_key_loses_nothing(desk: Desk) -> None:
    """401 is the operator's to mend; the deliveries wait for that."""
    desk.hub.fails["pull"] = GitHubRefused("bad credentials", status=401)
    desk.pull_event("opened", "guid")

    assert desk.dispatcher.dispatch().unsettled == 1
