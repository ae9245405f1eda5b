"""mass-deletion: many files are removed, or a change that is nearly all removal.

Threat: an agent wipes what it does not understand. HIGH for an agent's change,
MEDIUM for a human's.
Thresholds: MANY_FILES removed files; or SOME_FILES of them when they are at least
half of the change; or MANY_WORDS lost words when they are nine tenths of the change.
A file whose lines come back elsewhere in the change, for the most part, is moved
and not removed. Only lost words count.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, FileChange, Finding
from guardrails.model import Severity as Level
from guardrails.policy import Policy
from guardrails.rules.paths import is_locked
from guardrails.rules.words import Movement, count_words, merged, movement

MANY_FILES = 20
SOME_FILES = 5
MANY_WORDS = 5_000
SHARE_OF_FILES = 0.5
SHARE_OF_WORDS = 0.9


class MassDeletion:
    """Finds changes that mostly take away."""

    id = "mass-deletion"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield at most one finding for the whole change."""
        files = [each for each in merged(change_set).files if not is_locked(each.path)]
        move = movement(files)
        gone = [each for each in files if _is_gone(each, move)]
        message = _message(files, gone, move)
        if message is None:
            return
        path = gone[0].path if gone else move.lost.most_common(1)[0][0]
        yield Finding(
            rule=self.id,
            severity=Level.HIGH if policy.author_is_agent else Level.MEDIUM,
            category=Category.DESTRUCTIVE,
            path=path,
            message=message,
            remedy="Remove in steps that a human can follow, each with its reason.",
        )


def _is_gone(change: FileChange, move: Movement) -> bool:
    if change.kind is not ChangeKind.REMOVED:
        return False
    return move.moved[change.path] <= move.lost[change.path]


def _message(
    files: list[FileChange], gone: list[FileChange], move: Movement
) -> str | None:
    share = len(gone) / len(files) if files else 0.0
    if len(gone) >= MANY_FILES:
        return f"This change removes {len(gone)} files."
    if len(gone) >= SOME_FILES and share >= SHARE_OF_FILES:
        return f"This change removes {len(gone)} of the {len(files)} files it touches."
    lost = move.lost.total()
    if lost < MANY_WORDS:
        return None
    arrived = (
        sum(
            count_words(line.text)
            for each in files
            if not each.is_binary
            for line in each.added_lines()
        )
        - move.moved.total()
    )
    if lost < SHARE_OF_WORDS * (lost + max(0, arrived)):
        return None
    return f"This change takes away {lost} words and brings {max(0, arrived)}."
