"""Loading a change from git objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.errors import RepositoryError
from app.ports import Tree
from app.review.changes import LoadLimits, load
from guardrails.model import ChangeKind, ChangeSet, FileChange, text_lines
from tests.guardrails.real_git import Repository

BINARY = bytes(range(256))


@dataclass
class MemoryTree:
    """Commits in memory; the diff is recorded from git or given."""

    raw: bytes
    blobs: dict[tuple[str, str], bytes] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    reads: list[tuple[str, str]] = field(default_factory=list)

    def diff(self, base: str, head: str) -> bytes:
        """Return the diff that was given."""
        return self.raw

    def merge_base(self, base: str, head: str) -> str:
        """Return a commit that is neither of the two."""
        return f"merge-base-of-{base}-and-{head}"

    def read(self, commit: str, path: str) -> bytes | None:
        """Return a blob, and note that it was read."""
        self.reads.append((commit, path))
        if path in self.broken:
            raise RepositoryError("bad object")
        return self.blobs.get((commit, path))

    def paths(self, commit: str) -> Sequence[str]:
        """Return the paths of a commit."""
        return sorted(path for at, path in self.blobs if at == commit)


class GitTree:
    """The last two commits of a real repository."""

    def __init__(self, repository: Repository, *options: str) -> None:
        self._repository = repository
        self._options = options
        self.reads: list[str] = []

    def diff(self, base: str, head: str) -> bytes:
        """Return git's diff from the merge base."""
        return self._repository.git(
            "diff", "-M", *self._options, self.merge_base(base, head), head
        )

    def merge_base(self, base: str, head: str) -> str:
        """Return git's merge base."""
        return self._repository.git("merge-base", base, head).decode().strip()

    def read(self, commit: str, path: str) -> bytes | None:
        """Return a blob."""
        self.reads.append(path)
        name = f"{commit}:{path}"
        if self._repository.git("cat-file", "-t", name, check=False) != b"blob\n":
            return None
        return self._repository.git("cat-file", "blob", name)

    def paths(self, commit: str) -> Sequence[str]:
        """Return the regular files of a commit."""
        listed = self._repository.git("ls-tree", "-r", "-z", commit)
        text = listed.decode("utf-8", "surrogateescape")
        entries = [entry.split("\t", 1) for entry in text.split("\0") if entry]
        return [path for meta, path in entries if meta.startswith("100")]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with an empty commit."""
    made = Repository(tmp_path / "repository")
    made.commit()
    return made


def loaded(repository: Repository, tree: Tree | None = None) -> ChangeSet:
    """Commit what was written and load the last commit."""
    repository.commit()
    return load(tree or GitTree(repository), "HEAD~1", "HEAD")


def added(path: str, *lines: str) -> bytes:
    """Return the diff of an added file, for trees in memory."""
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n"
        f"index 0000000..1234567\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{body}"
    ).encode()


def only(change_set: ChangeSet) -> FileChange:
    """Return the one change of a set without gaps."""
    assert change_set.gaps == ()
    (change,) = change_set.files
    return change


def reasons(change_set: ChangeSet) -> list[tuple[str | None, str]]:
    """Return what was not loaded, and why."""
    return [(gap.path, gap.reason) for gap in change_set.gaps]


def test_both_texts_come_from_the_merge_base_and_the_head(
    repository: Repository,
) -> None:
    """What happened on the base branch meanwhile is no part of the change."""
    repository.write("a.txt", b"one\ntwo\n")
    fork = repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("a.txt", b"one\n2\n")
    head = repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("a.txt", b"ONE\ntwo\n")
    repository.write("other.txt", b"x\n")
    repository.commit()

    change_set = load(GitTree(repository), "main", "topic")

    change = only(change_set)
    assert fork != head
    assert (change.before, change.after) == ("one\ntwo\n", "one\n2\n")
    assert [line.text for line in change.added_lines()] == ["2"]


def test_every_kind_of_change_is_loaded(repository: Repository) -> None:
    """Added, removed, renamed, chmod and empty files have the texts they have."""
    repository.write("gone.txt", b"x\n")
    repository.write("notes.txt", b"print(1)\nprint(2)\n")
    repository.write("run.sh", b"#!/bin/sh\n")
    repository.commit()
    (repository.folder / "gone.txt").unlink()
    repository.git("mv", "notes.txt", "payload.py")
    (repository.folder / "run.sh").chmod(0o755)
    repository.write("naïve \udce9.txt", b"latin \xe9\n")
    repository.write("empty.py", b"")

    change_set = loaded(repository)

    assert change_set.gaps == ()
    assert {each.path: (each.before, each.after) for each in change_set.files} == {
        "gone.txt": ("x\n", None),
        "payload.py": ("print(1)\nprint(2)\n", "print(1)\nprint(2)\n"),
        "run.sh": ("#!/bin/sh\n", "#!/bin/sh\n"),
        "naïve \udce9.txt": (None, "latin \udce9\n"),
        "empty.py": (None, ""),
    }


def test_a_pure_rename_counts_as_wholly_added(repository: Repository) -> None:
    """B04: the content that arrives under a new name is looked at."""
    repository.write("notes.txt", b"print(1)\nprint(2)\n")
    repository.commit()
    repository.git("mv", "notes.txt", "payload.py")

    change = only(loaded(repository))

    assert change.kind is ChangeKind.RENAMED
    assert [line.text for line in change.added_lines()] == ["print(1)", "print(2)"]


def test_links_and_submodules_are_never_read(repository: Repository) -> None:
    """B08: a link is its target's name in the diff, and nothing more."""
    sha = repository.commit()
    (repository.folder / "link").symlink_to("/proc/self/environ")
    repository.git("add", "-A")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{sha},library")
    repository.git("commit", "-q", "-m", "links")
    tree = GitTree(repository)

    change_set = load(tree, "HEAD~1", "HEAD")

    assert change_set.gaps == ()
    assert [each.after for each in change_set.files] == [None, None]
    assert tree.reads == []


