"""One file's section of a git diff, while its lines come in. Pure.

A path is taken from the header that cannot be misread: ``rename``/``copy`` lines
first, then ``---``/``+++``, and ``diff --git a/X b/X`` only where nothing else
names the file (B05).
"""

from __future__ import annotations

import re

from guardrails import hunks as reasons
from guardrails.hunks import OpenHunk, Room
from guardrails.model import ChangeKind, FileChange, Gap, Hunk
from guardrails.paths import (
    NULL,
    decode,
    header_pair,
    likely_path,
    read_name,
    without_prefix,
)

_INDEX = re.compile(rb"index ([0-9a-f]+)\.\.([0-9a-f]+)(?: ([0-7]{6}))?")
_MODE = re.compile(rb"(old|new|new file|deleted file) mode ([0-7]{6})")
_MOVE = re.compile(rb"(rename|copy) (from|to) (.+)", re.DOTALL)
_SIMILARITY = re.compile(rb"(?:dis)?similarity index (\d{1,3})%")
_BINARY = re.compile(rb"Binary files .* differ", re.DOTALL)
_EMPTY_BLOBS = (
    b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


class Section:
    """Collects the headers and hunks of one file.

    Args:
        rest: the ``diff --git`` line without these words, or the ``---`` line of a
            diff that has no such header.
        room: how many lines of hunks may still be kept.
        has_git_header: tell a diff by git from a plain one.
    """

    def __init__(self, rest: bytes, room: Room, *, has_git_header: bool) -> None:
        # B07: git quotes a carriage return in a name, so a bare one at the end of
        # this line means that somebody rewrote all line ends of the diff.
        self._crlf = rest.endswith(b"\r")
        self._rest = rest.removesuffix(b"\r")
        self._room = room
        self._git = has_git_header
        self.is_combined = False
        self.minus: bytes | None = None
        self.plus: bytes | None = None
        self._moved: dict[bytes, bytes] = {}
        self._kind: ChangeKind | None = None
        self._old_mode: str | None = None
        self._new_mode: str | None = None
        self._blobs: tuple[bytes, bytes] | None = None
        self._has_header = False
        self._is_edited = False  # a moved file that git calls less than 100 % similar
        self._binary = False
        self._patch = False  # inside "GIT binary patch": nothing of it is read
        self._hunks: list[Hunk] = []
        self._hunk: OpenHunk | None = None
        self._in_hunks = False
        self._wrong: dict[str, None] = {}

    @property
    def is_plain_end(self) -> bool:
        """Tell whether a ``---`` line would begin the next file of a plain diff."""
        return not self._git and self._in_hunks

    def take(self, line: bytes) -> bool:
        """Take ``line`` when it is a counted line of the open hunk."""
        if self._hunk is None:
            return False
        return self._hunk.take(line.removesuffix(b"\r") if self._crlf else line)

    def read_header(self, line: bytes) -> None:
        """Read a line that stands outside all counted lines."""
        if self._patch or self.is_combined:
            return
        line = line.removesuffix(b"\r") if not line.startswith(b"@@") else line
        if line.startswith(b"@@@"):
            self.is_combined = True
        elif line.startswith(b"@@"):
            self._begin_hunk(line)
        elif not self._in_hunks and self._read_extended(line):
            self._has_header = True
        elif line:
            self._wrong["there are lines that are no part of a diff"] = None

    def break_off(self) -> None:
        """Note that the diff ended within a line."""
        self._wrong["the diff breaks off within a line"] = None

    def close(self) -> tuple[FileChange, list[Gap]]:
        """Return the change, and a Gap for all that could not be read of it."""
        self._end_hunk()
        old, new = self._paths()
        path = new if new is not None else old
        if path is None:
            self._wrong["its name could not be read"] = None
            path = likely_path(self._rest)
        if self.is_combined:
            self._wrong["a merge's combined diff cannot be read"] = None
        elif self._git and not self._rest.startswith((b"a/", b'"a/')):
            self._wrong["its names lack the prefixes a/ and b/"] = None
        elif not self._has_header and not self._hunks:
            self._wrong["its diff breaks off after the header"] = None
        elif self._lacks_header():
            self._wrong["its diff breaks off within the header"] = None
        elif self._lacks_hunks():
            self._wrong["its diff breaks off before the first hunk"] = None
        kind = self._what_happened(old, new)
        change = FileChange(
            path=decode(path),
            kind=kind,
            old_path=decode(old) if old is not None and old != path else None,
            old_mode=None if kind is ChangeKind.ADDED else self._old_mode,
            new_mode=None if kind is ChangeKind.REMOVED else self._new_mode,
            hunks=tuple(self._hunks),
            is_binary=self._binary,
        )
        return change, [Gap(reason=each, path=change.path) for each in self._wrong]

    def _begin_hunk(self, line: bytes) -> None:
        self._end_hunk()
        # Also after a broken header: content must never be read as headers.
        self._in_hunks = True
        self._hunk = OpenHunk.begin(line, self._room)
        if self._hunk is None:
            self._wrong[reasons.UNREADABLE_HEADER] = None

    def _end_hunk(self) -> None:
        if self._hunk is None:
            return
        self._hunks.append(self._hunk.close())
        if not self._hunk.is_full:
            self._wrong[reasons.CUT_SHORT] = None
        if self._hunk.lost:
            self._wrong[reasons.NOT_KEPT] = None
        self._hunk = None

    def _read_extended(self, line: bytes) -> bool:
        if line.startswith(b"--- "):
            self.minus = self._side(line[4:], b"a/")
        elif line.startswith(b"+++ "):
            self.plus = self._side(line[4:], b"b/")
        elif match := _INDEX.fullmatch(line):
            self._blobs = match[1], match[2]
            if match[3] is not None:
                self._old_mode = self._new_mode = match[3].decode("ascii")
        elif match := _MODE.fullmatch(line):
            self._read_mode(match[1], match[2].decode("ascii"))
        elif match := _MOVE.fullmatch(line):
            name = read_name(match[3])
            if name is not None:
                self._moved[match[2]] = name
            renamed = match[1] == b"rename"
            self._kind = ChangeKind.RENAMED if renamed else ChangeKind.COPIED
        elif _BINARY.fullmatch(line):
            self._binary = True
        elif line == b"GIT binary patch":
            self._binary = self._patch = True
        elif match := _SIMILARITY.fullmatch(line):
            self._is_edited = match[1] != b"100"
        else:
            return False
        return True

    def _read_mode(self, what: bytes, mode: str) -> None:
        if what.startswith(b"new"):
            self._new_mode = mode
        else:
            self._old_mode = mode
        if what == b"new file":
            self._kind = ChangeKind.ADDED
        elif what == b"deleted file":
            self._kind = ChangeKind.REMOVED

    def _side(self, raw: bytes, prefix: bytes) -> bytes | None:
        name = read_name(raw)
        if name is None or name == NULL:
            return name
        bare = without_prefix(name, prefix)
        if bare is None:
            self._wrong[f"its name lacks the prefix {prefix.decode('ascii')}"] = None
            return name
        return bare

    def _paths(self) -> tuple[bytes | None, bytes | None]:
        """Return the old and the new path; ``None`` for a side that is not there."""
        old = self._moved.get(b"from", self.minus)
        new = self._moved.get(b"to", self.plus)
        pair = header_pair(self._rest) if self._git else None
        if pair is not None:
            old = _agreed(pair[0] if old is None else old, pair[0])
            new = _agreed(pair[1] if new is None else new, pair[1])
        return (None if old == NULL else old, None if new == NULL else new)

    def _what_happened(self, old: bytes | None, new: bytes | None) -> ChangeKind:
        if self._kind is not None:
            return self._kind
        if self.minus == NULL:
            return ChangeKind.ADDED
        if self.plus == NULL:
            return ChangeKind.REMOVED
        if old is not None and new is not None and old != new:
            return ChangeKind.RENAMED
        if not self._hunks and not self._binary and self._old_mode != self._new_mode:
            return ChangeKind.CHANGED
        return ChangeKind.MODIFIED

    def _lacks_header(self) -> bool:
        """Tell whether a header stands alone that git never writes alone."""
        if len(self._moved) == 1:
            return True
        if self._kind in (ChangeKind.ADDED, ChangeKind.REMOVED) or self._is_edited:
            return self._blobs is None and not self._in_hunks
        return self._kind is None and (self._old_mode is None) != (
            self._new_mode is None
        )

    def _lacks_hunks(self) -> bool:
        """Tell whether the index line promises content that did not come."""
        if self._hunks or self._binary:
            return False
        if self._blobs is None:
            return self.minus is not None or self.plus is not None
        present = [each for each in self._blobs if each.strip(b"0")]
        if len(present) == 1:
            return not _is_empty(present[0])
        return self._blobs[0] != self._blobs[1]


def _agreed(name: bytes, header: bytes) -> bytes:
    """Return ``header`` where only blanks at the end tell the two names apart."""
    return header if name.rstrip(b" ") == header.rstrip(b" ") else name


def _is_empty(blob: bytes) -> bool:
    return any(each.startswith(blob) for each in _EMPTY_BLOBS)
