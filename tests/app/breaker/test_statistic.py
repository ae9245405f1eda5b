"""The trip statistic: its golden vectors and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.breaker.monitor import Monitor
from app.breaker.statistic import Evidence

scores = st.floats(0.0, 1.0)
rates = st.floats(0.01, 0.45)

GOLDEN = {
    100: {0.01: 1, 0.05: 2, 0.10: 3, 0.20: 4, 0.30: 5},
    500: {0.01: 2, 0.05: 3, 0.10: 4, 0.20: 5, 0.30: 6},
    2000: {0.01: 2, 0.05: 3, 0.10: 4, 0.20: 6, 0.30: 8},
}


@pytest.mark.parametrize("threshold", GOLDEN)
def test_failures_in_a_row_to_trip_are_the_golden_ones(threshold: int) -> None:
    """After a healthy stretch, so many failures in a row reach the threshold."""
    for p0, expected in GOLDEN[threshold].items():
        evidence = Evidence()
        for _ in range(200):
            evidence = evidence.after(0.0, p0)
        failures = 0
        while evidence.reading < threshold:
            evidence = evidence.after(1.0, p0)
            failures += 1

        assert expected == failures, f"p0={p0}"


@given(st.lists(scores, max_size=30), scores, rates)
def test_a_worse_review_never_gives_less_evidence(
    past: list[float], score: float, p0: float
) -> None:
    """The reading is monotone in the score of the last review."""
    evidence = Evidence()
    for each in past:
        evidence = evidence.after(each, p0)

    better = evidence.after(score, p0).reading

    assert evidence.after(min(1.0, score + 0.1), p0).reading >= better - 1e-9


@given(rates)
def test_success_alone_never_trips(p0: float) -> None:
    """A thousand clean reviews leave the reading far under any threshold."""
    evidence = Evidence()
    for _ in range(1000):
        evidence = evidence.after(0.0, p0)
        assert evidence.reading < 5.0


def test_a_healthy_agent_does_not_trip_a_learning_monitor() -> None:
    """One failure in twenty, evenly spread, never reaches 500 healthy reviews."""
    monitor = Monitor()
    highest = 0.0
    for number in range(2000):
        monitor = monitor.after(1.0 if number % 20 == 19 else 0.0, 0.0)
        highest = max(highest, monitor.reading)

    assert highest < 500.0
    assert 0.04 < monitor.p0 < 0.09


def test_a_sick_stretch_teaches_the_baseline_nothing() -> None:
    """Failures that trip are dropped when the monitor starts anew."""
    monitor = Monitor()
    for _ in range(100):
        monitor = monitor.after(0.0, 0.0)
    before = monitor.p0
    for _ in range(6):
        monitor = monitor.after(1.0, 0.0)

    assert before == monitor.restarted().p0
