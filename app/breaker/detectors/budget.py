"""Refuse a model call that could cross the budget, before it is made.

Threat: an agent that spends first and is counted afterwards (A05: 16 M tokens in
five minutes). What counts is the projection: spent so far + the tokens of the
prompt + the most that the answer may have. Settled calls count what they cost.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import ModelCall, Objection
from app.breaker.fuse import Limits, Question
from app.breaker.history import History


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens and dollars of one review."""

    name: str = "budget"

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Object when spent plus projected is over a limit."""
        action = question.action
        if not isinstance(action, ModelCall):
            return None
        tokens = history.tokens + action.prompt_tokens + action.max_output_tokens
        if tokens > limits.tokens:
            reason = f"{tokens:,} tokens projected, {limits.tokens:,} allowed"
            return Objection(detector=self.name, reason=reason)
        cost = history.cost_usd + action.projected_usd
        if cost > limits.cost_usd:
            reason = f"${cost:.2f} projected, ${limits.cost_usd:.2f} allowed"
            return Objection(detector=self.name, reason=reason)
        return None
