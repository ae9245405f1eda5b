"""rewrite: nearly all words of a file are replaced by others.

Threat: an agent writes a file anew from memory and loses what it did not remember;
the size stays, so shrink does not see it. Delete and create of one path in one
change is the same act in two steps, and is judged as this one (A11).
MEDIUM when a file of LEAST words or more keeps less than KEPT of them; HIGH for an
agent's change of a file that shrink watches over.
Limits: generated and lock files are left alone; a translation is a rewrite too.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    Confidence,
    Finding,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.paths import is_locked
from guardrails.rules.words import count_words, kept_share, merged

LEAST = 100
KEPT = 0.3


class Rewrite:
    """Finds files whose content was replaced."""

    id = "rewrite"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each file that was written anew."""
        files = merged(change_set)
        recreated = files is not change_set
        for change in files.files:
            before, after = change.before, change.after
            if before is None or after is None or is_locked(change.path):
                continue
            if change.kind in (ChangeKind.COPIED, ChangeKind.RENAMED):
                continue
            size = count_words(before)
            if size < LEAST:
                continue
            kept = kept_share(before, after)
            if kept >= KEPT:
                continue
            strict = policy.author_is_agent and size >= policy.shrink_words
            twice = recreated and change_set.file(change.path) != change
            how = "was deleted and created anew" if twice else "was written anew"
            yield Finding(
                rule=self.id,
                severity=Severity.HIGH if strict else Severity.MEDIUM,
                category=Category.DESTRUCTIVE,
                path=change.path,
                message=f"This file {how}: {kept:.0%} of its {size} words are left.",
                confidence=Confidence.MEDIUM,
                remedy="Edit the old text instead, so that nothing is lost unseen.",
            )
