"""Hold the remarks of a model to the change: what it quotes must stand there. Pure.

A model may name a line that is off by a few, or code that does not exist. So a
remark counts only with evidence, and it is moved to the one place where that stands.
Evidence that stands nowhere, or in several places none of which is near, drops the
remark. A suggestion replaces exactly the quoted lines, in full, or it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.agents.answer import (
    MOST_EVIDENCE,
    MOST_MESSAGE,
    MOST_SUGGESTION,
    Remark,
)
from app.breaker.actions import Proposal, Publication
from app.messages import printable
from guardrails.model import ChangeSet, FileChange, LineKind, Severity

NEAR = 3  # lines up or down that a remark may be off although others fit, too
FEWEST_CHARACTERS = 3  # of evidence that is only a part of its line
SAME_WORDS = 0.6  # shared words of two remarks on one line that are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """A remark where it really belongs.

    ``expected`` are the lines that its suggestion would replace, ``None`` where it
    has none that can be placed.
    """

    remark: Remark
    path: str
    line: int
    end_line: int
    expected: str | None = None

    def action(self) -> Publication | Proposal:
        """Return what the gate is asked: a Proposal where there is a suggestion."""
        message = _words(self.remark.message, MOST_MESSAGE)
        if self.expected is None or self.remark.suggestion is None:
            return Publication(
                body=message,
                path=self.path,
                line=self.line,
                severity=self.remark.severity,
                confidence=self.remark.confidence,
            )
        return Proposal(
            path=self.path,
            start_line=self.line,
            end_line=self.end_line,
            replacement=self.remark.suggestion,
            reason=message,
            expected=self.expected,
            severity=self.remark.severity,
            confidence=self.remark.confidence,
        )


@dataclass(slots=True, kw_only=True)
class Sieve:
    """The remarks that held, and how many did not."""

    kept: list[Grounded]
    given: int = 0
    grounded: int = 0
    ungrounded: int = 0
    moved: int = 0
    merged: int = 0
    suggestions_left_out: int = 0


def ground(
    remarks: Iterable[Remark],
    change_set: ChangeSet,
    *,
    taken: Sequence[Proposal] = (),
) -> Sieve:
    """Sort out ``remarks``: grounded, moved, merged; worst first.

    Args:
        remarks: what the model said.
        change_set: what it must be about.
        taken: proposals that were made already; a remark that repeats one is merged.
    """
    sieve = Sieve(kept=[])
    rows_of = dict[str, list[_Row]]()
    for remark in remarks:
        sieve.given += 1
        change = _file(change_set, remark.path)
        found = None
        if change is not None:
            if change.path not in rows_of:
                rows_of[change.path] = _rows(change)
            rows = rows_of[change.path]
            found = _place(remark, change.path, rows)
        if found is None:
            sieve.ungrounded += 1
            continue
        sieve.grounded += 1
        if any(_repeats(found, each) for each in taken):
            sieve.merged += 1
            continue
        sieve.moved += found.line != remark.line
        if remark.suggestion is not None and found.expected is None:
            sieve.suggestions_left_out += 1
        _merge(sieve, found)
    sieve.kept.sort(key=_rank, reverse=True)
    return sieve


def _rank(found: Grounded) -> tuple[int, float]:
    severity = Severity[found.remark.severity.upper()]
    return severity, found.remark.confidence


def _file(change_set: ChangeSet, path: str) -> FileChange | None:
    bare = path.strip().removeprefix("./")
    for name in (bare, bare.removeprefix("b/")):
        for each in change_set.files:
            if name in (each.path, printable(each.path)):
                return each
    return None


@dataclass(frozen=True, slots=True)
class _Row:
    number: int  # of the line of the new file where a remark can stand
    text: str
    squeezed: str
    is_there: bool  # False for a removed line


def _rows(change: FileChange) -> list[_Row]:
    """Return all lines of the hunks; a removed one stands at its next neighbour."""
    rows = list[_Row]()
    for hunk in change.hunks:
        heads = [line.new for line in hunk.lines if line.new is not None]
        last = heads[-1] if heads else max(hunk.new_start, 1)
        following = last
        numbered = list[_Row]()
        for line in reversed(hunk.lines):
            if line.new is not None:
                following = line.new
            is_there = line.kind is not LineKind.REMOVED
            squeezed = _squeeze(line.text)
            numbered.append(_Row(following, line.text, squeezed, is_there))
        rows += reversed(numbered)
    if not rows:
        rows = [
            _Row(line.new or 0, line.text, _squeeze(line.text), True)
            for line in change.added_lines()
        ]
    return rows


def _place(remark: Remark, path: str, rows: Sequence[_Row]) -> Grounded | None:
    wanted = [_squeeze(each) for each in remark.evidence[:MOST_EVIDENCE].split("\n")]
    while wanted and not wanted[0]:
        wanted.pop(0)
    while wanted and not wanted[-1]:
        wanted.pop()
    if not wanted or not remark.message.strip():
        return None
    there = [row for row in rows if row.is_there]
    gone = [row for row in rows if not row.is_there]
    for lines in (there, gone):
        start = _pick(_fits(wanted, lines), lines, remark.line)
        if start is None:
            continue
        part = lines[start : start + len(wanted)]
        return _grounded(remark, path, part, wanted)
    return None


def _fits(wanted: Sequence[str], rows: Sequence[_Row]) -> list[int]:
    """Return where ``wanted`` stands in ``rows``, whole lines before parts."""
    size = len(wanted)
    starts = range(len(rows) - size + 1)
    whole = [
        start
        for start in starts
        if all(rows[start + i].squeezed == wanted[i] for i in range(size))
    ]
    if whole:
        return whole
    if min(len(each) for each in wanted if each) < FEWEST_CHARACTERS:
        return []
    return [
        start
        for start in starts
        if all(wanted[i] in rows[start + i].squeezed for i in range(size))
    ]


def _pick(starts: Sequence[int], rows: Sequence[_Row], line: int) -> int | None:
    """Return the only place, or the nearest when it is near and alone so."""
    if len(starts) == 1:
        return starts[0]
    by_distance = sorted((abs(rows[start].number - line), start) for start in starts)
    if not by_distance or by_distance[0][0] > NEAR:
        return None
    if by_distance[1][0] == by_distance[0][0]:
        return None
    return by_distance[0][1]


def _grounded(
    remark: Remark, path: str, part: Sequence[_Row], wanted: Sequence[str]
) -> Grounded:
    first, last = part[0].number, part[-1].number
    is_whole = (
        all(row.is_there for row in part)
        and [row.squeezed for row in part] == list(wanted)
        and last - first + 1 == len(part)
        and remark.end_line - remark.line + 1 == len(part)
    )
    suggestion = remark.suggestion
    is_placed = (
        is_whole and suggestion is not None and len(suggestion) <= MOST_SUGGESTION
    )
    expected = "\n".join(row.text for row in part) if is_placed else None
    return Grounded(
        remark=remark, path=path, line=first, end_line=last, expected=expected
    )


def _merge(sieve: Sieve, found: Grounded) -> None:
    """Keep one of two remarks that say the same about the same line."""
    for at, kept in enumerate(sieve.kept):
        if (kept.path, kept.line) != (found.path, found.line):
            continue
        if not _is_same(kept.remark.message, found.remark.message):
            continue
        sieve.merged += 1
        if _rank(found) > _rank(kept):
            sieve.kept[at] = found
        return
    sieve.kept.append(found)


def _repeats(found: Grounded, taken: Proposal) -> bool:
    """Tell whether a remark says what a proposal on the same lines says already."""
    if found.path != taken.path:
        return False
    if found.line > taken.end_line or found.end_line < taken.start_line:
        return False
    return found.remark.suggestion is not None or _is_same(
        found.remark.message, taken.reason
    )


def _is_same(one: str, other: str) -> bool:
    words = set(one.lower().split()), set(other.lower().split())
    shared, all_words = words[0] & words[1], words[0] | words[1]
    return len(shared) >= SAME_WORDS * len(all_words)


def _squeeze(text: str) -> str:
    plain = text if text.isascii() and text.isprintable() else printable(text)
    return " ".join(plain.split())


def _words(text: str, most: int) -> str:
    text = printable(text).strip()
    return text if len(text) <= most else text[: most - 1] + "…"
