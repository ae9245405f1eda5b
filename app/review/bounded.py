"""Run an agent so that it ends: at its deadline, for a newer head, or abandoned.

The agent has a thread and an event loop of its own. When its time is up it is
cancelled; one that swallows that is left behind on its daemon thread. Its gate
refuses whatever it still wants, so that nothing comes of it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.agents.base import Report
from app.errors import RecloserError

POLL = 1.0  # seconds between two looks at whether to go on
LAST_WORDS = 3.0  # seconds in which a cancelled agent may clean up


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How long an agent may run.

    Args:
        seconds: the most, on the stop-watch of the review.
        elapsed: reads that stop-watch.
        stop: a reason to end now, or ``None``.
    """

    seconds: float
    elapsed: Callable[[], float]
    stop: Callable[[], str | None]


def run_bounded(
    review: Callable[[], Coroutine[Any, Any, Report]], bounds: Bounds
) -> Report:
    """Return what the agent reports, or the report of how it was ended."""
    running = _Running(review)
    try:
        return _wait(running, bounds)
    finally:
        running.end()


def _wait(running: _Running, bounds: Bounds) -> Report:
    while True:
        try:
            return running.report.result(POLL)
        except NotYet:
            if running.report.done():
                return _failed("it gave up waiting")
        except RecloserError as error:  # ours, not the agent's
            return _failed(str(error), is_infrastructure=True)
        except BaseException as error:  # an agent may fail in any way
            return _failed(f"the agent crashed: {type(error).__name__}")
        if bounds.elapsed() > bounds.seconds:
            return _failed("it did not end by its deadline")
        if bounds.stop() is not None:
            return _failed("superseded", is_infrastructure=True)


class _Running:
    """An agent on its own thread."""

    def __init__(self, review: Callable[[], Coroutine[Any, Any, Report]]) -> None:
        self.report: Future[Report] = Future()
        self._review = review
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Report] | None = None
        self._thread = threading.Thread(target=self._work, name="agent", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Cancel the agent, and leave it behind when it does not listen."""
        if self._loop is not None and self._task is not None:
            with suppress(RuntimeError):  # its loop has just ended by itself
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(LAST_WORDS)

    def _work(self) -> None:
        try:
            report = asyncio.run(self._main())
        except BaseException as error:
            self.report.set_exception(error)
        else:
            self.report.set_result(report)

    async def _main(self) -> Report:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.ensure_future(self._review())
        return await self._task


def _failed(failure: str, *, is_infrastructure: bool = False) -> Report:
    return Report(
        did_review=False, failure=failure, is_infrastructure=is_infrastructure
    )
