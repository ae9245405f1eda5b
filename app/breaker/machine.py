"""The machine of a circuit: closed, open, half-open. Pure.

Values in, values out: ``admit`` asks before a review, ``record`` tells after it,
``force`` is a human's word. The clock and the jitter are arguments; the store
keeps the value with compare-and-set, so that any number of processes share it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from app.breaker.circuit import (
    ADMITTING,
    FORCED,
    RECENT,
    Admission,
    Circuit,
    Lease,
    Outcome,
    Override,
    State,
    Step,
    Transition,
)
from app.breaker.explain import streak_sentence, trip_sentence
from app.breaker.moves import (
    close_circuit,
    expire,
    move,
    open_circuit,
    with_sane_clock,
)
from app.breaker.probes import ProbeTest, ProbeVerdict
from app.breaker.risk import stratum
from app.breaker.rules import CircuitRules


def admit(
    circuit: Circuit, *, review_id: str, now: datetime, rules: CircuitRules
) -> Step:
    """Ask whether the review ``review_id`` may use the agent.

    Asking twice with one id gives the same answer, so that a restarted review
    finds its own lease again.
    """
    circuit, transition = expire(circuit, now)
    if circuit.state in ADMITTING:
        return Step(circuit=circuit, admission=Admission.FULL, transition=transition)
    if circuit.state is State.FORCED_OPEN:
        return Step(circuit=circuit, transition=transition)
    if circuit.state is State.OPEN:
        circuit = with_sane_clock(circuit, now)
        if circuit.open_until is not None and now < circuit.open_until:
            return Step(circuit=circuit, transition=transition)
        fresh = replace(circuit, test=ProbeTest(), lease=None)
        reason = "the open period is over; probing"
        circuit, transition = move(fresh, State.HALF_OPEN, now, reason)
    return _lease(circuit, transition, review_id, now, rules)


def record(
    circuit: Circuit,
    outcome: Outcome,
    *,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
) -> Step:
    """Tell the circuit how a review ended.

    Args:
        circuit: the circuit as it is now.
        outcome: what the review tells.
        now: the current time.
        rules: thresholds and periods.
        jitter: a draw from [0, 1) for the open period.
    """
    if outcome.generation != circuit.generation:
        return Step(circuit=circuit)
    if circuit.state is State.HALF_OPEN:
        p0 = circuit.monitor.p0
        return record_probe(
            circuit, outcome, p0=p0, now=now, rules=rules, jitter=jitter
        )
    if circuit.state is not State.CLOSED or not outcome.counts:
        return Step(circuit=circuit)
    after = learn(circuit, outcome)
    why = outcome.reason if outcome.fatal else trip_reason(after, circuit, rules)
    if why is None:
        return Step(circuit=after)
    return open_circuit(after, why, now, rules, jitter, attempt=1)


def force(
    circuit: Circuit,
    state: State,
    *,
    actor: str,
    why: str,
    now: datetime,
    until: datetime | None = None,
) -> Step:
    """Set a state by a human's word, or end an override with ``State.CLOSED``.

    Args:
        circuit: the circuit as it is now.
        state: one of the forced states, or closed.
        actor: who says so.
        why: the reason, for people.
        now: the current time.
        until: when the word ends by itself; ``None``: when somebody ends it.
    """
    override = None
    if state in FORCED:
        override = Override(actor=actor, why=why, since=now, until=until)
    moved, transition = move(circuit, state, now, why, actor)
    monitor = circuit.monitor.restarted()
    fresh = replace(
        moved,
        monitor=monitor,
        origin=monitor,
        recent=(),
        sources=(),
        streak=0,
        attempt=0,
        lease=None,
        override=override,
        opened_at=now if state is State.FORCED_OPEN else None,
        open_until=until if state is State.FORCED_OPEN else None,
    )
    return Step(circuit=fresh, transition=transition)


def learn(circuit: Circuit, outcome: Outcome) -> Circuit:
    """Return a closed circuit after one more outcome that counts."""
    which = None
    if outcome.confidence is not None and outcome.lines is not None:
        which = stratum(outcome.confidence, outcome.lines)
    return replace(
        circuit,
        monitor=circuit.monitor.after(outcome.hard, outcome.soft, which),
        recent=(*circuit.recent, outcome.score)[-RECENT:],
        streak=circuit.streak + 1 if outcome.score >= 0.5 else 0,
    )


def trip_reason(after: Circuit, before: Circuit, rules: CircuitRules) -> str | None:
    """Return why the circuit ``after`` has to open, ``None`` when it has not."""
    if not rules.is_adaptive:
        is_tripped = after.streak >= rules.failure_threshold
        return streak_sentence(after.streak) if is_tripped else None
    if after.monitor.reading < rules.threshold:
        return None
    return trip_sentence(after.recent, before.monitor.p0, rules)


def _lease(
    circuit: Circuit,
    transition: Transition | None,
    review_id: str,
    now: datetime,
    rules: CircuitRules,
) -> Step:
    lease = circuit.lease
    longest = timedelta(seconds=rules.lease)
    # A lease that ends further away than two of them last was made by a clock that
    # has stepped back since: it must not hold the circuit half-open for ever. One
    # that ends a little later is that of a process whose clock is ahead, or that
    # took its time after it was asked.
    is_held = lease is not None and now < lease.until <= now + 2 * longest
    if lease is not None and is_held and lease.review_id != review_id:
        return Step(circuit=circuit, transition=transition)
    held = replace(circuit, lease=Lease(review_id=review_id, until=now + longest))
    return Step(circuit=held, admission=Admission.PROBE, transition=transition)


def record_probe(
    circuit: Circuit,
    outcome: Outcome,
    *,
    p0: float,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
) -> Step:
    """Tell a half-open circuit how its probe ended.

    Args:
        circuit: the circuit as it is now.
        outcome: what the probe tells; of another review than the leased one: nothing.
        p0: the share of such reviews that a healthy agent fails, in (0, 1).
        now: the current time.
        rules: thresholds and periods.
        jitter: a draw from [0, 1) for the open period.
    """
    if circuit.lease is None or circuit.lease.review_id != outcome.review_id:
        return Step(circuit=circuit)
    circuit = replace(circuit, lease=None)
    if not outcome.counts:
        return Step(circuit=circuit)
    score = 1.0 if outcome.fatal else outcome.score
    test = circuit.test.after(score, p0)
    circuit = replace(circuit, test=test, recent=(*circuit.recent, score)[-RECENT:])
    verdict = test.verdict(rules)
    if outcome.fatal or verdict is ProbeVerdict.REOPEN:
        attempt = circuit.attempt + 1
        return open_circuit(
            circuit, outcome.reason, now, rules, jitter, attempt=attempt
        )
    if verdict is ProbeVerdict.UNDECIDED:
        return Step(circuit=circuit)
    count = f"{test.probes} probe{'s' if test.probes != 1 else ''}"
    reason = f"{count}: it is well again"
    return close_circuit(circuit, reason, now)
