"""The writer thread: one commit for all that wait, bounded, and never dead."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from app.errors import StoreError
from app.jobs import inbox_writer
from app.jobs.delivery import (
    Delivery,
    DeliveryState,
    Overloaded,
    Receipt,
    StoredDelivery,
)
from app.jobs.inbox_writer import InboxWriter
from tests.app.jobs.inboxes import HandClock, delivery

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


@dataclass
class GatedTable:
    """A table whose commits wait for the gate."""

    gate: threading.Event = field(default_factory=threading.Event)
    batches: list[int] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    is_closed: bool = False

    def insert(self, batch: Sequence[Delivery], now: datetime) -> Sequence[Receipt]:
        assert self.gate.wait(10)
        self.batches.append(len(batch))
        if self.faults:
            raise self.faults.pop(0)
        return [Receipt.STORED] * len(batch)

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        return []

    def mark(self, ids: Sequence[int], state: DeliveryState, error: str) -> None:
        raise NotImplementedError

    def oldest_pending(self) -> datetime | None:
        return None

    def get(self, delivery_id: str) -> StoredDelivery | None:
        return None

    def forget(self, before: datetime, limit: int) -> int:
        return 0

    def close(self) -> None:
        self.is_closed = True


def writer_of(table: GatedTable) -> InboxWriter:
    return InboxWriter(lambda: table, HandClock())


async def test_what_gathers_meanwhile_is_one_commit() -> None:
    """The first one goes alone, all others together."""
    table = GatedTable()
    writer = writer_of(table)
    first = asyncio.create_task(writer.put(delivery("d-0")))
    await asyncio.sleep(0.05)
    others = [asyncio.create_task(writer.put(delivery(f"d-{n}"))) for n in range(1, 51)]
    await asyncio.sleep(0.05)
    assert not first.done()
    table.gate.set()
    await asyncio.gather(first, *others)
    writer.stop()
    assert table.batches == [1, 50]
    assert table.is_closed


async def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by number; those let in before are stored."""
    monkeypatch.setattr(inbox_writer, "MOST_WAITING", 3)
    table = GatedTable()
    writer = writer_of(table)
    first = asyncio.create_task(writer.put(delivery("d-0")))
    await asyncio.sleep(0.05)
    others = [asyncio.create_task(writer.put(delivery(f"d-{n}"))) for n in range(1, 4)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded, match="3 deliveries"):
        await writer.put(delivery("d-9"))
    table.gate.set()
    await asyncio.gather(first, *others)
    assert await writer.put(delivery("d-9")) is Receipt.STORED
    writer.stop()


async def test_too_many_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few large ones fill the memory as well; a single one is always let in."""
    monkeypatch.setattr(inbox_writer, "MOST_WAITING_BYTES", 100)
    table = GatedTable()
    writer = writer_of(table)
    first = asyncio.create_task(writer.put(delivery("d-0")))
    await asyncio.sleep(0.05)
    large = asyncio.create_task(writer.put(delivery("d-1", b"x" * 500)))
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await writer.put(delivery("d-2", b"x"))
    table.gate.set()
    await asyncio.gather(first, large)
    assert await writer.put(delivery("d-2", b"x")) is Receipt.STORED
    writer.stop()


async def test_large_ones_are_not_all_in_one_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A commit is bounded by bytes, too."""
    monkeypatch.setattr(inbox_writer, "MOST_TOGETHER_BYTES", 100)
    table = GatedTable()
    writer = writer_of(table)
    waiting = [
        asyncio.create_task(writer.put(delivery(f"d-{n}", b"x" * 40))) for n in range(5)
    ]
    await asyncio.sleep(0.05)
    table.gate.set()
    await asyncio.gather(*waiting)
    writer.stop()
    assert max(table.batches) <= 2
    assert sum(table.batches) == 5


@pytest.mark.parametrize("fault", [StoreError("disk full"), RuntimeError("a bug")])
async def test_a_fault_is_told_and_the_next_one_is_stored(fault: Exception) -> None:
    """All of the commit hear of it, none of them hears a 2xx, the thread lives on."""
    table = GatedTable(faults=[fault])
    table.gate.set()
    writer = writer_of(table)
    with pytest.raises(StoreError, match=r"disk full|RuntimeError"):
        await writer.put(delivery("d-0"))
    assert await writer.put(delivery("d-0")) is Receipt.STORED
    writer.stop()


async def test_who_has_gone_does_not_harm_the_others() -> None:
    """A request that was given up is stored, and the rest are answered."""
    table = GatedTable()
    writer = writer_of(table)
    gone, stays = (asyncio.create_task(writer.put(delivery(name))) for name in "ab")
    await asyncio.sleep(0.05)
    gone.cancel()
    await asyncio.sleep(0)
    table.gate.set()
    assert await stays is Receipt.STORED
    writer.stop()
    assert sum(table.batches) == 2


def test_a_loop_that_is_closed_does_not_harm_the_thread() -> None:
    """Its process goes on to serve others."""
    table = GatedTable()
    writer = writer_of(table)

    async def leave() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await writer.put(delivery("d-0"))

    asyncio.run(leave())
    table.gate.set()
    assert asyncio.run(writer.put(delivery("d-1"))) is Receipt.STORED
    writer.stop()