def test_a_link_that_only_moves_is_a_gap(repository: Repository) -> None:
    """git names no mode then, and a relative link leads elsewhere afterwards."""
    (repository.folder / "deep").mkdir()
    (repository.folder / "deep" / "link").symlink_to("../inside")
    repository.commit()
    repository.git("mv", "deep/link", "link")
    tree = GitTree(repository)

    change_set = loaded(repository, tree)

    assert reasons(change_set) == [
        ("link", "it is a link or a submodule, moved as it was")
    ]
    assert tree.reads == []


def test_a_binary_file_has_no_texts_and_is_no_gap(repository: Repository) -> None:
    """A NUL byte makes a file binary."""
    repository.write("image.png", BINARY)

    change = only(loaded(repository))

    assert change.is_binary
    assert (change.before, change.after) == (None, None)


def test_an_attribute_does_not_make_code_binary(repository: Repository) -> None:
    """What an author declares binary is text when it has no NUL byte."""
    repository.write("payload.py", b"a = 1\n")
    repository.write(".gitattributes", b"*.py binary\n")
    repository.commit()
    repository.write("payload.py", b"a = 1\nb = 2\n")
    tree = GitTree(repository)

    change = only(loaded(repository, tree))

    assert b"Binary files" in tree.diff("HEAD~1", "HEAD")
    assert not change.is_binary
    assert [(line.text, line.new) for line in change.added_lines()] == [("b = 2", 2)]


def test_a_binary_file_that_becomes_code_is_wholly_added(
    repository: Repository,
) -> None:
    """git shows no text of such a change, since one side is binary."""
    repository.write("payload.py", BINARY)
    repository.commit()
    repository.write("payload.py", b"a = 1\n")

    change = only(loaded(repository))

    assert (change.is_binary, change.after) == (False, "a = 1\n")
    assert [line.text for line in change.added_lines()] == ["a = 1"]


def test_nul_bytes_behind_a_text_are_a_gap(repository: Repository) -> None:
    """git takes that for text, an interpreter may too, and nobody sees it whole."""
    repository.write("run.sh", b"echo 1\n" * 2000 + b"\0\n")

    change_set = loaded(repository)

    assert reasons(change_set) == [("run.sh", "it has NUL bytes after its text")]
    assert change_set.files[0].is_binary


def test_a_file_above_the_limit_is_a_gap() -> None:
    """What is too large to be looked at is named."""
    tree = MemoryTree(added("big.txt", "x" * 11), {("head", "big.txt"): b"x" * 11})

    change_set = load(tree, "base", "head", limits=LoadLimits(file_bytes=10))

    assert reasons(change_set) == [("big.txt", "it is larger than 10 bytes")]
    assert change_set.files[0].after is None


def test_texts_above_the_total_are_a_gap() -> None:
    """Many files together are bounded, too."""
    tree = MemoryTree(
        added("a.txt", "12345") + added("b.txt", "12345"),
        {("head", "a.txt"): b"12345\n", ("head", "b.txt"): b"12345\n"},
    )

    change_set = load(tree, "base", "head", limits=LoadLimits(total_bytes=8))

    assert [each.after for each in change_set.files] == ["12345\n", None]
    assert reasons(change_set) == [("b.txt", "the change has more than 8 bytes")]


def test_files_beyond_the_limit_are_listed_and_a_gap() -> None:
    """They keep their hunks, but their texts are not read."""
    names = [f"{number}.txt" for number in range(5)]
    tree = MemoryTree(
        b"".join(added(name, "x") for name in names),
        {("head", name): b"x\n" for name in names},
    )

    change_set = load(tree, "base", "head", limits=LoadLimits(files=3))

    assert [each.path for each in change_set.files] == names
    assert len(tree.reads) == 3
    assert reasons(change_set) == [
        ("3.txt", "2 files beyond the first 3 were not read")
    ]


