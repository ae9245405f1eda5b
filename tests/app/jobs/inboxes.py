"""Deliveries, and inboxes over both databases, for the tests of the inbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.jobs.inbox import Delivery, DurableInbox, open_inbox

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BODY = b'{"action": "opened"}'


@dataclass(slots=True)
class HandClock:
    """A clock that stands until it is set forward."""

    time: datetime = NOW

    def now(self) -> datetime:
        return self.time

    def forward(self, step: timedelta) -> None:
        self.time += step


def delivery(
    delivery_id: str = "d-1", body: bytes = BODY, repository: str = "octo/hello"
) -> Delivery:
    """Build a delivery."""
    return Delivery(
        delivery_id=delivery_id,
        event="pull_request",
        action="opened",
        installation_id=7,
        repository=repository,
        body=body,
    )


def sqlite_url(folder: Path) -> str:
    """Return the URL of an inbox in ``folder``."""
    return f"sqlite:///{folder / 'inbox.db'}"


@contextmanager
def running(url: str, clock: HandClock | None = None) -> Iterator[DurableInbox]:
    """Run an inbox at ``url``."""
    inbox = open_inbox(url, clock or HandClock())
    inbox.start()
    try:
        yield inbox
    finally:
        inbox.stop()


NewUrl = Callable[[], str]
