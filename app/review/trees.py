"""The head of a change as an agent may read it: text by path, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from app.ports import Tree

MOST_BYTES = 1_000_000  # of a file that an agent may read


class HeadTree:
    """One commit of a Tree. Links are not followed, binaries are not there."""

    def __init__(self, tree: Tree, commit: str) -> None:
        self._tree = tree
        self._commit = commit

    def read(self, path: str) -> str | None:
        """Return the text of ``path``, ``None`` where there is none."""
        raw = self._tree.read(self._commit, path)
        if raw is None or len(raw) > MOST_BYTES or b"\0" in raw:
            return None
        return raw.decode("utf-8", "surrogateescape")

    def paths(self) -> Sequence[str]:
        """Return all file paths, sorted."""
        return self._tree.paths(self._commit)
