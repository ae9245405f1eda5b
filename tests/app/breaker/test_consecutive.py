"""The mode that most breakers have: failures in a row."""

from __future__ import annotations

from app.breaker import Circuit, CircuitRules, State, TripMode, admit, record
from tests.app.breaker.builders import NOON, later, outcome

CONSECUTIVE = CircuitRules(mode=TripMode.CONSECUTIVE, failure_threshold=3)


def in_a_row(circuit: Circuit, *scores: float) -> Circuit:
    """Tell a circuit outcomes under the rules that count failures in a row."""
    for score in scores:
        each = outcome(circuit, hard=score)
        step = record(circuit, each, now=NOON, rules=CONSECUTIVE, jitter=0.9)
        circuit = step.circuit
    return circuit


def test_failures_in_a_row_trip_when_a_repository_wants_that() -> None:
    """A success in between starts the count anew."""
    assert State.CLOSED is in_a_row(Circuit(), 1, 1, 0, 1, 1).state
    circuit = in_a_row(Circuit(), 1, 1, 0, 1, 1, 1)

    assert State.OPEN is circuit.state
    assert circuit.reason == "3 reviews in a row failed."


def test_the_open_period_of_counted_failures_is_always_the_same() -> None:
    """No doubling, no jitter: what the setting says."""
    circuit = in_a_row(Circuit(), 1, 1, 1)

    assert circuit.open_until == later(CONSECUTIVE.recovery_timeout)


def test_counted_probes_close_and_one_failed_one_opens() -> None:
    """Three clean ones in a row, as the setting says."""
    circuit = in_a_row(Circuit(), 1, 1, 1)
    for number, score in enumerate((0.0, 0.0, 1.0)):
        at = later(100 + number)
        asked = admit(circuit, review_id="p", now=at, rules=CONSECUTIVE)
        word = outcome(asked.circuit, "p", hard=score)
        circuit = record(
            asked.circuit, word, now=at, rules=CONSECUTIVE, jitter=0.0
        ).circuit
    assert State.OPEN is circuit.state

    for number in range(3):
        at = later(500 + number)
        asked = admit(circuit, review_id="p", now=at, rules=CONSECUTIVE)
        word = outcome(asked.circuit, "p")
        circuit = record(
            asked.circuit, word, now=at, rules=CONSECUTIVE, jitter=0.0
        ).circuit
    assert State.CLOSED is circuit.state
