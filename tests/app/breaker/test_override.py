"""A human's word over a circuit: who, why, until when."""

from __future__ import annotations

from app.breaker import Admission, Circuit, State, force
from tests.app.breaker.builders import NOON, later, probing, told


def test_a_human_can_force_the_circuit_open_until_a_time() -> None:
    """The override tells who and why, and ends by itself."""
    until = later(60)
    step = force(
        Circuit(), State.FORCED_OPEN, actor="kim", why="audit", now=NOON, until=until
    )

    assert step.transition is not None
    assert step.transition.actor == "kim"
    assert Admission.DENIED is probing(step.circuit, "r", at=59).admission
    ended = probing(step.circuit, "r", at=61)
    assert Admission.FULL is ended.admission
    assert State.CLOSED is ended.circuit.state


def test_a_human_word_without_an_end_stands() -> None:
    """What nobody ends is not ended by time."""
    step = force(Circuit(), State.DISABLED, actor="kim", why="migration", now=NOON)

    later_on = probing(step.circuit, "r", at=10**7)

    assert Admission.FULL is later_on.admission
    assert State.DISABLED is later_on.circuit.state


def test_an_outcome_tells_a_forced_circuit_nothing() -> None:
    """Neither harm nor success moves what a human has set."""
    for state in (State.FORCED_CLOSED, State.FORCED_OPEN, State.DISABLED):
        circuit = force(Circuit(), state, actor="kim", why="w", now=NOON).circuit

        assert told(circuit, hard=1.0, fatal=True).circuit == circuit


def test_the_end_of_an_override_forgets_the_open_period() -> None:
    """What was forced open and is closed again does not probe first."""
    opened = force(Circuit(), State.FORCED_OPEN, actor="kim", why="w", now=NOON)

    closed = force(opened.circuit, State.CLOSED, actor="lee", why="done", now=NOON)

    assert closed.circuit.override is None
    assert Admission.FULL is probing(closed.circuit, "r", at=1).admission
    assert closed.transition is not None
    assert closed.transition.actor == "lee"
