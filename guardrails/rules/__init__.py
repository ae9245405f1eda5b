"""The registry of rules: a visible tuple, in the order they run."""

from __future__ import annotations

from guardrails.rules.base import Rule
from guardrails.rules.credentials import HardCodedCredentials
from guardrails.rules.secrets import Secrets

RULES: tuple[Rule, ...] = (Secrets(), HardCodedCredentials())

__all__ = ["RULES", "Rule"]
