"""The real clock and the real stop-watch; everything else gets them as arguments."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """Return the current time, in UTC and aware."""
        return datetime.now(UTC)


def stopwatch() -> Callable[[], float]:
    """Start a stop-watch; the returned function reads it, in seconds."""
    began = time.monotonic()
    return lambda: time.monotonic() - began
