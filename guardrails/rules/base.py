"""The shape of a rule. Pure: a rule reads values and yields values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from guardrails.model import ChangeSet, Finding, Gap
from guardrails.policy import Policy


class Rule(Protocol):
    """One rule: an id that never changes and one question about a ChangeSet."""

    @property
    def id(self) -> str:
        """Return the stable id that findings, docs and people use."""

    def evaluate(
        self, change_set: ChangeSet, policy: Policy
    ) -> Iterator[Finding | Gap]:
        """Yield what is wrong, and what could not be judged."""
