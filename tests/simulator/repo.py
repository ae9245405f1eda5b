"""Real bare git repositories: every commit, diff and blob comes from git itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
ZERO = "0" * 40


class GitError(Exception):
    """Git said no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What is to stand at a path: content and git's mode."""

    content: bytes
    mode: str = "100644"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who made a commit, and when."""

    name: str
    email: str
    when: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit as git knows it."""

    sha: str
    tree: str
    parents: Sequence[str]
    author: Signature
    committer: Signature
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """One entry of a tree."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: str


@dataclass(frozen=True, slots=True)
class GitRepository:
    """One bare repository on disk."""

    path: Path

    @classmethod
    def create(cls, path: Path, default_branch: str) -> GitRepository:
        """Make an empty repository that serves as GitHub does."""
        path.parent.mkdir(parents=True, exist_ok=True)
        _run(["init", "--quiet", "--bare", f"--initial-branch={default_branch}", path])
        return cls(path)._configured()

    def fork(self, path: Path) -> GitRepository:
        """Copy the branches into a repository of its own."""
        path.parent.mkdir(parents=True, exist_ok=True)
        _run(["clone", "--quiet", "--bare", "--no-hardlinks", self.path, path])
        made = GitRepository(path)._configured()
        for ref in made.git("for-each-ref", "--format=%(refname)", "refs/pull").split():
            made.git("update-ref", "-d", ref)
        return made

    def delete(self) -> None:
        """Remove it from disk."""
        shutil.rmtree(self.path)

    def git(self, *arguments: str, data: bytes | None = None) -> str:
        """Run git in this repository and return what it says."""
        return self.raw(*arguments, data=data).decode("utf-8", "replace")

    def raw(self, *arguments: str, data: bytes | None = None) -> bytes:
        """Run git in this repository and return its bytes."""
        return _run(["-C", self.path, *arguments], data)

    def commit(
        self,
        branch: str,
        files: Mapping[str, File | None],
        *,
        parent: str | None,
        author: Signature,
        message: str,
    ) -> str:
        """Put one commit on ``branch``; None deletes a path."""
        who = f"{author.name} <{author.email}> {int(author.when.timestamp())} +0000"
        text = message.encode()
        parts = [
            f"commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\n".encode(),
            b"data %d\n%s\n" % (len(text), text),
            f"from {parent}\n".encode() if parent else b"",
        ]
        for path, file in files.items():
            if file is None:
                parts.append(b"D %s\n" % _quoted(path))
                continue
            head = f"M {file.mode} inline ".encode() + _quoted(path)
            parts.append(b"%s\ndata %d\n" % (head, len(file.content)) + file.content)
            parts.append(b"\n")
        if parent is None:
            parts.insert(0, f"reset refs/heads/{branch}\n".encode())
        self.raw("fast-import", "--quiet", "--force", data=b"".join(parts))
        return self.tip(branch)

    def tip(self, branch: str) -> str:
        """Return the sha at the end of a branch."""
        return self.resolve(f"refs/heads/{branch}")

    def resolve(self, name: str) -> str:
        """Return the commit that ``name`` means.

        Raises:
            GitError: there is none.
        """
        if name.startswith("-"):
            raise GitError(f"no commit found for {name}")
        return self.git(
            "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"
        ).strip()

    def find(self, ref: str) -> str | None:
        """Return the commit that a branch, tag or sha means, None without one."""
        for name in (f"refs/heads/{ref}", f"refs/tags/{ref}", ref):
            try:
                return self.resolve(name)
            except GitError:
                continue
        return None

    def other_tips(self, branch: str) -> list[str]:
        """Return the ends of all branches but one."""
        form = "%(objectname) %(refname)"
        rows = self.git("for-each-ref", f"--format={form}", "refs/heads").splitlines()
        pairs = [row.split(" ", 1) for row in rows]
        return [sha for sha, name in pairs if name != f"refs/heads/{branch}"]

    def set_ref(self, ref: str, sha: str) -> None:
        """Point ``ref`` at ``sha``."""
        self.git("update-ref", ref, sha)

    def take(self, other: GitRepository, source: str, target: str) -> None:
        """Fetch a ref of another repository into a ref of this one."""
        refs = f"+{source}:{target}"
        self.git("fetch", "--quiet", "--no-tags", str(other.path), refs)

    def merge_base(self, base: str, head: str) -> str | None:
        """Return the merge base of two commits by their shas, None without one."""
        return _merge_base(self, base, head)

    def commits(self, *revisions: str, most: int = 1000) -> list[Commit]:
        """Return commits, oldest first."""
        form = "%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x01"
        options = ("--topo-order", "--reverse", f"--max-count={most}")
        text = self.git("log", *options, f"--format={form}", *revisions, "--")
        return [
            _commit(each.strip("\n")) for each in text.split("\x01") if each.strip()
        ]

    def show(self, sha: str) -> Commit:
        """Return one commit by its sha."""
        return _show(self, sha)

    def touched(self, sha: str) -> dict[str, list[str]]:
        """Return the paths that a commit added, removed and modified."""
        options = ("-r", "--root", "--no-commit-id", "--no-renames", "-z")
        text = self.git("diff-tree", *options, "--name-status", sha)
        fields = text.split("\0")
        made: dict[str, list[str]] = {"added": [], "removed": [], "modified": []}
        names = {"A": "added", "D": "removed"}
        for status, path in zip(fields[::2], fields[1::2], strict=False):
            made[names.get(status, "modified")].append(path)
        return made

    def tree(self, name: str, *, recursive: bool = False) -> list[TreeEntry]:
        """Return the entries of a tree."""
        options = ["-r", "-t"] if recursive else []
        text = self.git("ls-tree", "-z", "--long", *options, name)
        made = []
        for line in filter(None, text.split("\0")):
            head, _, path = line.partition("\t")
            mode, kind, sha, size = head.split()
            number = None if size == "-" else int(size)
            made.append(
                TreeEntry(mode=mode, type=kind, sha=sha, size=number, path=path)
            )
        return made

    def blob(self, sha: str) -> bytes:
        """Return the bytes of a blob."""
        return self.raw("cat-file", "blob", sha)

    def _configured(self) -> GitRepository:
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("config", "gc.auto", "0")
        return self


@lru_cache(maxsize=4096)  # between two shas nothing ever changes
def _merge_base(repository: GitRepository, base: str, head: str) -> str | None:
    try:
        return repository.git("merge-base", base, head).strip()
    except GitError:
        return None


@lru_cache(maxsize=4096)
def _show(repository: GitRepository, sha: str) -> Commit:
    return repository.commits(sha, most=1)[0]


def _run(arguments: Sequence[str | Path], data: bytes | None = None) -> bytes:
    command = ["git", *map(str, arguments)]
    done = subprocess.run(  # git, with arguments made here
        command, input=data, capture_output=True, env=ENVIRONMENT, check=False
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise GitError(f"git {arguments[-1]}: {said or done.returncode}")
    return done.stdout


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'.encode()


def _commit(text: str) -> Commit:
    sha, tree, parents, *people, message = text.split("\0", 9)
    author, committer = (
        Signature(name=name, email=email, when=datetime.fromisoformat(when))
        for name, email, when in (people[:3], people[3:])
    )
    return Commit(
        sha=sha,
        tree=tree,
        parents=parents.split(),
        author=author,
        committer=committer,
        message=message.strip("\n"),
    )
