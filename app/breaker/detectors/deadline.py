"""Refuse every action after the deadline of the review.

Threat: an agent that hangs or crawls while a pull request waits. The clock is the
review's own; a step that never asks again is ended by whoever runs the agent.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import Objection
from app.breaker.fuse import Limits, Question
from app.breaker.history import History


@dataclass(frozen=True, slots=True)
class Deadline:
    """Wall clock of one review."""

    name: str = "deadline"

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Object when the review is older than its deadline."""
        if question.at <= limits.deadline:
            return None
        reason = f"{question.at:.0f} s passed, {limits.deadline:.0f} s allowed"
        return Objection(detector=self.name, reason=reason)
