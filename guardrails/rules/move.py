"""move: a change carries many words from one place to another.

Threat: moved code hides small edits, and a review of lines cannot see them.
MEDIUM: such a change should say that it is structural and do nothing else.
A *move* is a removed line's words that come back in an added line, anywhere;
indentation and blanks do not count. A pure rename of a file is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.paths import is_locked
from guardrails.rules.words import merged, movement


class Move:
    """Finds changes that move more words than the policy's limit."""

    id = "move"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield one finding for the whole change, at the file that gives most."""
        files = [each for each in merged(change_set).files if not is_locked(each.path)]
        moved = movement(files).moved
        total = moved.total()
        if total <= policy.move_limit:
            return
        path, _ = moved.most_common(1)[0]
        places = sum(1 for each in moved.values() if each)
        yield Finding(
            rule=self.id,
            severity=Severity.MEDIUM,
            category=Category.DESTRUCTIVE,
            path=path,
            message=f"This change moves {total} words from {places} file(s); the limit"
            f" for a change that is not structural is {policy.move_limit}.",
            remedy="Move in a change of its own, so that edits stay visible.",
        )