def test_a_file_that_is_not_there_is_a_gap() -> None:
    """A diff that names what the commit does not have was not looked at."""
    change_set = load(MemoryTree(added("a.txt", "x")), "base", "head")

    assert reasons(change_set) == [("a.txt", "it is not in commit head")]


def test_a_file_that_git_cannot_read_is_a_gap_and_the_others_are_loaded() -> None:
    """One broken object does not end the review."""
    tree = MemoryTree(
        added("a.txt", "x") + added("b.txt", "x"),
        {("head", "b.txt"): b"x\n"},
        broken=frozenset({"a.txt"}),
    )

    change_set = load(tree, "base", "head")

    assert reasons(change_set) == [("a.txt", "it could not be read: bad object")]
    assert change_set.files[1].after == "x\n"


@pytest.mark.parametrize("text", [b"y\n", b"x\ny\n", b"", b"x\n\n"])
def test_a_diff_that_does_not_agree_with_the_text_is_a_gap(text: bytes) -> None:
    """A hunk that was lost or misread shows when both texts are known."""
    tree = MemoryTree(added("a.txt", "x"), {("head", "a.txt"): text})

    assert reasons(load(tree, "base", "head")) == [
        ("a.txt", "its diff does not agree with its text")
    ]


def test_a_lost_hunk_is_a_gap(repository: Repository) -> None:
    """A diff that ends cleanly before its last hunk is not taken for whole."""
    lines = [b"%d\n" % number for number in range(100)]
    repository.write("a.txt", b"".join(lines))
    repository.commit()
    lines[10], lines[90] = b"ten\n", b"ninety\n"
    repository.write("a.txt", b"".join(lines))
    repository.commit()
    raw = repository.diff()
    cut = MemoryTree(
        raw[: raw.rindex(b"@@ -")],
        {
            ("merge-base-of-base-and-head", "a.txt"): repository.git(
                "show", "HEAD~1:a.txt"
            ),
            ("head", "a.txt"): repository.git("show", "HEAD:a.txt"),
        },
    )

    assert only(load(GitTree(repository), "HEAD~1", "HEAD"))
    assert reasons(load(cut, "base", "head")) == [
        ("a.txt", "its diff does not agree with its text")
    ]


def test_gaps_of_the_diff_are_kept() -> None:
    """What the parser could not read stays a gap."""
    tree = MemoryTree(b"garbage\n" + added("a.txt", "x"), {("head", "a.txt"): b"x\n"})

    assert len(load(tree, "base", "head").gaps) == 1


def test_a_diff_that_git_cannot_give_is_an_error() -> None:
    """Without a diff there is nothing to call incomplete."""

    class NoMergeBase(MemoryTree):
        def merge_base(self, base: str, head: str) -> str:
            raise RepositoryError("no merge base")

    with pytest.raises(RepositoryError, match="no merge base"):
        load(NoMergeBase(b""), "base", "head")


def test_crlf_files_agree_with_their_diff(repository: Repository) -> None:
    """B07: carriage returns are content on both ways in."""
    repository.write("a.txt", b"one\r\ntwo\r\nthree")
    repository.commit()
    repository.write("a.txt", b"one\r\n2\nthree\r")

    change = only(loaded(repository))

    assert [line.text for line in change.added_lines()] == ["2", "three\r"]
    assert text_lines(change.after or "") == ["one\r", "2", "three\r"]


def test_a_removed_binary_file_is_no_gap(repository: Repository) -> None:
    """What goes away needs no look when it was no text."""
    repository.write("image.png", BINARY)
    repository.commit()
    (repository.folder / "image.png").unlink()

    change = only(loaded(repository))

    assert (change.kind, change.is_binary) == (ChangeKind.REMOVED, True)


def test_a_large_text_that_git_calls_binary_is_a_gap(repository: Repository) -> None:
    """An attribute and padding together do not make code unseen in silence."""
    repository.write(".gitattributes", b"*.py binary\n")
    repository.commit()
    repository.write("payload.py", b"a = 1\n" * 10)
    repository.commit()

    change_set = load(
        GitTree(repository), "HEAD~1", "HEAD", limits=LoadLimits(file_bytes=10)
    )

    assert reasons(change_set) == [("payload.py", "it is larger than 10 bytes")]


def test_hunks_that_overlap_are_a_gap() -> None:
    """Line numbers never go back."""
    raw = added("a.txt", "x")
    hunk = raw[raw.index(b"@@") :]
    tree = MemoryTree(raw + hunk, {("head", "a.txt"): b"x\n"})

    assert reasons(load(tree, "base", "head")) == [
        ("a.txt", "its diff does not agree with its text")
    ]
