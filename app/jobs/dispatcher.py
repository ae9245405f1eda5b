"""Turn stored deliveries into queued reviews: one thread, once for each event.

A payload is a hint: what counts is the pull request as GitHub shows it now, asked
once for all the events of one batch (thirty events of one pull request are one
question and one review). At-least-once, made harmless by the workflow's id: a row
is marked done after its review is queued, and queueing twice changes nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import structlog

from app.errors import GitHubError, GitHubRefused
from app.jobs.inbox import Inbox, StoredDelivery
from app.ports import Clock, HubFactory
from app.store.reviews import ReviewStore, Wanted
from app.web.events import parse
from app.web.triggers import ReviewRequest, review_request

BATCH = 200  # deliveries looked at together
IDLE_SECONDS = 1.0  # between two looks when nobody wakes us
LONGEST_WAIT = 60.0  # between two looks while GitHub does not answer, in seconds
UNAUTHORIZED = 401
MOST_LOOKS = 5  # while GitHub's answer is older than its event
MOST_ATTEMPTS = 200  # more than three hours of an outage

log = structlog.get_logger(__name__)


class ReviewQueue(Protocol):
    """Queues reviews durably; queueing one twice changes nothing."""

    def enqueue(self, workflow_id: str, partition: str, data: dict[str, Any]) -> None:
        """Queue one review; those of one ``partition`` run one at a time."""

    def has_failed(self, workflow_id: str) -> bool:
        """Tell whether a review ended by an error: its id will not run again."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One pull request, as an installation reaches it."""

    installation_id: int
    repository: str
    number: int

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """How many deliveries of one look were settled, and how many wait on."""

    settled: int
    unsettled: int


class Dispatcher:
    """Reads the inbox and queues reviews.

    Args:
        inbox: where deliveries are kept.
        queue: where reviews are queued.
        reviews: what pull requests want.
        hubs: GitHub.
        clock: the time.
        app_id: our own app, whose events and check runs are told apart by it.
    """

    def __init__(
        self,
        inbox: Inbox,
        queue: ReviewQueue,
        reviews: ReviewStore,
        hubs: HubFactory,
        clock: Clock,
        *,
        app_id: int,
    ) -> None:
        self._inbox = inbox
        self._queue = queue
        self._reviews = reviews
        self._hubs = hubs
        self._clock = clock
        self._app_id = app_id
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._work, name="dispatcher", daemon=True
        )

    def start(self) -> None:
        """Start the thread; what an earlier process left is queued first."""
        for wanted in self._reviews.all_wanted():
            self._queue_again(wanted)
        self._thread.start()

    def wake(self) -> None:
        """Look at the inbox now. Safe from any thread."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread after the batch at hand."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(timeout=30)

    def dispatch(self) -> Batch:
        """Handle one batch of deliveries."""
        rows = self._inbox.pending(BATCH)
        asked = dict[_Place, list[tuple[StoredDelivery, ReviewRequest]]]()
        unsettled = dict[int, str]()
        for row in rows:
            try:
                requests = self._requests(row)
            except GitHubError as error:
                unsettled[row.id] = str(error)
                continue
            for place, request in requests:
                asked.setdefault(place, []).append((row, request))
        for place, entries in asked.items():
            try:
                unsettled |= self._want(place, entries)
            except GitHubError as error:
                unsettled |= {row.id: str(error) for row, _ in entries}
        self._settle(rows, unsettled)
        return Batch(settled=len(rows) - len(unsettled), unsettled=len(unsettled))

    def _work(self) -> None:
        wait = IDLE_SECONDS
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                batch = self.dispatch()
            except Exception:  # the thread must outlive any single fault
                log.exception("dispatch failed")
                batch = Batch(settled=0, unsettled=1)
            wait = min(LONGEST_WAIT, wait * 2) if batch.unsettled else IDLE_SECONDS
            if batch.unsettled or not batch.settled:
                self._wake.wait(wait)

    def _requests(self, row: StoredDelivery) -> Sequence[tuple[_Place, ReviewRequest]]:
        event = parse(row.event, json.loads(row.body))
        request = review_request(event, app_id=self._app_id)
        if request is None:
            return ()
        if request.number is not None:
            numbers: Sequence[int] = (request.number,)
        else:
            # A re-run of a fork's head names no pull request (B17): look it up.
            hub = self._hubs.hub(request.installation_id, request.repository)
            numbers = hub.pulls_for_commit(request.head_sha)
        return [
            (_Place(request.installation_id, request.repository, number), request)
            for number in numbers
        ]

    def _want(
        self, place: _Place, entries: Sequence[tuple[StoredDelivery, ReviewRequest]]
    ) -> dict[int, str]:
        """Want the head as it is now; return what has to be looked at again."""
        hub = self._hubs.hub(place.installation_id, place.repository)
        try:
            pull = hub.pull(place.number)
        except GitHubRefused as error:
            if error.status == UNAUTHORIZED:
                raise  # a wrong key is the operator's to mend: nothing is lost by it
            log.warning("pull request not readable", pull=str(place), why=str(error))
            return {}
        if pull.state == "closed":
            self._reviews.close_pull(str(place), now=self._clock.now())
            return {}
        self._reviews.want(
            repository=place.repository,
            number=place.number,
            installation_id=place.installation_id,
            head_sha=pull.head_sha,
            reason=entries[-1][1].reason,
            asked_by=_last_that_asks(entries),
            now=self._clock.now(),
        )
        # Also when it was wanted before: a crash may lie between the two.
        wanted = self._reviews.wanted(str(place))
        if wanted is not None:
            self._queue.enqueue(wanted.review_id, wanted.key, asdict(wanted))
        return _still_older(entries, pull.head_sha)

    def _queue_again(self, wanted: Wanted) -> None:
        """Queue what was wanted; one that ended by an error gets a new generation."""
        if self._queue.has_failed(wanted.review_id):
            anew = self._reviews.want(
                repository=wanted.repository,
                number=wanted.number,
                installation_id=wanted.installation_id,
                head_sha=wanted.head_sha,
                reason="the review before it failed",
                asked_by=f"after {wanted.generation}",
                now=self._clock.now(),
            )
            wanted = anew or wanted
        self._queue.enqueue(wanted.review_id, wanted.key, asdict(wanted))

    def _settle(
        self, rows: Sequence[StoredDelivery], unsettled: dict[int, str]
    ) -> None:
        """Mark what is done; leave the rest for the next look, but not for ever."""
        self._inbox.mark([row.id for row in rows if row.id not in unsettled], "done")
        for row in rows:
            if row.id not in unsettled:
                continue
            state = "failed" if row.attempts + 1 >= MOST_ATTEMPTS else "received"
            self._inbox.mark([row.id], state, unsettled[row.id])


def _last_that_asks(entries: Sequence[tuple[StoredDelivery, ReviewRequest]]) -> str:
    """Return the id of the last delivery that asks to review the head once more."""
    asking = [row.delivery_id for row, request in entries if request.again]
    return asking[-1] if asking else ""


def _still_older(
    entries: Sequence[tuple[StoredDelivery, ReviewRequest]], head_sha: str
) -> dict[int, str]:
    """Return the last event when GitHub's answer may be older than it.

    The API may lag behind a webhook by seconds: the event of a push is looked at a
    few times more while the pull request still shows another head.
    """
    row, request = entries[-1]
    if request.head_sha in ("", head_sha) or row.attempts >= MOST_LOOKS:
        return {}
    return {row.id: "GitHub still shows another head"}
