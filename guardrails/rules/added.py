"""The added text of a file, and the line of each place in it. Pure.

Only added content is judged by most rules: a secret that a change removes, or that
stands around it, is not this change's doing (B26).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from guardrails.model import ChangeSet, FileChange, Line


@dataclass(frozen=True)
class Added:
    """All added lines of one file, joined by newlines."""

    change: FileChange
    lines: tuple[Line, ...]

    @cached_property
    def text(self) -> str:
        """Return the lines as one text."""
        return "\n".join(each.text for each in self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = list[int](), 0
        for each in self.lines:
            starts.append(at)
            at += len(each.text) + 1
        return starts

    def place(self, position: int) -> tuple[Line, int]:
        """Return the line that holds ``position`` of the text, and where in it."""
        index = bisect_right(self._starts, position) - 1
        return self.lines[index], position - self._starts[index]


def added_texts(change_set: ChangeSet) -> Iterator[Added]:
    """Yield the added text of each file that has one; binaries have none."""
    for change in change_set.files:
        if change.is_binary or change.is_submodule or change.is_symlink:
            continue
        lines = tuple(change.added_lines())
        if lines:
            yield Added(change, lines)
