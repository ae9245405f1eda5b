"""What one review has done so far, kept so that each question is O(window). Pure.

The history is the one mutable value of the breaker: it belongs to one review and
one fuse, and grows with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from app.breaker.actions import (
    Action,
    Delegation,
    ModelCall,
    Objection,
    Proposal,
    Publication,
    Settlement,
    ToolCall,
    digest,
)
from app.breaker.intent import Intent, intent_of

WINDOW = 8  # actions that the loop detectors look back on


@dataclass(slots=True)
class Record:
    """One action that was asked for, and what became of it."""

    number: int
    action: Action
    signature: str
    at: float  # seconds since the review began
    objection: Objection | None = None
    settlement: Settlement | None = None
    known_intent: Intent | None = None

    @property
    def intent(self) -> Intent:
        """Return what the action wanted, in a form that can be compared."""
        if self.known_intent is None:
            self.known_intent = intent_of(self.action)
        return self.known_intent

    @property
    def happened(self) -> bool:
        """Tell whether the action was allowed to happen."""
        return self.objection is None


class History:
    """All actions of one review, and the running sums over them."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.tokens = 0  # settled, or projected where not settled yet
        self.cost_usd = 0.0
        self.soft: list[Objection] = []
        self.attempts: dict[str, int] = {}  # refused proposals per artifact
        self.tally: dict[str, float] = {}  # running sums that detectors keep
        self._window: deque[Record] = deque(maxlen=WINDOW)

    def window(self) -> Iterator[Record]:
        """Yield the last actions that happened, newest first."""
        return reversed(self._window)

    def add(
        self,
        action: Action,
        signature: str,
        at: float,
        objection: Objection | None,
        intent: Intent | None = None,
    ) -> Record:
        """Keep one action and its ruling."""
        number = len(self.records)
        record = Record(number, action, signature, at, objection, None, intent)
        self.records.append(record)
        if objection is None:
            self._window.append(record)
            if isinstance(action, ModelCall):
                self.tokens += action.prompt_tokens + action.max_output_tokens
                self.cost_usd += action.projected_usd
        return record

    def refuse(self, number: int, objection: Objection) -> None:
        """Take back a permit that a later judge (the guardrails) refused."""
        self.records[number].objection = objection
        action = self.records[number].action
        if isinstance(action, Proposal):
            self.attempts[action.path] = self.attempts.get(action.path, 0) + 1

    def settle(self, number: int, settlement: Settlement) -> None:
        """Replace the projection of an action by what it really cost."""
        record = self.records[number]
        if record.settlement is not None:
            return
        record.settlement = settlement
        if isinstance(record.action, ModelCall):
            projected = record.action.prompt_tokens + record.action.max_output_tokens
            self.tokens += settlement.tokens - projected
            self.cost_usd += settlement.cost_usd - record.action.projected_usd


def signature(action: Action) -> str:
    """Return a digest that is equal for structurally equal actions.

    The order of a tool's arguments is nothing. A model call without a digest
    of its messages is never equal to another.
    """
    match action:
        case ModelCall():
            return f"model:{action.model}:{action.digest}" if action.digest else ""
        case ToolCall():
            return f"tool:{action.tool}:{digest(action.arguments)}"
        case Proposal():
            where = [action.path, action.start_line, action.end_line]
            return f"proposal:{digest([*where, action.replacement])}"
        case Delegation():
            intent = digest(action.intent)
            return f"delegation:{action.source}>{action.target}:{intent}"
        case Publication():
            return f"publication:{digest([action.path, action.line, action.body])}"
