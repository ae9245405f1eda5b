"""Count the words that a change keeps, loses and moves. Pure and linear.

A word is a run of letters, digits and underscores. What counts as *lost* is a
removed line's words that no added line brings back, in whatever file: a function
that went to another module is moved, not lost.

Delete and create of one path are taken as one rewrite of it (A11).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from guardrails.model import ChangeKind, ChangeSet, FileChange, text_lines

_WORD = re.compile(r"\w+")


def count_words(text: str) -> int:
    """Return how many words ``text`` has."""
    return sum(1 for _ in _WORD.finditer(text))


def words_of(text: str) -> Counter[str]:
    """Return the words of ``text`` with their numbers."""
    return Counter(_WORD.findall(text))


def kept_share(before: str, after: str) -> float:
    """Return the share of the words of ``before`` that ``after`` still has."""
    old = words_of(before)
    size = old.total()
    return (old & words_of(after)).total() / size if size else 1.0


def merged(change_set: ChangeSet) -> ChangeSet:
    """Return ``change_set`` with delete + create of one path as one change (A11)."""
    removed = {
        each.path: each
        for each in change_set.files
        if each.kind is ChangeKind.REMOVED and not each.is_symlink
    }
    added = {
        each.path
        for each in change_set.files
        if each.kind in (ChangeKind.ADDED, ChangeKind.RENAMED, ChangeKind.COPIED)
    }
    twice = removed.keys() & added
    if not twice:
        return change_set
    files = list[FileChange]()
    for each in change_set.files:
        if each.path in twice:
            if each.kind is ChangeKind.REMOVED:
                continue
            old = removed[each.path]
            each = replace(
                each,
                kind=ChangeKind.MODIFIED,
                old_path=None,
                before=old.before if old.before is not None else _removed_text(old),
                hunks=(*old.hunks, *each.hunks),
                old_mode=old.old_mode,
            )
        files.append(each)
    return replace(change_set, files=tuple(files))


def _removed_text(change: FileChange) -> str | None:
    lines = [line.text for line in change.removed_lines()]
    return "\n".join(lines) if lines else None


def removed_text_lines(change: FileChange) -> list[str]:
    """Return the removed lines; a removed file without hunks gives its whole text."""
    if change.hunks or change.kind is not ChangeKind.REMOVED or change.before is None:
        return [line.text for line in change.removed_lines()]
    return text_lines(change.before)


@dataclass(frozen=True, kw_only=True)
class Movement:
    """What one change loses and moves, in words, by the path that gives them.

    ``away`` is the part of ``moved`` that went to another file.
    """

    lost: Counter[str]
    moved: Counter[str]
    away: Counter[str]


def movement(files: Iterable[FileChange]) -> Movement:
    """Return the words that the change takes away and those that it moves."""
    texts = [each for each in files if not each.is_binary and not each.is_submodule]
    arrived: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in texts:
        for line in each.added_lines():
            arrived[_key(line.text)][each.path] += 1
    lost, moved, away = Counter[str](), Counter[str](), Counter[str]()
    for each in texts:
        for text in removed_text_lines(each):
            size = count_words(text)
            place = _take(arrived.get(_key(text)), each.path) if size else None
            if place is None:
                lost[each.path] += size
                continue
            moved[each.path] += size
            if place != each.path:
                away[each.path] += size
    return Movement(lost=lost, moved=moved, away=away)


def _key(text: str) -> str:
    return "".join(text.split())


def _take(places: Counter[str] | None, path: str) -> str | None:
    """Take one arrived line out of ``places``, best from ``path`` itself."""
    if not places:
        return None
    place = path if path in places else next(iter(places))
    places[place] -= 1
    if not places[place]:
        del places[place]
    return place
