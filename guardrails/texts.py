"""Make a FileChange from the two texts of a file. Pure.

The hunks always lead from the first text to the second; they are as small as the
time allowed. Cost: anchors on lines that are unique on both sides (n log n); only
what lies between anchors goes to difflib, which is cubic at worst, within a
budget; beyond it a stretch counts as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from guardrails.model import ChangeKind, FileChange, Hunk, Line, LineKind

BUDGET = 250_000  # pairs of lines that difflib may compare for one file
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines ``old_from..old_to`` became ``new_from..new_to`` (from 0, half open)."""

    old_from: int
    old_to: int
    new_from: int
    new_to: int


def from_texts(
    path: str, before: str | None, after: str | None, *, context: int = 3
) -> FileChange:
    """Return the change of ``path`` from ``before`` to ``after``.

    Args:
        path: the file's path on both sides.
        before: its old text, ``None`` when there was no such file.
        after: its new text, ``None`` when the file is removed.
        context: unchanged lines shown around a change.
    """
    old, new = _cut(before or ""), _cut(after or "")
    if before is None:
        kind = ChangeKind.UNCHANGED if after is None else ChangeKind.ADDED
    elif after is None:
        kind = ChangeKind.REMOVED
    else:
        kind = ChangeKind.UNCHANGED if before == after else ChangeKind.MODIFIED
    blocks = _Comparison(old, new).blocks()
    return FileChange(
        path=path,
        kind=kind,
        hunks=tuple(
            _hunk(group, old, new, context) for group in _grouped(blocks, context)
        ),
        before=before,
        after=after,
    )


def _cut(text: str) -> list[str]:
    """Cut ``text`` after each newline, so that a last line without one differs."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


class _Comparison:
    """Finds the stretches in which two sequences of lines differ."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old, self._new = old, new
        self._budget = BUDGET

    def blocks(self) -> list[_Block]:
        """Return the differing stretches, in order and never touching."""
        whole = _Block(0, len(self._old), 0, len(self._new))
        return list(self._between(whole, 0))

    def _between(self, block: _Block, depth: int) -> Iterator[_Block]:
        block = self._trimmed(block)
        old_size = block.old_to - block.old_from
        new_size = block.new_to - block.new_from
        if not old_size and not new_size:
            return
        if not old_size or not new_size:
            yield block
            return
        if old_size * new_size <= self._budget and (old_size + new_size) <= 200:
            yield from self._by_difflib(block)
            return
        anchors = self._anchors(block) if depth < MAX_DEPTH else []
        if not anchors:
            if old_size * new_size <= self._budget:
                yield from self._by_difflib(block)
            else:
                yield block
            return
        old_from, new_from = block.old_from, block.new_from
        for old, new in anchors:
            yield from self._between(_Block(old_from, old, new_from, new), depth + 1)
            old_from, new_from = old + 1, new + 1
        yield from self._between(
            _Block(old_from, block.old_to, new_from, block.new_to), depth + 1
        )

    def _trimmed(self, block: _Block) -> _Block:
        old, new = self._old, self._new
        size = min(block.old_to - block.old_from, block.new_to - block.new_from)
        head = 0
        while head < size and old[block.old_from + head] == new[block.new_from + head]:
            head += 1
        tail = 0
        while (
            tail < size - head
            and old[block.old_to - 1 - tail] == new[block.new_to - 1 - tail]
        ):
            tail += 1
        return _Block(
            block.old_from + head,
            block.old_to - tail,
            block.new_from + head,
            block.new_to - tail,
        )

    def _anchors(self, block: _Block) -> list[tuple[int, int]]:
        """Return pairs of equal lines, unique on both sides, rising on both."""
        old = self._old[block.old_from : block.old_to]
        new = self._new[block.new_from : block.new_to]
        old_counts, new_counts = Counter(old), Counter(new)
        where = {
            line: block.new_from + index
            for index, line in enumerate(new)
            if new_counts[line] == 1
        }
        pairs = [
            (block.old_from + index, where[line])
            for index, line in enumerate(old)
            if old_counts[line] == 1 and line in where
        ]
        return _rising(pairs)

    def _by_difflib(self, block: _Block) -> Iterator[_Block]:
        old = self._old[block.old_from : block.old_to]
        new = self._new[block.new_from : block.new_to]
        self._budget -= len(old) * len(new)
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
            if tag != "equal":
                yield _Block(
                    block.old_from + old_from,
                    block.old_from + old_to,
                    block.new_from + new_from,
                    block.new_from + new_to,
                )


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of ``pairs`` whose second numbers rise."""
    tails: list[int] = []  # the lowest last number of a run of each length
    ends: list[int] = []  # the index of the pair that ends that run
    before: list[int] = []
    for index, (_, number) in enumerate(pairs):
        place = bisect_left(tails, number)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            ends.append(index)
        else:
            tails[place], ends[place] = number, index
    run: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    return run[::-1]


def _grouped(blocks: Sequence[_Block], context: int) -> Iterator[list[_Block]]:
    """Yield the blocks that share a hunk, since their context would touch."""
    group: list[_Block] = []
    for each in blocks:
        if group and each.old_from - group[-1].old_to > 2 * context:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _hunk(
    group: Sequence[_Block], old: Sequence[str], new: Sequence[str], context: int
) -> Hunk:
    lead = min(context, group[0].old_from)
    tail = min(context, len(old) - group[-1].old_to)
    old_from, new_from = group[0].old_from - lead, group[0].new_from - lead
    old_to, new_to = group[-1].old_to + tail, group[-1].new_to + tail
    lines: list[Line] = []
    old_at, new_at = old_from, new_from
    for each in (*group, _Block(old_to, old_to, new_to, new_to)):
        for _ in range(each.old_from - old_at):
            text = _bare(old[old_at])
            lines.append(Line(LineKind.CONTEXT, text, old_at + 1, new_at + 1))
            old_at, new_at = old_at + 1, new_at + 1
        for old_at in range(each.old_from, each.old_to):
            lines.append(Line(LineKind.REMOVED, _bare(old[old_at]), old_at + 1, None))
        for new_at in range(each.new_from, each.new_to):
            lines.append(Line(LineKind.ADDED, _bare(new[new_at]), None, new_at + 1))
        old_at, new_at = each.old_to, each.new_to
    old_count, new_count = old_to - old_from, new_to - new_from
    return Hunk(
        old_start=old_from + 1 if old_count else old_from,
        old_count=old_count,
        new_start=new_from + 1 if new_count else new_from,
        new_count=new_count,
        lines=tuple(lines),
    )


def _bare(line: str) -> str:
    return line.removesuffix("\n")
