"""The fuse: the hard limits of one review, asked before every action. Pure.

A detector sees the action and the history and objects or does not. The first
final objection blows the fuse: from then on every action is refused, whatever the
agent does with the answer. A detector that crashes refuses too (fail closed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from app.breaker.actions import (
    Action,
    Objection,
    Permit,
    Refusal,
    Ruling,
    Settlement,
)
from app.breaker.ground import Ground
from app.breaker.history import History, signature
from app.breaker.intent import Intent, intent_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one review; the defaults are those of an empty config."""

    tokens: int = 200_000
    cost_usd: float = 2.00
    deadline: float = 600.0  # seconds
    repeats: int = 3
    repairs: int = 3
    tools: tuple[str, ...] = ("read_file", "search", "list_files", "propose_change")
    models: tuple[str, ...] = ()  # empty: any
    intents: int = 4  # equal intents in a window of eight; one less is noted
    entropy_floor: float = 0.25  # of the last five signatures, normalised to [0, 1]
    periods: int = 3  # rounds of a repeating pattern (A-B-A-B-A-B)
    delegations: int = 5  # deep
    reasoning_tokens: int = 8_000  # of one action
    drift: float = 0.85  # share of cited places that do not exist
    step_seconds: float = 60.0  # that one action is expected to take, at most


@dataclass(slots=True, kw_only=True)
class Question:
    """What a detector is asked: one action, its signature, its time, its ground.

    The intent is worked out when the first detector asks for it.
    """

    action: Action
    signature: str
    at: float  # seconds since the review began
    ground: Ground = field(default_factory=Ground)
    known_intent: Intent | None = field(default=None, repr=False, compare=False)

    @property
    def intent(self) -> Intent:
        """Return what the action wants, in a form that can be compared."""
        if self.known_intent is None:
            self.known_intent = intent_of(self.action)
        return self.known_intent


class Detector(Protocol):
    """One rule of the fuse."""

    @property
    def name(self) -> str:
        """Return the stable name that refusals, metrics and people use."""

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Return what speaks against the action, ``None`` where nothing does."""


class Fuse:
    """Judges the actions of one review."""

    def __init__(
        self,
        limits: Limits,
        detectors: Sequence[Detector],
        *,
        ground: Ground | None = None,
    ) -> None:
        self.limits = limits
        self.ground = ground if ground is not None else Ground()
        self.history = History()
        self.blown: Objection | None = None
        self._detectors = tuple(detectors)

    def judge(self, action: Action, at: float) -> Ruling:
        """Say whether ``action`` may happen ``at`` seconds into the review."""
        mark = signature(action)
        if self.blown is not None:
            self.history.add(action, mark, at, self.blown)
            return Refusal(objection=self.blown, is_final=True)
        question = Question(action=action, signature=mark, at=at, ground=self.ground)
        for detector in self._detectors:
            objection = self._ask(detector, question)
            if objection is None:
                continue
            if not objection.hard and not objection.refuses_only:
                self.history.soft.append(objection)
                continue
            self.history.add(action, mark, at, objection)
            return self._refusal(objection)
        record = self.history.add(action, mark, at, None, question.known_intent)
        return Permit(number=record.number)

    def refuse(self, permit: Permit, objection: Objection) -> Refusal:
        """Turn a permit into a refusal: the guardrails saw what the fuse cannot."""
        self.history.refuse(permit.number, objection)
        return self._refusal(objection)

    def settle(self, permit: Permit, settlement: Settlement) -> None:
        """Tell what a permitted action really did."""
        self.history.settle(permit.number, settlement)

    def _refusal(self, objection: Objection) -> Refusal:
        is_final = objection.fatal or not objection.refuses_only
        if is_final:
            self.blown = objection
        return Refusal(objection=objection, is_final=is_final)

    def _ask(self, detector: Detector, question: Question) -> Objection | None:
        try:
            objection = detector.inspect(question, self.history, self.limits)
        except Exception as error:  # a broken guard must not wave anything through
            reason = f"the detector itself failed: {type(error).__name__}"
            return Objection(detector=detector.name, reason=reason)
        if objection is not None and not objection.detector:
            return replace(objection, detector=detector.name)
        return objection
