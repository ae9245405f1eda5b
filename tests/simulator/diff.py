"""The diff between two commits as GitHub's API shows it, made by git.

GitHub leaves the patch away for binary files and for a file whose diff is above
500 KB or 20 000 lines; a whole diff above 300 files or 20 000 lines is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tests.simulator.repo import GitRepository

PATCH_BYTES = 500_000
PATCH_LINES = 20_000
DIFF_FILES = 300
_OPTIONS = ("--no-ext-diff", "--no-textconv", "--find-renames", "--no-color")
_STATUS = {
    "A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied",
    "T": "changed",
}  # fmt: skip
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """One file of a diff."""

    path: str
    previous: str
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a patch that a comment may stand on."""

    position: int
    hunk: int
    old: int | None
    new: int | None

    def number(self, side: str) -> int | None:
        """Return the line's number on one side, None when it is not there."""
        return self.old if side == "LEFT" else self.new


@lru_cache(maxsize=1024)  # between two commits nothing ever changes
def text(repository: GitRepository, base: str, head: str) -> str:
    """Return the whole diff as text."""
    return repository.git("diff", *_OPTIONS, base, head)


@lru_cache(maxsize=1024)
def changed_files(
    repository: GitRepository, base: str, head: str
) -> tuple[ChangedFile, ...]:
    """Return the files between two commits, in git's order."""
    raw = repository.git("diff", *_OPTIONS, "-z", "--no-abbrev", "--raw", base, head)
    counts = repository.git("diff", *_OPTIONS, "-z", "--numstat", base, head)
    patches = iter(_patches(text(repository, base, head)))
    numbers = _numstat(counts)
    made = []
    fields = iter(raw.split("\0"))
    for head_line in fields:
        if not head_line:
            break
        _, _, old_sha, new_sha, status = head_line.removeprefix(":").split()
        letter = status[0]
        previous = next(fields)
        path = next(fields) if letter in "RC" else previous
        patch = next(patches)
        if letter == "T":  # git writes a change of type as deletion and addition
            patch = "\n".join(filter(None, (patch, next(patches)))) or None
        additions, deletions = numbers[path]
        made.append(
            ChangedFile(
                path=path,
                previous=previous if letter in "RC" else "",
                status=_STATUS[letter],
                sha=old_sha if letter == "D" else new_sha,
                additions=additions,
                deletions=deletions,
                patch=None if patch is None or _is_large(patch) else patch,
            )
        )
    return tuple(made)


def commentable(patch: str) -> Iterator[DiffLine]:
    """Yield the lines of a patch with their numbers on both sides."""
    old = new = 0
    hunk = -1
    for position, line in enumerate(patch.split("\n")):
        if found := _HUNK.match(line):
            old, new = int(found[1]), int(found[3])
            hunk += 1
            continue
        sign = line[:1]
        if sign == "\\":
            continue
        is_old, is_new = sign in (" ", "-"), sign in (" ", "+")
        yield DiffLine(
            position=position,
            hunk=hunk,
            old=old if is_old else None,
            new=new if is_new else None,
        )
        old += is_old
        new += is_new


def hunk_text(patch: str, position: int) -> str:
    """Return the part of a patch from its hunk's head down to ``position``."""
    lines = patch.split("\n")[: position + 1]
    start = max(index for index, line in enumerate(lines) if line.startswith("@@"))
    return "\n".join(lines[start:])


def _is_large(patch: str) -> bool:
    return len(patch.encode()) > PATCH_BYTES or patch.count("\n") >= PATCH_LINES


def _patches(whole: str) -> Iterator[str | None]:
    for section in re.split(r"^diff --git ", whole, flags=re.MULTILINE)[1:]:
        at = re.search(r"^@@ ", section, flags=re.MULTILINE)
        yield section[at.start() :].removesuffix("\n") if at else None


def _numstat(raw: str) -> dict[str, tuple[int, int]]:
    made = {}
    fields = iter(raw.split("\0"))
    for line in fields:
        if not line:
            break
        added, deleted, path = line.split("\t")
        if not path:  # a rename: the old and the new path follow
            next(fields)
            path = next(fields)
        made[path] = tuple(0 if each == "-" else int(each) for each in (added, deleted))
    return made  # type: ignore[return-value]  # two fields make a pair
