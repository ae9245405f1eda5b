"""The values of a circuit: its states, what it is told and what it says. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from app.breaker.monitor import Monitor
from app.breaker.probes import ProbeTest

RECENT = 10  # outcomes that the sentence for people looks back on


class State(StrEnum):
    """The states; the last three are set by a human alone."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    FORCED_OPEN = "forced_open"
    FORCED_CLOSED = "forced_closed"
    DISABLED = "disabled"


#: The states in which every review may use the agent.
ADMITTING = frozenset({State.CLOSED, State.FORCED_CLOSED, State.DISABLED})
#: The states that only a human sets and that he may end.
FORCED = frozenset({State.FORCED_OPEN, State.FORCED_CLOSED, State.DISABLED})


class Admission(StrEnum):
    """What a review may be."""

    FULL = "full"
    PROBE = "probe"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished review tells its circuit.

    Args:
        review_id: the review.
        generation: that of the circuit when it admitted the review: a late word
            from another generation changes no state.
        reason: what happened, for people.
        hard: hard failure score in [0, 1].
        soft: soft failure score in [0, 1].
        fatal: trips at once.
        counts: False for faults of the provider or of our own, which say nothing
            about the agent.
        confidence: what the agent stated, in [0, 1]; ``None``: nothing.
        lines: changed lines of the review; ``None``: not known.
    """

    review_id: str
    generation: int
    reason: str
    hard: float = 0.0
    soft: float = 0.0
    fatal: bool = False
    counts: bool = True
    confidence: float | None = None
    lines: int | None = None

    @property
    def score(self) -> float:
        """Return how far the review failed, hard or soft, in [0, 1]."""
        return max(self.hard, self.soft)


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
    volatility: float | None = None  # V of the repository in [0, 1], where known
    actor: str = "recloser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """Everything that is known about one agent on one repository.

    ``origin`` is the monitor as it was when this generation began, so that late
    evidence can be heard as if it had come in time (see ``app.breaker.amend``).
    ``streak`` counts failures in a row for the mode ``consecutive``. ``sources``
    names where each of ``recent`` came from, in circuits over many repositories.
    """

    state: State = State.CLOSED
    generation: int = 0
    monitor: Monitor = field(default_factory=Monitor)
    origin: Monitor = field(default_factory=Monitor)
    recent: tuple[float, ...] = ()
    sources: tuple[str, ...] = ()
    streak: int = 0
    reason: str = ""
    opened_at: datetime | None = None
    open_until: datetime | None = None
    attempt: int = 0
    test: ProbeTest = field(default_factory=ProbeTest)
    lease: Lease | None = None
    override: Override | None = None
    volatility: float | None = None

    def anchored(self, prior_mean: float, volatility: float | None) -> Circuit:
        """Return the circuit with another first guess of the failure rate.

        Args:
            prior_mean: what a healthy agent fails here before anything was seen.
            volatility: V of the repository in [0, 1], where it is known.
        """
        known = self.monitor.any.baseline.prior_mean
        if abs(known - prior_mean) < 1e-9 and self.volatility == volatility:
            return self
        return replace(
            self,
            monitor=self.monitor.anchored(prior_mean),
            origin=self.origin.anchored(prior_mean),
            volatility=volatility,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A circuit after a question or a word, and what changed on the way."""

    circuit: Circuit
    admission: Admission = Admission.DENIED
    transition: Transition | None = None
