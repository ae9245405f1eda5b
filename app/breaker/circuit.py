"""The circuit of one agent on one repository: closed, open, half-open. Pure.

Values in, values out: ``admit`` asks before a review, ``record`` tells after it,
``force`` is a human's word. The clock and the jitter are arguments; the store
keeps the value with compare-and-set, so that any number of processes share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from app.breaker.explain import trip_sentence
from app.breaker.monitor import Monitor
from app.breaker.probes import ProbeTest, ProbeVerdict
from app.breaker.rules import CircuitRules

RECENT = 10  # outcomes that the sentence for people looks back on


class State(StrEnum):
    """The states; the last three are set by a human alone."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"
    FORCED_CLOSED = "forced_closed"
    DISABLED = "disabled"


class Admission(StrEnum):
    """What a review may be."""

    FULL = "full"
    PROBE = "probe"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished review tells its circuit.

    ``generation`` is that of the circuit when it admitted the review: a late
    word from another generation is ignored. ``counts`` is False for faults of
    the provider or of our own, which say nothing about the agent.
    """

    review_id: str
    generation: int
    reason: str
    hard: float = 0.0
    soft: float = 0.0
    fatal: bool = False
    counts: bool = True
    odds: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The one probe that may run."""

    review_id: str
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A human's word: who, when, why and until when."""

    actor: str
    why: str
    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One change of state, to be kept for ever."""

    at: datetime
    source: State
    target: State
    reason: str
    reading: float
    p0: float
    generation: int  # of the circuit after the transition
    actor: str = "recloser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """Everything that is known about one agent on one repository."""

    state: State = State.CLOSED
    generation: int = 0
    monitor: Monitor = field(default_factory=Monitor)
    recent: tuple[float, ...] = ()
    reason: str = ""
    opened_at: datetime | None = None
    open_until: datetime | None = None
    attempt: int = 0
    test: ProbeTest = field(default_factory=ProbeTest)
    lease: Lease | None = None
    override: Override | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A circuit after a question or a word, and what changed on the way."""

    circuit: Circuit
    admission: Admission = Admission.DENIED
    transition: Transition | None = None


def admit(
    circuit: Circuit, *, review_id: str, now: datetime, rules: CircuitRules
) -> Step:
    """Ask whether the review ``review_id`` may use the agent.

    Asking twice with one id gives the same answer, so that a restarted review
    finds its own lease again.
    """
    circuit, transition = _expire(circuit, now)
    match circuit.state:
        case State.CLOSED | State.FORCED_CLOSED | State.DISABLED:
            return Step(
                circuit=circuit, admission=Admission.FULL, transition=transition
            )
        case State.FORCED_OPEN:
            return Step(circuit=circuit, transition=transition)
        case State.OPEN:
            circuit = _with_sane_clock(circuit, now)
            if circuit.open_until is not None and now < circuit.open_until:
                return Step(circuit=circuit, transition=transition)
            circuit, transition = _move(
                replace(circuit, test=ProbeTest(), lease=None),
                State.HALF_OPEN,
                now,
                "the open period is over; probing",
            )
            return _lease(circuit, transition, review_id, now, rules)
        case State.HALF_OPEN:
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
        return _record_probe(circuit, outcome, now, rules, jitter)
    if circuit.state is not State.CLOSED or not outcome.counts:
        return Step(circuit=circuit)
    score = max(outcome.hard, outcome.soft)
    before = circuit.monitor
    circuit = replace(
        circuit,
        monitor=circuit.monitor.after(outcome.hard, outcome.soft, outcome.odds),
        recent=(*circuit.recent, score)[-RECENT:],
    )
    if outcome.fatal:
        return _open(circuit, outcome.reason, now, rules, jitter, attempt=1)
    if circuit.monitor.reading >= rules.threshold:
        why = trip_sentence(circuit.recent, before.p0, rules)
        return _open(circuit, why, now, rules, jitter, attempt=1)
    return Step(circuit=circuit)


