"""Refuse to repair one artifact for ever: after n refused attempts a human gets it.

Threat: correct, scan, fail, correct again (the endless repair loop). Counted are
proposals to one path that were refused; other paths are not touched by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import Objection, Proposal
from app.breaker.fuse import Limits, Question
from app.breaker.history import History


@dataclass(frozen=True, slots=True)
class Bailout:
    """Refused proposals per artifact."""

    name: str = "bailout"

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Object to a proposal after ``repairs`` refused ones to the same path."""
        action = question.action
        if not isinstance(action, Proposal):
            return None
        attempts = history.attempts.get(action.path, 0)
        if attempts < limits.repairs:
            return None
        reason = f"{attempts} attempts on {action.path[:120]} were refused"
        return Objection(detector=self.name, reason=reason)
