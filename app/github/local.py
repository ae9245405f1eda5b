"""A repository on this machine's disk as a Tree, without obeying it.

The repository is not opened in place: an empty bare repository of our own borrows
its objects, so that neither its configuration, nor ``info/attributes``, hooks,
grafts or replacement objects take part. Only to name commits is git run on it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import RepositoryError
from app.github.command import Git, GitFailed
from app.github.git import GitTree


class LocalRepository:
    """A repository on disk: bare, ordinary or a linked worktree."""

    def __init__(self, path: Path) -> None:
        """Find the repository that ``path`` lies in.

        Raises:
            RepositoryError: there is none.
        """
        if "\n" in str(path):
            raise RepositoryError("the path of the repository contains a newline")
        try:
            said = Git(git_dir=None).run(
                "-C", str(path.resolve()), "-c", "core.bare=false",
                "-c", "safe.directory=*", "rev-parse", "--absolute-git-dir",
                "--path-format=absolute", "--git-common-dir", "--show-object-format",
            )  # fmt: skip
        except GitFailed as error:
            raise RepositoryError(f"no git repository at {path}") from error
        git_dir, common_dir, object_format = said.decode().splitlines()
        self._git_dir = Path(git_dir)
        self._common_dir = Path(common_dir)
        self._object_format = object_format

    @property
    def git_dir(self) -> Path:
        """Return the folder that holds the repository's own files."""
        return self._common_dir

    def resolve(self, revision: str) -> str:
        """Return the full SHA of the commit that ``revision`` names."""
        try:
            said = Git(git_dir=self._git_dir).run(
                "rev-parse", "--verify", "--quiet", "--end-of-options",
                f"{revision}^{{commit}}",
            )  # fmt: skip
        except GitFailed as error:
            raise RepositoryError(f"no such commit: {revision[:200]}") from error
        return said.decode("ascii").strip()

    @contextmanager
    def tree(self) -> Iterator[GitTree]:
        """Give the commits of the repository; the tree ends with the block."""
        with tempfile.TemporaryDirectory(prefix="recloser-") as directory:
            git_dir = make_bare(Path(directory), self._object_format)
            info = git_dir / "objects" / "info"
            info.mkdir(parents=True, exist_ok=True)
            objects = self._common_dir / "objects"
            (info / "alternates").write_text(f"{objects}\n", encoding="utf-8")
            shallow = self._common_dir / "shallow"
            if shallow.is_file():
                shutil.copyfile(shallow, git_dir / "shallow")
            yield GitTree(Git(git_dir=git_dir))


def make_bare(directory: Path, object_format: str = "sha1") -> Path:
    """Make an empty bare repository in ``directory`` and return its place."""
    git_dir = directory / "git"
    Git(git_dir=None).run(
        "init", "--quiet", "--bare", "--template=", "--initial-branch=main",
        f"--object-format={object_format}", str(git_dir),
    )  # fmt: skip
    return git_dir
