"""Parse what ``git diff`` prints, with git's extended headers. Pure and linear.

Guarantees: never an exception, whatever the bytes; every section of the diff is a
FileChange, hunk or not (B04); what could not be read is a Gap that names the path.
Lines are cut at ``\\n`` only. Headers are recognised only outside the lines that a
hunk's header counts (B06).

Limits: git must write the prefixes ``a/`` and ``b/`` and no colour; at most
MAX_LINES lines of hunks are kept.
"""

from __future__ import annotations

import io
from dataclasses import replace

from guardrails.hunks import MAX_LINES, Room
from guardrails.model import ChangeKind, ChangeSet, FileChange, Gap, Hunk
from guardrails.paths import read_name
from guardrails.rows import from_rows
from guardrails.section import Section
from guardrails.texts import from_texts

__all__ = ["MAX_LINES", "from_rows", "from_texts", "parse"]

_COMBINED = (b"diff --cc ", b"diff --combined ")


def parse(raw: bytes) -> ChangeSet:
    """Return the changes that the diff ``raw`` describes, and what it hides."""
    parser = _Parser()
    for line in io.BytesIO(raw):  # cuts at \n alone, one line in memory at a time
        parser.feed(line.removesuffix(b"\n"))
    return parser.result(is_whole=not raw or raw.endswith(b"\n"))


class _Parser:
    """Cuts a diff into sections, one a file."""

    def __init__(self) -> None:
        self._files: list[FileChange] = []
        self._gaps: dict[Gap, None] = {}
        self._room = Room(MAX_LINES)
        self._section: Section | None = None

    def feed(self, line: bytes) -> None:
        """Take the next line, without its newline."""
        section = self._section
        if section is not None and section.take(line):
            return
        if line.startswith(b"diff --git "):
            rest = line.removeprefix(b"diff --git ")
            self._begin(Section(rest, self._room, has_git_header=True))
        elif line.startswith(_COMBINED):
            self._combined(line)
        elif line.startswith(b"--- ") and (section is None or section.is_plain_end):
            plain = Section(line, self._room, has_git_header=False)
            self._begin(plain)
            plain.read_header(line)
        elif section is not None:
            section.read_header(line)
        elif line and line != b"\r":
            self._gaps[Gap(reason="there are lines before the first file")] = None

    def result(self, *, is_whole: bool) -> ChangeSet:
        """Return all that was read; git ends its last line, too."""
        if self._section is not None and not is_whole:
            self._section.break_off()
        self._end()
        files = _with_type_changes(self._files)
        seen: set[str] = set()
        for each in files:
            if each.path in seen:
                gap = Gap(reason="the diff names it more than once", path=each.path)
                self._gaps[gap] = None
            seen.add(each.path)
        return ChangeSet(files=tuple(files), gaps=tuple(self._gaps))

    def _begin(self, section: Section) -> None:
        self._end()
        self._section = section

    def _end(self) -> None:
        if self._section is not None:
            change, gaps = self._section.close()
            self._files.append(change)
            self._gaps.update(dict.fromkeys(gaps))
        self._section = None

    def _combined(self, line: bytes) -> None:
        """Note a merge's diff: it has one path and several old sides."""
        rest = line.removesuffix(b"\r").split(b" ", 2)[2]
        section = Section(rest, self._room, has_git_header=True)
        section.is_combined = True
        section.plus = read_name(rest)
        self._begin(section)


def _with_type_changes(files: list[FileChange]) -> list[FileChange]:
    """Return ``files`` with a type change as one change.

    git shows a file that became a link as removed and then added. As two, the
    first would hide the second from whoever asks for the path.
    """
    merged: list[FileChange] = []
    for each in files:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.path == each.path
            and (last.kind, each.kind) == (ChangeKind.REMOVED, ChangeKind.ADDED)
        ):
            merged[-1] = replace(
                each,
                kind=ChangeKind.CHANGED,
                old_mode=last.old_mode,
                hunks=_joined(last.hunks, each.hunks),
                is_binary=last.is_binary or each.is_binary,
            )
        else:
            merged.append(each)
    return merged


def _joined(removed: tuple[Hunk, ...], added: tuple[Hunk, ...]) -> tuple[Hunk, ...]:
    if len(removed) != 1 or len(added) != 1:
        return (*removed, *added)
    return (
        Hunk(
            old_start=removed[0].old_start,
            old_count=removed[0].old_count,
            new_start=added[0].new_start,
            new_count=added[0].new_count,
            lines=(*removed[0].lines, *added[0].lines),
        ),
    )
