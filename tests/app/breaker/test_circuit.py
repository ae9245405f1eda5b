"""The circuit's states and how it moves between them."""

from __future__ import annotations

from datetime import timedelta

from app.breaker import (
    Admission,
    Circuit,
    CircuitRules,
    State,
    admit,
)
from tests.app.breaker.builders import (
    NOON,
    RULES,
    failed,
    probing,
    told,
    tripped,
)


def test_a_new_circuit_lets_the_agent_review() -> None:
    """A new circuit is closed."""
    step = admit(Circuit(), review_id="r", now=NOON, rules=RULES)

    assert Admission.FULL is step.admission
    assert step.transition is None


def test_failures_in_a_row_open_the_circuit_and_say_why() -> None:
    """The sentence of the trip tells what failed and what is normal."""
    circuit = failed(Circuit(), times=20)

    assert State.OPEN is circuit.state
    assert "of the last" in circuit.reason
    assert "at most once in 500 reviews" in circuit.reason


def test_one_failure_does_not_open_the_circuit() -> None:
    """A single failure is what healthy agents have."""
    assert State.CLOSED is failed(Circuit(), times=1).state


def test_a_fatal_outcome_opens_at_once() -> None:
    """A security violation needs no statistics."""
    step = told(Circuit(), hard=1.0, fatal=True, reason="harm")

    assert State.OPEN is step.circuit.state
    assert step.transition is not None
    assert step.transition.reason == "harm"
    assert step.circuit.generation == 1


def test_faults_of_the_provider_do_not_count() -> None:
    """Infrastructure says nothing about the agent."""
    circuit = Circuit()
    for _ in range(50):
        circuit = told(circuit, hard=1.0, counts=False).circuit

    assert Circuit() == circuit


def test_an_open_circuit_denies_until_its_period_is_over() -> None:
    """Five minutes, of which at least half always pass."""
    circuit = tripped()

    assert Admission.DENIED is probing(circuit, "r", at=149).admission
    assert Admission.PROBE is probing(circuit, "r", at=151).admission


def test_only_one_probe_runs_at_a_time() -> None:
    """The second asker is denied while the lease is held."""
    first = probing(tripped(), "one", at=400)
    second = probing(first.circuit, "two", at=401)

    assert Admission.PROBE is first.admission
    assert Admission.DENIED is second.admission


def test_a_restarted_probe_finds_its_own_lease() -> None:
    """Asking again under the same id is answered the same."""
    first = probing(tripped(), "one", at=400)

    assert Admission.PROBE is probing(first.circuit, "one", at=402).admission


def test_a_lost_probe_does_not_hold_the_circuit_for_ever() -> None:
    """After the lease another review may probe."""
    first = probing(tripped(), "one", at=400)
    second = probing(first.circuit, "two", at=400 + RULES.lease + 1)

    assert Admission.PROBE is second.admission


def test_five_clean_probes_in_a_row_close_the_circuit() -> None:
    """1/2 to the fifth is under 1/19; four are not enough."""
    circuit = tripped()
    for number in range(5):
        assert circuit.state is not State.CLOSED, number
        circuit = probing(circuit, f"p{number}", at=400 + number).circuit
        circuit = told(circuit, review_id=f"p{number}", at=400 + number).circuit

    assert State.CLOSED is circuit.state
    assert circuit.attempt == 0


def test_failed_probes_reopen_for_twice_as_long() -> None:
    """The period doubles with each attempt."""
    circuit = tripped()
    first = circuit.open_until
    number = 0
    while circuit.state is not State.OPEN or circuit.attempt == 1:
        circuit = probing(circuit, f"p{number}", at=400 + number).circuit
        step = told(
            circuit, review_id=f"p{number}", at=400 + number, hard=1.0, reason="bad"
        )
        circuit = step.circuit
        number += 1

    assert circuit.attempt == 2
    assert first is not None
    assert circuit.open_until is not None
    assert circuit.opened_at is not None
    assert 2 * (first - NOON) == circuit.open_until - circuit.opened_at


def test_a_late_word_of_an_older_generation_is_ignored() -> None:
    """A review that began before the trip cannot close or trip anything."""
    old = Circuit()
    circuit = tripped()

    step = told(circuit, generation=old.generation, hard=1.0, fatal=True)

    assert circuit == step.circuit


def test_a_probe_without_the_lease_tells_nothing() -> None:
    """Only the leased probe counts."""
    circuit = probing(tripped(), "one", at=400).circuit

    assert circuit == told(circuit, review_id="other", at=401).circuit


def test_a_clock_that_steps_back_does_not_keep_the_circuit_open() -> None:
    """The open period is counted from the new present."""
    circuit = tripped()
    hour_before = NOON - timedelta(hours=1)

    step = admit(circuit, review_id="r", now=hour_before, rules=RULES)
    assert Admission.DENIED is step.admission
    soon = hour_before + timedelta(seconds=301)
    again = admit(step.circuit, review_id="r", now=soon, rules=RULES)

    assert Admission.PROBE is again.admission


def test_a_lease_from_the_future_is_not_honoured() -> None:
    """A lease made before the clock stepped back does not block for hours."""
    held = probing(tripped(), "one", at=100_000)

    assert Admission.PROBE is probing(held.circuit, "two", at=400).admission


def test_a_clock_that_is_a_little_behind_gets_no_second_probe() -> None:
    """Two machines never agree to the millisecond, and a question may wait its turn."""
    held = probing(tripped(), "one", at=400)

    assert Admission.DENIED is probing(held.circuit, "two", at=399.5).admission


def test_a_transition_shows_the_reading_that_tripped() -> None:
    """The row says how strong the evidence was, not how it is after the restart."""
    circuit = Circuit()
    for _ in range(9):
        step = told(circuit, hard=1.0, reason="failed")
        circuit = step.circuit
        if step.transition is not None:
            break

    assert step.transition is not None
    assert step.transition.reading >= RULES.threshold
    assert circuit.monitor.reading == 0.0


def test_another_first_guess_keeps_what_was_learned() -> None:
    """The prior moves, the counts stay, and so does the evidence."""
    circuit = told(told(Circuit(), soft=1.0).circuit).circuit

    moved = circuit.anchored(0.25, 0.7)

    assert moved.monitor.reading == circuit.monitor.reading
    assert moved.monitor.p0 > circuit.monitor.p0
    assert moved.anchored(0.10, None) == circuit
    assert moved.anchored(0.25, 0.7) is moved


def test_high_stakes_trip_sooner_than_low_ones() -> None:
    """Stakes move the threshold, never the baseline."""
    high, low = CircuitRules(stakes="high"), CircuitRules(stakes="low")

    assert high.threshold == 125.0
    assert low.threshold == 1000.0
