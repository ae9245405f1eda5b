"""Apply a proposed edit to a text in memory. Pure.

An edit that does not stand where the proposer believes is moved to the one place
nearby where it does, or refused (A08); nothing is guessed. Whatever the edit does
not name stays as it is: line ends, the byte order mark, the final newline.

Limit: lines end with ``\\n`` or ``\\r\\n``; a lone ``\\r`` is content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WINDOW = 20  # lines up or down within which a misplaced edit may be anchored
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Replace ``start_line..end_line`` (from 1, both included) by ``replacement``.

    ``end_line = start_line - 1`` inserts before ``start_line``; an empty
    ``replacement`` deletes. ``expected`` is what should stand there; blanks at
    line ends do not matter, those at the start do.
    """

    start_line: int
    end_line: int
    replacement: str
    expected: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The text that an edit makes, and the lines of the old text it replaced."""

    text: str
    start_line: int
    end_line: int
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An edit that was not applied, and why."""

    reason: str


def apply(text: str, edit: Edit) -> Applied | Rejected:
    """Apply ``edit`` to ``text``, or say why not."""
    bom = _BOM if text.startswith(_BOM) else ""
    segments = _segments(text.removeprefix(bom))
    start, end = edit.start_line, edit.end_line
    if start < 1 or end < start - 1 or max(start - 1, end) > len(segments):
        return Rejected(
            reason=f"lines {start} to {end} are not in the file,"
            f" which has {len(segments)} lines"
        )
    moved = False
    if edit.expected is not None:
        place = _place(segments, edit, _lines(edit.expected.removeprefix(bom)))
        if isinstance(place, Rejected):
            return place
        moved = place != (start, end)
        start, end = place
    mark = bom if start == 1 else ""  # elsewhere it would be content
    lines = _lines(edit.replacement.removeprefix(mark))
    made = _replaced(segments, start, end, lines)
    result = bom + "".join(content + newline for content, newline in made)
    if result == text:
        return Rejected(reason="it changes nothing")
    return Applied(text=result, start_line=start, end_line=end, moved=moved)


def _place(
    segments: Sequence[tuple[str, str]], edit: Edit, expected: Sequence[str]
) -> tuple[int, int] | Rejected:
    """Return the lines where the expectation holds, or why there are none."""
    start, end = edit.start_line, edit.end_line
    wanted = [each.rstrip() for each in expected]
    size = len(wanted)
    if end < start:
        if not wanted:
            return start, end
        return Rejected(reason="an insertion replaces nothing, yet it expects lines")
    if [content.rstrip() for content, _ in segments[start - 1 : end]] == (
        wanted or [""]
    ):
        return start, end
    if not any(wanted):
        return Rejected(reason=f"lines {start} to {end} are not blank, as it expects")
    low = max(start - 1 - WINDOW, 0)
    high = start - 1 + WINDOW + size
    nearby = [content.rstrip() for content, _ in segments[low:high]]
    places = range(len(nearby) - size + 1)
    found = [at for at in places if nearby[at : at + size] == wanted]
    if len(found) != 1:
        where = "nowhere" if not found else f"{len(found)} times"
        return Rejected(
            reason=f"lines {start} to {end} are not what it expects;"
            f" that stands {where} within {WINDOW} lines"
        )
    return low + found[0] + 1, low + found[0] + size


def _segments(text: str) -> list[tuple[str, str]]:
    """Cut ``text`` into lines, each with the newline that ends it."""
    segments = [
        (line[:-1], "\r\n") if line.endswith("\r") else (line, "\n")
        for line in text.split("\n")
    ]
    content, newline = segments.pop()
    last = content + ("\r" if newline == "\r\n" else "")
    return [*segments, (last, "")] if last else segments


def _lines(text: str) -> list[str]:
    """Cut a proposed text into lines, whatever its line ends are."""
    if not text:
        return []
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _replaced(
    segments: Sequence[tuple[str, str]], start: int, end: int, lines: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the segments with ``start..end`` replaced by ``lines``."""
    newline = _newline_near(segments, start)
    fresh = [(each, newline) for each in lines]
    made = [*segments[: start - 1], *fresh, *segments[end:]]
    made = [(content, ending or newline) for content, ending in made]
    # Without its newline an empty last line would be no line.
    if made and made[-1][0] and segments and not segments[-1][1]:
        made[-1] = (made[-1][0], "")
    return made


def _newline_near(segments: Sequence[tuple[str, str]], start: int) -> str:
    """Return the newline of the edited line, or else of the one before it."""
    above = (newline for _, newline in reversed(segments[:start]) if newline)
    return next(above, next((newline for _, newline in segments if newline), "\n"))
