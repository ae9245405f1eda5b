"""What is counted, and under which names Prometheus finds it."""

from __future__ import annotations

from datetime import UTC, datetime

from app.breaker.circuit import State, Transition
from app.telemetry.metrics import Metrics

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def transition(source: State, target: State) -> Transition:
    return Transition(
        at=NOW,
        source=source,
        target=target,
        reason="x",
        reading=1.0,
        p0=0.1,
        generation=2,
    )


def lines(metrics: Metrics) -> list[str]:
    return metrics.text().decode().splitlines()


def test_a_circuit_is_in_exactly_one_state() -> None:
    """The state that is read at the scrape is 1, all others are 0."""
    metrics = Metrics()
    metrics.circuits(lambda: [("o/r", "builtin", State.HALF_OPEN)])
    states = {
        line.split('state="')[1].split('"')[0]: float(line.split()[-1])
        for line in lines(metrics)
        if line.startswith("recloser_circuit_state{")
    }
    assert states == {each.value: float(each is State.HALF_OPEN) for each in State}


def test_only_an_opening_by_itself_is_a_trip() -> None:
    """A human's word and a recovery are none."""
    metrics = Metrics()
    for source, target in (
        (State.CLOSED, State.OPEN),
        (State.HALF_OPEN, State.OPEN),
        (State.OPEN, State.HALF_OPEN),
        (State.HALF_OPEN, State.CLOSED),
        (State.CLOSED, State.FORCED_OPEN),
    ):
        metrics.transition("o/r", "builtin", transition(source, target))
    trips = 'recloser_trips_total{agent="builtin",repository="o/r"} 2.0'
    assert trips in lines(metrics)


def test_a_review_and_what_was_refused_in_it() -> None:
    """By conclusion, by situation and by detector."""
    metrics = Metrics()
    metrics.reviewed("action_required", "fuse_blown", ["budget", "budget", "deadline"])
    found = lines(metrics)
    labels = 'conclusion="action_required",situation="fuse_blown"'
    assert f"recloser_reviews_total{{{labels}}} 1.0" in found
    assert 'recloser_refusals_total{detector="budget"} 2.0' in found
    assert 'recloser_refusals_total{detector="deadline"} 1.0' in found


def test_steps_and_the_queue() -> None:
    """Seconds of steps are a histogram, the age is asked for at each scrape."""
    metrics = Metrics()
    metrics.step("review", 0.2)
    ages = iter([3.0, 4.0])
    metrics.queue_age(lambda: next(ages))
    found = lines(metrics)
    assert 'recloser_step_seconds_bucket{le="0.25",step="review"} 1.0' in found
    assert "recloser_inbox_oldest_pending_seconds 3.0" in found
    assert "recloser_inbox_oldest_pending_seconds 4.0" in lines(metrics)


def test_two_apps_count_apart() -> None:
    """Nothing is shared between two of them."""
    one, other = Metrics(), Metrics()
    one.delivered("stored", 0.01)
    assert 'recloser_deliveries_total{result="stored"} 1.0' in lines(one)
    assert not any("stored" in line for line in lines(other))
