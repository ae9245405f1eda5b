"""The pace of writes."""

from __future__ import annotations

from datetime import timedelta

from app.github.pace import Pacer
from tests.app.github.server import FixedClock


def test_the_first_write_does_not_wait(clock: FixedClock) -> None:
    """Only writes that follow another one too soon wait."""
    pacer = Pacer(timedelta(seconds=1), clock, clock.sleep)
    pacer.wait()
    clock.time += timedelta(seconds=5)
    pacer.wait()
    assert clock.slept == []


def test_waiting_writers_queue_up(clock: FixedClock) -> None:
    """Writers that come at the same time get one second each."""
    waits = list[float]()
    pacer = Pacer(timedelta(seconds=1), clock, waits.append)
    for _ in range(4):
        pacer.wait()
    assert waits == [1.0, 2.0, 3.0]


def test_a_clock_that_is_set_back_stops_nobody(clock: FixedClock) -> None:
    """An hour back in time costs no hour."""
    pacer = Pacer(timedelta(seconds=1), clock, clock.sleep)
    pacer.wait()
    clock.time -= timedelta(hours=1)
    pacer.wait()
    assert sum(clock.slept) <= 60
