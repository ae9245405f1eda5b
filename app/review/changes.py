"""Load what a pull request changes: its diff, and both texts of every file.

Everything comes from git objects of two commits; nothing is checked out and no
link is followed (B08). What was not loaded is a Gap. Memory is bounded by Limits.

git calls a file binary when an attribute of the tree says so, and the author of a
change writes those. A file without a NUL byte is therefore text here, whatever git
says, and its hunks are made from its texts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from app.errors import RepositoryError
from app.ports import Tree
from guardrails.diff import from_texts, parse
from guardrails.model import (
    SYMLINK_MODE,
    ChangeKind,
    ChangeSet,
    FileChange,
    Gap,
    Line,
    text_lines,
)

_SNIFFED = 8_000  # bytes in which git itself looks for a NUL


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadLimits:
    """How much of a change is loaded; what is beyond becomes a Gap.

    Args:
        file_bytes: of one side of one file.
        total_bytes: of all texts together.
        files: how many files get their texts.
    """

    file_bytes: int = 1_000_000
    total_bytes: int = 64_000_000
    files: int = 3_000


def load(
    tree: Tree, base: str, head: str, *, limits: LoadLimits | None = None
) -> ChangeSet:
    """Return the changes from the merge base of ``base`` and ``head`` to ``head``.

    Raises:
        RepositoryError: git cannot give the diff or the merge base.
    """
    merge_base = tree.merge_base(base, head)
    loader = _Loader(tree, merge_base, head, limits or LoadLimits())
    return loader.attach(parse(tree.diff(base, head)))


class _Loader:
    """Attaches texts to the files of one ChangeSet."""

    def __init__(self, tree: Tree, base: str, head: str, limits: LoadLimits) -> None:
        self._tree = tree
        self._base, self._head = base, head
        self._limits = limits
        self._left = limits.total_bytes
        self._gaps: list[Gap] = []

    def attach(self, change_set: ChangeSet) -> ChangeSet:
        """Return ``change_set`` with texts, and a Gap for each that is missing."""
        self._gaps = list(change_set.gaps)
        most = self._limits.files
        loaded = [self._file(each) for each in change_set.files[:most]]
        rest = change_set.files[most:]
        if rest:
            reason = f"{len(rest)} files beyond the first {most} were not read"
            self._gaps.append(Gap(reason=reason, path=rest[0].path))
        files = (*loaded, *rest)
        return ChangeSet(files=files, gaps=tuple(self._gaps))

    def _file(self, change: FileChange) -> FileChange:
        if change.is_submodule:
            return change
        if self._has_unknown_mode(change) and change.path not in self._regular:
            self._gap(change, "it is a link or a submodule, moved as it was")
            return change
        base, head = self._raw(change, is_head=False), self._raw(change, is_head=True)
        if head is not None and b"\0" in head:
            if b"\0" not in head[:_SNIFFED]:
                self._gap(change, "it has NUL bytes after its text")
            return replace(change, is_binary=True)
        was_binary = base is not None and b"\0" in base
        if was_binary and change.kind is ChangeKind.REMOVED:
            return replace(change, is_binary=True)
        before = None if was_binary else self._text(change, base)
        after = self._text(change, head)
        if change.is_binary:
            return self._as_text(change, before, after, was_binary=was_binary)
        change = replace(change, before=before, after=after)
        if not _agrees(change):
            self._gap(change, "its diff does not agree with its text")
        return change

    @staticmethod
    def _has_unknown_mode(change: FileChange) -> bool:
        """Tell whether git named no mode: it does not when only the name changed."""
        moved = change.kind in (ChangeKind.RENAMED, ChangeKind.COPIED)
        return moved and change.new_mode is None

    @cached_property
    def _regular(self) -> frozenset[str]:
        return frozenset(self._tree.paths(self._head))

    def _raw(self, change: FileChange, *, is_head: bool) -> bytes | None:
        """Return one side of a file; ``None`` where there is nothing to read."""
        commit = self._head if is_head else self._base
        path = change.path if is_head else change.old_path or change.path
        mode = change.new_mode if is_head else change.old_mode
        absent = ChangeKind.REMOVED if is_head else ChangeKind.ADDED
        if change.kind is absent or mode == SYMLINK_MODE:
            return None
        try:
            raw = self._tree.read(commit, path)
        except RepositoryError as error:
            self._gap(change, f"it could not be read: {error}")
            return None
        if raw is None:
            self._gap(change, f"it is not in commit {commit[:12]}")
        return raw

    def _text(self, change: FileChange, raw: bytes | None) -> str | None:
        if raw is None:
            return None
        if len(raw) > self._limits.file_bytes:
            self._gap(change, f"it is larger than {self._limits.file_bytes} bytes")
            return None
        if len(raw) > self._left:
            self._gap(
                change, f"the change has more than {self._limits.total_bytes} bytes"
            )
            return None
        self._left -= len(raw)
        return raw.decode("utf-8", "surrogateescape")

    @staticmethod
    def _as_text(
        change: FileChange, before: str | None, after: str | None, *, was_binary: bool
    ) -> FileChange:
        """Return a change that git calls binary as the text that it is."""
        has_before = change.kind is ChangeKind.ADDED or was_binary or before is not None
        has_after = change.kind is ChangeKind.REMOVED or after is not None
        if not has_before or not has_after:
            return change  # what was not loaded has its Gap
        made = from_texts(change.path, before, after)
        return replace(
            change, is_binary=False, hunks=made.hunks, before=before, after=after
        )

    def _gap(self, change: FileChange, reason: str) -> None:
        self._gaps.append(Gap(reason=reason, path=change.path))


def _agrees(change: FileChange) -> bool:
    """Tell whether the hunks lead from the old text to the new one, all of it.

    A hunk that got lost or was misread shows here, whatever the reason.
    """
    if change.before is None and change.kind is not ChangeKind.ADDED:
        return True  # nothing to compare with; that it was not loaded has its Gap
    if change.after is None and change.kind is not ChangeKind.REMOVED:
        return True
    old, new = text_lines(change.before or ""), text_lines(change.after or "")
    old_at = new_at = 0
    for line in (line for hunk in change.hunks for line in hunk.lines):
        skipped = _skipped(line, old_at, new_at)
        same = old[old_at : old_at + skipped] == new[new_at : new_at + skipped]
        if skipped < 0 or not same:
            return False
        old_at, new_at = old_at + skipped, new_at + skipped
        if line.old is not None:
            if old[old_at : old_at + 1] != [line.text]:
                return False
            old_at += 1
        if line.new is not None:
            if new[new_at : new_at + 1] != [line.text]:
                return False
            new_at += 1
    return old[old_at:] == new[new_at:]


def _skipped(line: Line, old_at: int, new_at: int) -> int:
    """Return how many unchanged lines lie between here and ``line``."""
    if line.old is not None:
        return line.old - 1 - old_at
    return (line.new or 0) - 1 - new_at
