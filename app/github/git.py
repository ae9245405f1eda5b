"""Commits of one repository, read through git and never checked out.

Implements ``ports.Tree``. Guarantees: symbolic links are not followed and not
returned (B08), submodules are not there, ``.gitattributes`` of the change cannot
hide a part of it, a merge base is GitHub's own or exact and never guessed from a
shallow history, and everything that cannot be given is a RepositoryError.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.errors import RepositoryError
from app.github.command import Git, GitFailed

MOST_FILE_BYTES = 10_000_000  # of one file
MOST_DIFF_BYTES = 100_000_000  # of one diff
_KEPT_LISTINGS = 4  # commits whose listing is kept
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FILE_MODES = ("100644", "100755", "100664")  # the last one: very old histories
# Everything that a configuration could change is named.
_DIFF_OPTIONS = (
    "-r",
    "-p",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames=50%",
    "-l1000",
    "--full-index",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "--submodule=short",
    "--ignore-submodules=none",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    mode: str
    sha: str
    size: int


class GitTree:
    """The commits of one bare repository. Safe from any thread."""

    def __init__(
        self,
        git: Git,
        *,
        merge_bases: Mapping[tuple[str, str], str] | None = None,
        most_file_bytes: int = MOST_FILE_BYTES,
        most_diff_bytes: int = MOST_DIFF_BYTES,
    ) -> None:
        """Take a repository.

        Args:
            git: git on a bare repository.
            merge_bases: merge bases that are known from elsewhere, by
                ``(base, head)``; needed where the history is shallow.
            most_file_bytes: larger files are an error, never cut.
            most_diff_bytes: larger diffs are an error, never cut.
        """
        self._git = git
        self._merge_bases = dict(merge_bases or {})
        self._most_file_bytes = most_file_bytes
        self._most_diff_bytes = most_diff_bytes
        self._listings = dict[str, dict[str, _Entry]]()
        self._lock = threading.Lock()

    def diff(self, base: str, head: str) -> bytes:
        """Return the raw diff from the merge base of the two to ``head``."""
        start = self.merge_base(base, head)
        return self._git.run(
            "diff-tree", *_DIFF_OPTIONS, start, head, most_output=self._most_diff_bytes
        )

    def merge_base(self, base: str, head: str) -> str:
        """Return the SHA of the merge base."""
        for sha in (base, head):
            _check(sha)
        known = self._merge_bases.get((base, head))
        if known is not None:
            return known
        if base != head and self._is_shallow():
            raise RepositoryError(
                "the history is shallow: the merge base of "
                f"{base[:12]} and {head[:12]} cannot be known for sure"
            )
        try:
            found = self._git.run("merge-base", base, head)
        except GitFailed as error:
            if error.code == 1 and not error.stderr:
                raise RepositoryError(
                    f"{base[:12]} and {head[:12]} share no history"
                ) from error
            raise
        return found.decode("ascii").strip()

    def read(self, commit: str, path: str) -> bytes | None:
        """Return the blob at ``path``, ``None`` where there is no such file."""
        entry = self._listing(commit).get(path)
        if entry is None:
            return None
        if entry.size > self._most_file_bytes:
            raise RepositoryError(
                f"{path} has {entry.size} bytes, more than the limit of "
                f"{self._most_file_bytes}"
            )
        return self._git.run(
            "cat-file", "blob", entry.sha, most_output=self._most_file_bytes
        )

    def paths(self, commit: str) -> Sequence[str]:
        """Return the paths of all regular files at ``commit``, sorted."""
        return sorted(self._listing(commit))

    def has(self, commit: str) -> bool:
        """Tell whether ``commit`` is here."""
        _check(commit)
        try:
            return self._git.run("cat-file", "-t", commit).strip() == b"commit"
        except GitFailed:
            return False

    def _is_shallow(self) -> bool:
        answer = self._git.run("rev-parse", "--is-shallow-repository")
        return answer.strip() != b"false"

    def _listing(self, commit: str) -> dict[str, _Entry]:
        _check(commit)
        with self._lock:
            kept = self._listings.get(commit)
            if kept is None:
                raw = self._git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
                kept = _entries(raw)
                while len(self._listings) >= _KEPT_LISTINGS:
                    del self._listings[next(iter(self._listings))]
                self._listings[commit] = kept
            return kept


def _entries(raw: bytes) -> dict[str, _Entry]:
    """Read ``ls-tree -r -z -l``; links and submodules are left out."""
    entries = dict[str, _Entry]()
    for line in raw.split(b"\0"):
        head, tab, path = line.partition(b"\t")
        if not tab:
            continue
        mode, _, sha, size = head.decode("ascii").split()
        if mode in _FILE_MODES:
            name = path.decode("utf-8", "surrogateescape")
            entries[name] = _Entry(mode=mode, sha=sha, size=int(size))
    return entries


def _check(sha: str) -> None:
    if _SHA.fullmatch(sha) is None:
        raise RepositoryError(f"not a full commit SHA: {sha[:80]!r}")