def force(
    circuit: Circuit,
    state: State,
    *,
    actor: str,
    why: str,
    now: datetime,
    until: datetime | None = None,
) -> Step:
    """Set a state by a human's word, or end an override with ``State.CLOSED``."""
    override = None
    if state in (State.FORCED_OPEN, State.FORCED_CLOSED, State.DISABLED):
        override = Override(actor=actor, why=why, since=now, until=until)
    fresh = replace(
        circuit,
        monitor=circuit.monitor.restarted(),
        recent=(),
        attempt=0,
        lease=None,
        override=override,
        opened_at=now if state is State.FORCED_OPEN else None,
        open_until=until,
    )
    moved, transition = _move(fresh, state, now, why, actor)
    return Step(circuit=moved, transition=transition)


def _lease(
    circuit: Circuit,
    transition: Transition | None,
    review_id: str,
    now: datetime,
    rules: CircuitRules,
) -> Step:
    lease = circuit.lease
    longest = timedelta(seconds=rules.lease)
    # A lease that ends further away than a lease lasts was made by a clock that
    # has stepped back since: it must not hold the circuit half-open for ever.
    is_held = lease is not None and now < lease.until <= now + longest
    if lease is not None and is_held and lease.review_id != review_id:
        return Step(circuit=circuit, transition=transition)
    held = replace(circuit, lease=Lease(review_id=review_id, until=now + longest))
    return Step(circuit=held, admission=Admission.PROBE, transition=transition)


def _record_probe(
    circuit: Circuit,
    outcome: Outcome,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
) -> Step:
    if circuit.lease is None or circuit.lease.review_id != outcome.review_id:
        return Step(circuit=circuit)
    circuit = replace(circuit, lease=None)
    if not outcome.counts:
        return Step(circuit=circuit)
    score = 1.0 if outcome.fatal else max(outcome.hard, outcome.soft)
    test = circuit.test.after(score, circuit.monitor.p0)
    circuit = replace(circuit, test=test, recent=(*circuit.recent, score)[-RECENT:])
    if outcome.fatal or test.verdict is ProbeVerdict.REOPEN:
        attempt = circuit.attempt + 1
        return _open(circuit, outcome.reason, now, rules, jitter, attempt=attempt)
    if test.verdict is ProbeVerdict.UNDECIDED:
        return Step(circuit=circuit)
    reason = f"{test.probes} probes: the agent is well again"
    closed = replace(circuit, attempt=0, recent=(), opened_at=None, open_until=None)
    moved, transition = _move(closed, State.CLOSED, now, reason)
    return Step(circuit=moved, transition=transition)


def _open(
    circuit: Circuit,
    reason: str,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
    *,
    attempt: int,
) -> Step:
    period = timedelta(seconds=rules.open_period(attempt, jitter))
    moved, transition = _move(
        replace(circuit, attempt=attempt, opened_at=now, open_until=now + period),
        State.OPEN,
        now,
        reason,
    )
    # The reading that tripped stays in the transition; the circuit starts anew.
    moved = replace(moved, monitor=moved.monitor.restarted(), lease=None)
    return Step(circuit=moved, transition=transition)


def _move(
    circuit: Circuit,
    target: State,
    now: datetime,
    reason: str,
    actor: str = "recloser",
) -> tuple[Circuit, Transition]:
    transition = Transition(
        at=now,
        source=circuit.state,
        target=target,
        reason=reason,
        reading=circuit.monitor.reading,
        p0=circuit.monitor.p0,
        generation=circuit.generation + 1,
        actor=actor,
    )
    moved = replace(
        circuit, state=target, generation=circuit.generation + 1, reason=reason
    )
    return moved, transition


def _expire(circuit: Circuit, now: datetime) -> tuple[Circuit, Transition | None]:
    override = circuit.override
    if override is None or override.until is None or now < override.until:
        return circuit, None
    ended = replace(circuit, override=None, opened_at=None, open_until=None)
    return _move(ended, State.CLOSED, now, f"the override of {override.actor} ended")


def _with_sane_clock(circuit: Circuit, now: datetime) -> Circuit:
    """Return the circuit with its open period moved when the clock stepped back."""
    if circuit.opened_at is None or circuit.open_until is None:
        return circuit
    if now >= circuit.opened_at:
        return circuit
    period = circuit.open_until - circuit.opened_at
    return replace(circuit, opened_at=now, open_until=now + period)
