"""The pace of writes: GitHub wants a second between two of one installation."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from app.ports import Clock


class Pacer:
    """Lets threads write one after the other, ``interval`` apart."""

    def __init__(
        self, interval: timedelta, clock: Clock, sleep: Callable[[float], None]
    ) -> None:
        self._interval = interval
        self._clock = clock
        self._sleep = sleep
        self._next: datetime | None = None
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait until the next write is due."""
        with self._lock:
            now = self._clock.now()
            due = now if self._next is None else max(now, self._next)
            # A clock that was set back must not stop us for hours.
            due = min(due, now + self._interval * 60)
            self._next = due + self._interval
        wait = (due - now).total_seconds()
        if wait > 0:
            self._sleep(wait)
