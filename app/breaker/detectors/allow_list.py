"""Refuse a tool or model that is not on the list.

Threat: an agent talked into a tool it was never given (shell, network, merge).
First of all detectors: nothing else is asked about a tool that may not run. An
attempt blows the fuse, for a healthy agent only knows the tools it was handed.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import ModelCall, Objection, ToolCall
from app.breaker.fuse import Limits, Question
from app.breaker.history import History


@dataclass(frozen=True, slots=True)
class AllowList:
    """Tools, and models where the limits name any."""

    name: str = "allow-list"

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Object to everything that is not listed."""
        action = question.action
        if isinstance(action, ToolCall) and action.tool not in limits.tools:
            reason = f"the tool {action.tool[:60]!r} is not on the list"
            return Objection(detector=self.name, reason=reason)
        if (
            isinstance(action, ModelCall)
            and limits.models
            and action.model not in limits.models
        ):
            reason = f"the model {action.model[:60]!r} is not on the list"
            return Objection(detector=self.name, reason=reason)
        return None
