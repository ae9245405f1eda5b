"""A delivery: what came in, what became of it, and where it is kept.

``DeliveryTable`` is one connection to one database, used by one thread at a time;
``inbox_sqlite`` and ``inbox_postgres`` implement it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from app.errors import StoreError

MOST_PENDING_BYTES = 64 * 2**20  # read at once; one delivery alone may have 25 MB


class DeliveryState(StrEnum):
    """How far a delivery got."""

    RECEIVED = "received"
    DONE = "done"
    FAILED = "failed"


class Receipt(StrEnum):
    """What the inbox did with a delivery."""

    STORED = "stored"
    #: It had failed before; GitHub sent it once more and so it runs once more.
    RUNS_AGAIN = "runs_again"
    DUPLICATE = "duplicate"
    ALREADY_DONE = "already_done"

    @property
    def is_work(self) -> bool:
        """Tell whether there is something to do that was not there before."""
        return self in (Receipt.STORED, Receipt.RUNS_AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One webhook whose signature was verified; ``body`` is JSON, as it came."""

    delivery_id: str
    event: str
    action: str
    installation_id: int | None
    repository: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDelivery(Delivery):
    """A delivery as it is kept. ``attempts`` counts how often it was marked."""

    id: int
    received_at: datetime
    state: DeliveryState
    attempts: int
    error: str


class Overloaded(StoreError):
    """More deliveries wait to be stored than memory is kept for."""


class Unstorable(StoreError):
    """One of the deliveries holds a value that the database cannot take."""


def receipts(
    batch: Sequence[Delivery], new: Set[str], revived: Set[str], done: Set[str]
) -> list[Receipt]:
    """Return what became of each delivery of ``batch``, whose ids may repeat.

    Args:
        batch: the deliveries in the order in which they came.
        new: ids that were not known before.
        revived: ids that had failed and run again.
        done: ids whose work is done.
    """
    found = list[Receipt]()
    seen, known = set[str](), new | revived
    for each in batch:
        if each.delivery_id in done:
            found.append(Receipt.ALREADY_DONE)
        elif each.delivery_id in seen or each.delivery_id not in known:
            found.append(Receipt.DUPLICATE)
        elif each.delivery_id in new:
            found.append(Receipt.STORED)
        else:
            found.append(Receipt.RUNS_AGAIN)
        seen.add(each.delivery_id)
    return found


class DeliveryTable(Protocol):
    """Deliveries in a database, over one connection. Raises StoreError only."""

    def insert(self, batch: Sequence[Delivery], now: datetime) -> Sequence[Receipt]:
        """Store ``batch`` in one commit; the receipts are in its order."""

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        """Return received deliveries, those least often tried first.

        Fewer than ``limit`` when their bodies reach MOST_PENDING_BYTES.
        """

    def mark(self, ids: Sequence[int], state: DeliveryState, error: str) -> None:
        """Set the state of deliveries and count one more attempt."""

    def oldest_pending(self) -> datetime | None:
        """Return when the oldest delivery came in that is still to do."""

    def get(self, delivery_id: str) -> StoredDelivery | None:
        """Return one delivery."""

    def forget(self, before: datetime, limit: int) -> int:
        """Delete at most ``limit`` done deliveries older than ``before``."""

    def close(self) -> None:
        """Close the connection."""
