"""The one thread that writes deliveries: whatever waits goes into one commit.

While a commit is under way others gather, so the batches grow with the load and an
idle inbox answers after a single commit. Whoever waits is answered after it, never
before. What may wait is bounded by number and by bytes: beyond it deliveries are
refused, so that memory holds and GitHub sees that we did not take them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import structlog

from app.errors import StoreError
from app.jobs.delivery import Delivery, DeliveryTable, Overloaded, Receipt, Unstorable
from app.ports import Clock

MOST_WAITING = 4_096
MOST_WAITING_BYTES = 128 * 2**20
MOST_TOGETHER = 256
MOST_TOGETHER_BYTES = 32 * 2**20
KEEP_DONE = timedelta(days=8)  # GitHub itself redelivers for 3 days (7 on a server)
FORGET_EVERY = timedelta(hours=1)
FORGET_TOGETHER = 1_000
STOP_SECONDS = 20.0

log = structlog.get_logger(__name__)

Answer = Receipt | StoreError


@dataclass(frozen=True, slots=True)
class _Waiting:
    delivery: Delivery
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Receipt]


class InboxWriter:
    """Writes deliveries to a table that belongs to its thread alone."""

    def __init__(self, open_table: Callable[[], DeliveryTable], clock: Clock) -> None:
        self._open_table = open_table
        self._clock = clock
        self._waiting = deque[_Waiting]()
        self._bytes = 0
        self._changed = threading.Condition()
        self._stopping = False
        self._forget_at = clock.now()
        self._table = open_table()
        self._thread = threading.Thread(
            target=self._work, name="inbox-writer", daemon=True
        )
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Tell whether deliveries are taken."""
        return self._thread.is_alive() and not self._stopping

    async def put(self, delivery: Delivery) -> Receipt:
        """Store ``delivery``; return after the commit.

        Raises:
            Overloaded: too many wait already.
            StoreError: it was not stored.
        """
        loop = asyncio.get_running_loop()
        entry = _Waiting(delivery, loop, loop.create_future())
        size = len(delivery.body)
        with self._changed:
            if not self.is_running:
                raise StoreError("the inbox is not running")
            is_full = len(self._waiting) >= MOST_WAITING
            if is_full or (self._bytes and self._bytes + size > MOST_WAITING_BYTES):
                raise Overloaded(f"{len(self._waiting)} deliveries wait to be stored")
            self._waiting.append(entry)
            self._bytes += size
            self._changed.notify()
        return await entry.future

    def stop(self) -> None:
        """Write what waits, then end the thread."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join(STOP_SECONDS)

    def _work(self) -> None:
        try:
            while batch := self._next():
                self._write(batch)
                self._forget()
        finally:
            self._table.close()

    def _next(self) -> list[_Waiting]:
        """Wait for work; return all of it that fits, nothing when it is over."""
        batch = list[_Waiting]()
        size = 0
        with self._changed:
            while not self._waiting and not self._stopping:
                self._changed.wait()
            while self._waiting and len(batch) < MOST_TOGETHER:
                more = len(self._waiting[0].delivery.body)
                if batch and size + more > MOST_TOGETHER_BYTES:
                    break
                batch.append(self._waiting.popleft())
                size += more
            self._bytes -= size
        return batch

    def _write(self, batch: Sequence[_Waiting]) -> None:
        answers = self._store([each.delivery for each in batch])
        by_loop = dict[asyncio.AbstractEventLoop, list[tuple[_Waiting, Answer]]]()
        for entry, answer in zip(batch, answers, strict=True):
            by_loop.setdefault(entry.loop, []).append((entry, answer))
        for loop, pairs in by_loop.items():
            try:
                loop.call_soon_threadsafe(_answer, pairs)
            except RuntimeError:  # the loop is closed: nobody waits any more
                log.warning("stored without an answer", deliveries=len(pairs))

    def _store(self, batch: Sequence[Delivery]) -> Sequence[Answer]:
        try:
            return self._table.insert(batch, self._clock.now())
        except Unstorable as error:
            if len(batch) > 1:  # one bad delivery must not keep the others out
                middle = len(batch) // 2
                return [*self._store(batch[:middle]), *self._store(batch[middle:])]
            fault: StoreError = error
        except StoreError as error:
            fault = error
        except Exception as error:  # the thread must outlive any single fault
            log.exception("writing the inbox failed")
            fault = StoreError(f"a fault of our own: {type(error).__name__}")
        log.error("deliveries not stored", deliveries=len(batch), why=str(fault))
        return [fault] * len(batch)

    def _forget(self) -> None:
        """Delete a few of the deliveries that were done long ago."""
        now = self._clock.now()
        if now < self._forget_at:
            return
        try:
            gone = self._table.forget(now - KEEP_DONE, FORGET_TOGETHER)
        except StoreError as error:
            log.warning("old deliveries not deleted", why=str(error))
            gone = 0
        if gone < FORGET_TOGETHER:
            self._forget_at = now + FORGET_EVERY


def _answer(pairs: Sequence[tuple[_Waiting, Answer]]) -> None:
    for entry, answer in pairs:
        if entry.future.done():  # whoever asked has gone
            continue
        if isinstance(answer, Receipt):
            entry.future.set_result(answer)
        else:
            entry.future.set_exception(answer)
