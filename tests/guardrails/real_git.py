"""A real git repository for tests: diffs are recorded from git, never typed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "LC_ALL": "C",
}


class Repository:
    """One repository in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, check: bool = True) -> bytes:
        """Run git and return what it printed."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=_ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(done.stderr.decode())
        return done.stdout

    def write(self, path: str, content: bytes) -> None:
        """Write one file."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def commit(self) -> str:
        """Commit everything and return the SHA."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "next")
        return self.git("rev-parse", "HEAD").decode().strip()

    def diff(self, *options: str) -> bytes:
        """Return the diff of the last commit against the one before."""
        return self.git("diff", *options, "-M", "HEAD~1", "HEAD")
