"""The registry of rules: a visible tuple, in the order they run."""

from __future__ import annotations

from guardrails.rules.base import Rule

RULES: tuple[Rule, ...] = ()

__all__ = ["RULES", "Rule"]
