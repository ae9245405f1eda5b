"""How a circuit gets from one state into another. Pure.

Every move makes a new generation and a Transition. Those who decide to move are in
``app.breaker.machine``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from app.breaker.circuit import Circuit, State, Step, Transition
from app.breaker.rules import CircuitRules

RECLOSER = "recloser"  # the actor of every move that no human made


def move(
    circuit: Circuit, target: State, now: datetime, reason: str, actor: str = RECLOSER
) -> tuple[Circuit, Transition]:
    """Return the circuit in ``target`` and the row that says so."""
    generation = circuit.generation + 1
    transition = Transition(
        at=now,
        source=circuit.state,
        target=target,
        reason=reason,
        reading=circuit.monitor.reading,
        p0=circuit.monitor.p0,
        generation=generation,
        volatility=circuit.volatility,
        actor=actor,
    )
    moved = replace(circuit, state=target, generation=generation, reason=reason)
    return moved, transition


def open_circuit(
    circuit: Circuit,
    reason: str,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
    *,
    attempt: int,
) -> Step:
    """Open the circuit for the ``attempt``-th period in a row."""
    period = timedelta(seconds=rules.open_period(attempt, jitter))
    moved, transition = move(circuit, State.OPEN, now, reason)
    # The reading that tripped stays in the transition; the circuit starts anew.
    monitor = circuit.monitor.restarted()
    moved = replace(
        moved,
        attempt=attempt,
        opened_at=now,
        open_until=now + period,
        monitor=monitor,
        origin=monitor,
        streak=0,
        lease=None,
    )
    return Step(circuit=moved, transition=transition)


def close_circuit(circuit: Circuit, reason: str, now: datetime) -> Step:
    """Close the circuit after its closing test."""
    moved, transition = move(circuit, State.CLOSED, now, reason)
    closed = replace(
        moved,
        origin=circuit.monitor,
        attempt=0,
        recent=(),
        sources=(),
        streak=0,
        opened_at=None,
        open_until=None,
    )
    return Step(circuit=closed, transition=transition)


def expire(circuit: Circuit, now: datetime) -> tuple[Circuit, Transition | None]:
    """End a human's override whose time is over."""
    override = circuit.override
    if override is None or override.until is None or now < override.until:
        return circuit, None
    ended = replace(circuit, override=None, opened_at=None, open_until=None)
    return move(ended, State.CLOSED, now, f"the override of {override.actor} ended")


def with_sane_clock(circuit: Circuit, now: datetime) -> Circuit:
    """Return the circuit with its open period moved when the clock stepped back."""
    if circuit.opened_at is None or circuit.open_until is None:
        return circuit
    if now >= circuit.opened_at:
        return circuit
    period = circuit.open_until - circuit.opened_at
    return replace(circuit, opened_at=now, open_until=now + period)
