"""shrink: a long file keeps too few of its words.

Threat: an agent "tidies" a file and throws most of it away. HIGH for an agent's
change, MEDIUM for a human's, who is only told; a cut that cannot be meant is for
truncation. A removed file is for mass-deletion.
Limits: words that moved to other files of the change count as kept; words that
were replaced by as many others are for rewrite. Files below ``shrink_words`` words
are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.paths import is_locked
from guardrails.rules.words import count_words, merged, movement


class Shrink:
    """Finds long files that lose more than the policy's share of their words."""

    id = "shrink"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each file that shrinks below the floor."""
        files = merged(change_set).files
        away = None
        for change in files:
            if change.before is None or change.after is None or is_locked(change.path):
                continue
            if change.kind is ChangeKind.COPIED:
                continue
            old, new = count_words(change.before), count_words(change.after)
            if old < policy.shrink_words or new >= old * policy.shrink_floor:
                continue
            away = movement(files).away if away is None else away
            kept = min(old, new + away[change.path]) / old
            if kept >= policy.shrink_floor:
                continue
            yield Finding(
                rule=self.id,
                severity=Severity.HIGH if policy.author_is_agent else Severity.MEDIUM,
                category=Category.DESTRUCTIVE,
                path=change.path,
                message=f"This file keeps {kept:.0%} of its {old} words; the floor"
                f" is {policy.shrink_floor:.0%}.",
                remedy="Restore what was lost, or remove it in a change of its own.",
            )
