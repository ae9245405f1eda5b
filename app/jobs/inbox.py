"""The inbox: durable from the first byte.

A delivery is answered after it is on the disk, and stored once by its id, whatever
is sent how often and to how many processes (B12). It is append-only: the work is
found by state, done by the dispatcher, and a delivery whose work failed is taken up
again when GitHub sends it once more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from app.clock import SystemClock
from app.errors import StoreError
from app.jobs.delivery import (
    Delivery,
    DeliveryState,
    DeliveryTable,
    Overloaded,
    Receipt,
    StoredDelivery,
)
from app.jobs.inbox_postgres import PostgresDeliveries
from app.jobs.inbox_sqlite import SqliteDeliveries
from app.jobs.inbox_writer import InboxWriter
from app.ports import Clock

__all__ = [
    "Delivery",
    "DeliveryState",
    "DurableInbox",
    "Inbox",
    "Overloaded",
    "Receipt",
    "StoredDelivery",
    "open_inbox",
]

MARK_TOGETHER = 1_000  # SQLite takes 32 766 values in one statement


class Inbox(Protocol):
    """Where deliveries are kept. All calls raise StoreError and nothing else."""

    def start(self) -> None:
        """Take deliveries from now on; harmless when that is so already."""

    def stop(self) -> None:
        """Take no more, store what waits, let go of the database."""

    @property
    def is_running(self) -> bool:
        """Tell whether deliveries are taken."""

    async def put(self, delivery: Delivery) -> Receipt:
        """Store ``delivery``; return after the commit."""

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        """Return received deliveries, those least often tried first."""

    def mark(self, ids: Sequence[int], state: str, error: str = "") -> None:
        """Set the state of deliveries and count one more attempt."""

    def oldest_pending_age(self, now: datetime) -> float:
        """Return for how many seconds the oldest one has waited, 0 for none."""

    def get(self, delivery_id: str) -> StoredDelivery | None:
        """Return one delivery, ``None`` when it is not known."""


class DurableInbox:
    """An inbox over any delivery table.

    One connection belongs to the writer thread; the other calls share a second one,
    made when it is needed, so that they work before ``start`` and after ``stop``.
    """

    def __init__(self, open_table: Callable[[], DeliveryTable], clock: Clock) -> None:
        self._open_table = open_table
        self._clock = clock
        self._starting = threading.Lock()
        self._writer: InboxWriter | None = None
        self._reading = threading.Lock()
        self._reader: DeliveryTable | None = None

    def start(self) -> None:
        """Take deliveries from now on; harmless when that is so already."""
        with self._starting:
            if not self.is_running:
                self._writer = InboxWriter(self._open_table, self._clock)

    def stop(self) -> None:
        """Take no more, store what waits, let go of the database."""
        with self._starting:
            if self._writer is not None:
                self._writer.stop()
                self._writer = None
        with self._reading:
            self._close_reader()

    @property
    def is_running(self) -> bool:
        """Tell whether deliveries are taken."""
        return self._writer is not None and self._writer.is_running

    async def put(self, delivery: Delivery) -> Receipt:
        """Store ``delivery``; return after the commit."""
        writer = self._writer
        if writer is None:
            raise StoreError("the inbox is not running")
        return await writer.put(delivery)

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        """Return received deliveries, those least often tried first."""
        with self._table() as table:
            return table.pending(limit)

    def mark(self, ids: Sequence[int], state: str, error: str = "") -> None:
        """Set the state of deliveries and count one more attempt."""
        for first in range(0, len(ids), MARK_TOGETHER):
            some = ids[first : first + MARK_TOGETHER]
            with self._table() as table:
                table.mark(some, DeliveryState(state), error)

    def oldest_pending_age(self, now: datetime) -> float:
        """Return for how many seconds the oldest one has waited, 0 for none."""
        with self._table() as table:
            oldest = table.oldest_pending()
        return max(0.0, (now - oldest).total_seconds()) if oldest else 0.0

    def get(self, delivery_id: str) -> StoredDelivery | None:
        """Return one delivery, ``None`` when it is not known."""
        with self._table() as table:
            return table.get(delivery_id)

    @contextmanager
    def _table(self) -> Iterator[DeliveryTable]:
        with self._reading:
            if self._reader is None:
                self._reader = self._open_table()
            try:
                yield self._reader
            except StoreError:
                self._close_reader()  # the next call begins with a fresh one
                raise

    def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with suppress(StoreError):
                reader.close()


def open_inbox(url: str, clock: Clock | None = None) -> DurableInbox:
    """Return the inbox at ``url``: ``sqlite:///PATH`` or ``postgresql+psycopg://``.

    Nothing is opened before it is used.
    """
    clock = clock or SystemClock()
    if url.startswith("sqlite:///") and url.removeprefix("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        return DurableInbox(partial(SqliteDeliveries, path, threading.Lock()), clock)
    if url.startswith(("postgresql://", "postgresql+psycopg://")):
        return DurableInbox(partial(PostgresDeliveries, url), clock)
    raise StoreError("an inbox is at sqlite:///PATH or postgresql+psycopg://...")
