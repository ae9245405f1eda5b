"""Read the ``@@`` sections of a unified diff, line by line. Pure and linear.

The counts of a hunk's header decide which lines are its own, never what a line
looks like: a deleted ``-- comment`` reads ``--- comment`` (B06). The marker
``\\ No newline at end of file`` is no line and moves no number (B23).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from guardrails.model import Hunk, Line, LineKind
from guardrails.paths import decode

# Nine digits: int() refuses very long numbers with an exception.
_HEADER = re.compile(
    rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL
)
_CONTEXT, _ADDED, _REMOVED = 32, 43, 45  # " ", "+", "-"

MAX_LINES = 1_000_000  # that are kept of one diff

CUT_SHORT = "a hunk is cut short: its lines are fewer than its header counts"
UNREADABLE_HEADER = "a hunk's header could not be read"
NOT_KEPT = "the diff is too long: its further lines were not looked at"


@dataclass(slots=True)
class Room:
    """How many lines may still be kept, so that memory stays bounded."""

    left: int


@dataclass(slots=True)
class OpenHunk:
    """One hunk while its lines come in."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str
    room: Room
    lines: list[Line] = field(default_factory=list)
    lost: bool = False
    _old: int = 0
    _new: int = 0

    @staticmethod
    def begin(raw: bytes, room: Room) -> OpenHunk | None:
        """Return the hunk that the header line ``raw`` opens, if it is one."""
        match = _HEADER.fullmatch(raw)
        if match is None:
            return None
        old_start, new_start = int(match[1]), int(match[3])
        return OpenHunk(
            old_start=old_start,
            old_count=1 if match[2] is None else int(match[2]),
            new_start=new_start,
            new_count=1 if match[4] is None else int(match[4]),
            section=decode(match[5].removesuffix(b"\r").removeprefix(b" ")),
            room=room,
        )

    @property
    def is_full(self) -> bool:
        """Tell whether all counted lines have come."""
        return self._old >= self.old_count and self._new >= self.new_count

    def take(self, raw: bytes) -> bool:
        """Add ``raw``; return False when it does not belong to this hunk."""
        sign = raw[0] if raw else _CONTEXT  # mail strips the blank of empty lines
        if sign == _ADDED and self._new < self.new_count:
            self._keep(LineKind.ADDED, raw, None, self.new_start + self._new)
            self._new += 1
            return True
        if sign == _REMOVED and self._old < self.old_count:
            self._keep(LineKind.REMOVED, raw, self.old_start + self._old, None)
            self._old += 1
            return True
        if (
            sign == _CONTEXT
            and self._old < self.old_count
            and self._new < self.new_count
        ):
            old, new = self.old_start + self._old, self.new_start + self._new
            self._keep(LineKind.CONTEXT, raw, old, new)
            self._old += 1
            self._new += 1
            return True
        return raw.startswith(b"\\ ")

    def _keep(
        self, kind: LineKind, raw: bytes, old: int | None, new: int | None
    ) -> None:
        if self.room.left <= 0:
            self.lost = True
            return
        self.room.left -= 1
        self.lines.append(Line(kind, decode(raw[1:]), old, new))

    def close(self) -> Hunk:
        """Return what has come so far."""
        return Hunk(
            old_start=self.old_start,
            old_count=self.old_count,
            new_start=self.new_start,
            new_count=self.new_count,
            lines=tuple(self.lines),
            section=self.section,
        )


def read_patch(lines: Iterable[bytes], room: Room) -> tuple[tuple[Hunk, ...], set[str]]:
    """Return the hunks of a patch without file headers, and what was wrong."""
    hunks: list[Hunk] = []
    wrong: set[str] = set()
    current: OpenHunk | None = None

    def end() -> None:
        if current is None:
            return
        hunks.append(current.close())
        if not current.is_full:
            wrong.add(CUT_SHORT)
        if current.lost:
            wrong.add(NOT_KEPT)

    for raw in lines:
        if current is not None and current.take(raw):
            continue
        if not raw:
            continue
        begun = OpenHunk.begin(raw, room)
        if begun is None:
            wrong.add(UNREADABLE_HEADER)
            continue
        end()
        current = begun
    end()
    return tuple(hunks), wrong
