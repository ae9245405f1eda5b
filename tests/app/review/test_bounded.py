"""An agent ends: at its deadline, for a newer head, or it is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.agents.base import Report
from app.errors import RepositoryError
from app.review.bounded import Bounds, run_bounded


def bounds(
    seconds: float = 60.0, stop: Callable[[], str | None] = lambda: None
) -> Bounds:
    """Return bounds on a stop-watch that jumps a minute at each look."""
    looks = iter(range(0, 100_000, 60))
    return Bounds(seconds=seconds, elapsed=lambda: float(next(looks)), stop=stop)


async def quick() -> Report:
    """Review at once."""
    return Report(summary="done")


async def endless() -> Report:
    """Wait for ever, and listen when told to end."""
    await asyncio.Event().wait()
    return Report()


async def stubborn() -> Report:
    """Swallow being told to end, once."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        await asyncio.sleep(30)
    return Report()


async def broken() -> Report:
    """Crash."""
    raise ZeroDivisionError


async def cancelled() -> Report:
    """Raise what only a cancelled task should raise."""
    raise asyncio.CancelledError


async def ours() -> Report:
    """Meet a fault that is not the agent's."""
    raise RepositoryError("the file is too large")


def test_what_an_agent_reports_is_returned() -> None:
    """The ordinary case."""
    assert run_bounded(quick, bounds()).summary == "done"


def test_an_agent_is_ended_at_its_deadline() -> None:
    """It is a failure of the agent."""
    report = run_bounded(endless, bounds(seconds=30.0))

    assert "deadline" in report.failure
    assert not report.is_infrastructure


def test_an_agent_that_does_not_listen_is_left_behind() -> None:
    """The review goes on without it."""
    assert not run_bounded(stubborn, bounds(seconds=30.0)).did_review


def test_an_agent_is_ended_for_a_newer_head() -> None:
    """That says nothing about the agent."""
    report = run_bounded(endless, bounds(seconds=1e9, stop=lambda: "newer"))

    assert report.is_infrastructure


def test_a_crash_is_a_failed_review() -> None:
    """Also one that looks like a cancellation."""
    for agent in (broken, cancelled):
        report = run_bounded(agent, bounds())
        assert not report.did_review
        assert "crashed" in report.failure
        assert not report.is_infrastructure


def test_a_fault_of_ours_is_not_the_agents() -> None:
    """It must not count against it."""
    assert run_bounded(ours, bounds()).is_infrastructure
