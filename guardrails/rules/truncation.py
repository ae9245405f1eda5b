"""truncation: a file is cut off, emptied, or filled up with "the rest stays".

Threat: a write that broke off, or an answer of a model that left out what it did
not want to repeat (A10: 31 699 lines became 16). HIGH, whoever did it: nobody means
this. Emptied files and stubs count from LEAST words on.
Guarantees: looks at words, not lines, so that long lines do not hide a cut.
Limits: a file cut by less than KEPT is for shrink.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    Confidence,
    FileChange,
    Finding,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.paths import PROSE, is_locked, suffix
from guardrails.rules.words import count_words, kept_share, merged, movement

LEAST = 200
KEPT = 0.1
_MARKER = re.compile(
    r"(?:#|//|/\*|<!--|--|;|\*)[\s.…\[(]{0,8}"
    r"(?:\.{3}|…|(?:the )?(?:rest|remainder|remaining|other|existing)\b)"
    r"[\w\s.,…'-]{0,60}"
    r"(?:unchanged|same as before|as before|remains? (?:the same|as is)|stays? the same"
    r"|omitted|not shown|existing code|for brevity|goes here)",
    re.IGNORECASE,
)


class Truncation:
    """Finds cut files and the marks of a cut."""

    id = "truncation"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each file that was cut off."""
        files = merged(change_set).files
        away = None
        for change in files:
            size = _cut(change)
            if size is None:
                continue
            away = movement(files).away if away is None else away
            if away[change.path] > size / 2:
                continue  # it went elsewhere; move tells of it
            left = count_words(change.after or "")
            yield self._finding(
                change.path,
                f"This file is cut from {size} words to {left}.",
                Confidence.HIGH,
            )
        yield from self._marks(change_set)

    def _marks(self, change_set: ChangeSet) -> Iterator[Finding]:
        for added in added_texts(change_set):
            change = added.change
            if change.kind is ChangeKind.ADDED or suffix(change.path) in PROSE:
                continue
            if not any(True for _ in change.removed_lines()):
                continue
            for match in _MARKER.finditer(added.text):
                line, column = added.place(match.start())
                yield self._finding(
                    change.path,
                    "A comment stands where code was: the rest of it is left out.",
                    Confidence.MEDIUM,
                    line=line.new or 0,
                    evidence=shown(line.text, column),
                )
                break

    def _finding(
        self,
        path: str,
        message: str,
        confidence: Confidence,
        line: int = 0,
        evidence: str = "",
    ) -> Finding:
        return Finding(
            rule=self.id,
            severity=Severity.HIGH,
            category=Category.DESTRUCTIVE,
            path=path,
            line=line,
            message=message,
            evidence=evidence,
            confidence=confidence,
            remedy="Take the old text and make the edit in it.",
        )


def _cut(change: FileChange) -> int | None:
    """Return the words that a cut file had, or ``None`` when it was not cut."""
    if change.before is None or is_locked(change.path) or change.is_symlink:
        return None
    if change.kind in (ChangeKind.REMOVED, ChangeKind.COPIED) or change.after is None:
        return None
    if len(change.after) > len(change.before) / 2:
        return None
    size = count_words(change.before)
    if size < LEAST or count_words(change.after) >= KEPT * size:
        return None
    # What is left must be of the old text; else the file was written anew.
    left = kept_share(change.after, change.before)
    return size if left >= 0.5 or not change.after.strip() else None
