"""File names as git writes them in a diff. Pure, linear in the length of a line.

git quotes a name in C style when it holds a control character, a quote, a
backslash or (by default) any byte above 127, and puts a tab after a name with a
blank on ``---`` and ``+++`` lines. All of that is undone here, on bytes (B05).
"""

from __future__ import annotations

import re

NULL = b"/dev/null"  # never a path of a repository: those are relative

_QUOTED = re.compile(rb'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}


def decode(raw: bytes) -> str:
    """Return ``raw`` as text from which the very same bytes can be made again."""
    return raw.decode("utf-8", "surrogateescape")


def read_name(raw: bytes) -> bytes | None:
    """Return the name that stands in ``raw``, ``None`` when its quoting is broken.

    A tab ends a bare name: git quotes a name that holds one. Blanks after a closing
    quote mean nothing.
    """
    if not raw.startswith(b'"'):
        return raw.partition(b"\t")[0] or None
    match = _QUOTED.match(raw)
    if match is None or raw[match.end() :].strip(b" \t"):
        return None
    return _unescape(match[1])


def without_prefix(name: bytes, prefix: bytes) -> bytes | None:
    """Return ``name`` without ``a/`` or ``b/``, ``None`` when it is not there."""
    bare = name.removeprefix(prefix)
    return bare if bare and len(bare) < len(name) else None


def header_pair(rest: bytes) -> tuple[bytes, bytes] | None:
    """Return both names of a ``diff --git`` line where they can be told apart.

    Two bare names are told apart only when they are equal: ``a/X b/X`` has one
    middle, however many `` b/`` are in X. git names everything else elsewhere too.
    """
    if rest.startswith(b'"'):
        match = _QUOTED.match(rest)
        if match is None or rest[match.end() : match.end() + 1] != b" ":
            return None
        return _pair(rest[: match.end()], rest[match.end() + 1 :])
    # A bare name holds no quote, so the first one opens the second name.
    quote = rest.find(b' "')
    if quote >= 0:
        return _pair(rest[:quote], rest[quote + 1 :])
    middle = len(rest) // 2
    if len(rest) % 2 == 0 or rest[middle : middle + 1] != b" ":
        return None
    pair = _pair(rest[:middle], rest[middle + 1 :])
    return pair if pair is not None and pair[0] == pair[1] else None


def likely_path(rest: bytes) -> bytes:
    """Return what is probably the new name of a ``diff --git`` line, for a Gap."""
    return rest.rpartition(b" b/")[2] or rest or b"?"


def _pair(old: bytes, new: bytes) -> tuple[bytes, bytes] | None:
    names = read_name(old), read_name(new)
    if names[0] is None or names[1] is None:
        return None
    bare = without_prefix(names[0], b"a/"), without_prefix(names[1], b"b/")
    if bare[0] is None or bare[1] is None:
        return None
    return bare[0], bare[1]


def _unescape(quoted: bytes) -> bytes | None:
    """Undo git's escapes; ``None`` for an escape that git never writes."""
    known = True

    def replaced(match: re.Match[bytes]) -> bytes:
        nonlocal known
        code = match[1]
        if len(code) == 3 and 0 < int(code, 8) < 256:
            return bytes((int(code, 8),))
        known = known and code in _LETTERS
        return _LETTERS.get(code, b"")

    name = _ESCAPE.sub(replaced, quoted)
    return name if known and name else None
