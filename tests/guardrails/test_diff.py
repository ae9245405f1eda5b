"""Diffs as real git writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails import diff
from guardrails.model import ChangeKind, ChangeSet, LineKind
from tests.guardrails.real_git import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with one committed file."""
    made = Repository(tmp_path / "repository")
    made.write("base.txt", b"one\ntwo\nthree\n")
    made.commit()
    return made


def parsed(repository: Repository, *options: str) -> ChangeSet:
    """Commit what was written and parse the diff of it."""
    repository.commit()
    return diff.parse(repository.diff(*options))


def test_an_empty_diff_has_no_files_and_no_gaps() -> None:
    """Nothing changed is nothing to look at."""
    assert diff.parse(b"") == ChangeSet()


def test_a_modified_file_has_its_lines_and_numbers(repository: Repository) -> None:
    """Each line knows its number on either side."""
    repository.write("base.txt", b"one\n2\nthree\nfour\n")

    change_set = parsed(repository)

    (change,) = change_set.files
    (hunk,) = change.hunks
    assert change_set.gaps == ()
    assert (change.path, change.kind) == ("base.txt", ChangeKind.MODIFIED)
    assert (change.old_mode, change.new_mode) == ("100644", "100644")
    assert [
        (each.kind.value, each.text, each.old, each.new) for each in hunk.lines
    ] == [
        (" ", "one", 1, 1),
        ("-", "two", 2, None),
        ("+", "2", None, 2),
        (" ", "three", 3, 3),
        ("+", "four", None, 4),
    ]


def test_a_removed_file_keeps_its_path_and_old_mode(repository: Repository) -> None:
    """The path of a removed file is its old one."""
    (repository.folder / "base.txt").unlink()

    (change,) = parsed(repository).files

    assert (change.path, change.kind) == ("base.txt", ChangeKind.REMOVED)
    assert (change.old_mode, change.new_mode) == ("100644", None)
    assert [line.text for line in change.removed_lines()] == ["one", "two", "three"]


def test_an_added_file_has_no_old_side(repository: Repository) -> None:
    """A new file has a new mode and no old path."""
    repository.write("new.txt", b"x\n")

    (change,) = parsed(repository).files

    assert (change.path, change.kind) == ("new.txt", ChangeKind.ADDED)
    assert (change.old_path, change.old_mode, change.new_mode) == (None, None, "100644")


def test_a_rename_with_an_edit_has_both_names(repository: Repository) -> None:
    """A rename names the old path; its hunk is that of the edit."""
    repository.write("base.txt", b"".join(b"line %d\n" % n for n in range(20)))
    repository.commit()
    repository.git("mv", "base.txt", "moved to.txt")
    lines = b"".join(b"line %d\n" % n for n in range(20)) + b"more\n"
    repository.write("moved to.txt", lines)

    change_set = parsed(repository)

    (change,) = change_set.files
    assert change_set.gaps == ()
    assert (change.path, change.old_path) == ("moved to.txt", "base.txt")
    assert change.kind is ChangeKind.RENAMED
    assert [line.text for line in change.added_lines()] == ["more"]


def test_a_copy_is_a_copy(repository: Repository) -> None:
    """With -C git names the source of a copy."""
    repository.write("copy.txt", b"one\ntwo\nthree\n")

    (change,) = parsed(repository, "-C", "--find-copies-harder").files

    assert (change.kind, change.old_path) == (ChangeKind.COPIED, "base.txt")


def test_a_symbolic_link_is_seen_by_its_mode(repository: Repository) -> None:
    """A link is no text file."""
    (repository.folder / "link").symlink_to("../outside")

    (change,) = parsed(repository).files

    assert change.is_symlink
    assert [line.text for line in change.added_lines()] == ["../outside"]


def test_a_file_that_becomes_a_link_is_one_change(repository: Repository) -> None:
    """git writes two sections; the removal must not hide the link."""
    (repository.folder / "base.txt").unlink()
    (repository.folder / "base.txt").symlink_to("/proc/self/environ")

    change_set = parsed(repository)

    (change,) = change_set.files
    assert change_set.gaps == ()
    assert change.kind is ChangeKind.CHANGED
    assert (change.old_mode, change.new_mode) == ("100644", "120000")
    assert [line.text for line in change.added_lines()] == ["/proc/self/environ"]
    assert len(list(change.removed_lines())) == 3


def test_a_submodule_is_seen_by_its_mode(repository: Repository) -> None:
    """A submodule's change is a commit id, not a text."""
    sha = repository.git("rev-parse", "HEAD").decode().strip()
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{sha},library")
    repository.git("commit", "-q", "-m", "submodule")

    (change,) = diff.parse(repository.diff()).files

    assert (change.path, change.is_submodule) == ("library", True)


@pytest.mark.parametrize("options", [(), ("--binary",)])
def test_a_binary_file_is_listed_and_is_no_gap(
    repository: Repository, options: tuple[str, ...]
) -> None:
    """Both ways in which git shows a binary file say that it is one."""
    repository.write("image one.png", bytes(range(256)) * 20)
    repository.write("text.txt", b"after it\n")

    change_set = parsed(repository, *options)

    image, text = change_set.files
    assert change_set.gaps == ()
    assert (image.path, image.is_binary, image.hunks) == ("image one.png", True, ())
    assert [line.text for line in text.added_lines()] == ["after it"]


def test_a_binary_file_that_changes_and_moves_keeps_its_names(
    repository: Repository,
) -> None:
    """A moved binary file is told by its rename lines."""
    blob = bytes(range(256)) * 40
    repository.write("a b/old.bin", blob)
    repository.commit()
    repository.git("mv", "a b/old.bin", "a b/new.bin")
    repository.write("a b/new.bin", blob + b"\0more")

    (change,) = parsed(repository).files

    assert (change.old_path, change.path) == ("a b/old.bin", "a b/new.bin")
    assert change.is_binary


NAMES = [
    "plain.txt",
    "with blank.txt",
    "blank at end ",
    "docs b/x.md",
    "b/x b/x b/x",
    "tab\there",
    'quote"d',
    "back\\slash",
    "naïve file.py",
    "-- dashed",
    "a/b/c",
    "dev/null",
    "new\nline",
    "carriage\r",
    "日本語.txt",
    "'single'",
    '"',
    " leading",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", [b"", b"text\n", b"\0\1binary"])
@pytest.mark.parametrize("quoting", ["true", "false"])
def test_any_name_survives(
    repository: Repository, name: str, content: bytes, quoting: str
) -> None:
    """A path comes out as it is in git, with or without a header that names it."""
    repository.git("config", "core.quotePath", quoting)
    repository.write(name, content)

    change_set = parsed(repository)

    assert change_set.gaps == ()
    assert [each.path for each in change_set.files] == [name]
    assert change_set.files[0].kind is ChangeKind.ADDED


@pytest.mark.parametrize("name", NAMES)
def test_any_name_survives_a_rename_a_mode_change_and_a_removal(
    repository: Repository, name: str
) -> None:
    """The same for changes that have no hunk."""
    repository.write(name, b"some text\n")
    repository.commit()
    (repository.folder / name).chmod(0o755)
    (chmod,) = parsed(repository).files
    (repository.folder / name).rename(repository.folder / "elsewhere")
    (away,) = parsed(repository).files
    (repository.folder / "elsewhere").rename(repository.folder / name)
    (back,) = parsed(repository).files
    (repository.folder / name).unlink()
    (removed,) = parsed(repository).files

    assert (chmod.path, chmod.kind) == (name, ChangeKind.CHANGED)
    assert (away.old_path, away.path) == (name, "elsewhere")
    assert (back.old_path, back.path) == ("elsewhere", name)
    assert (removed.path, removed.kind) == (name, ChangeKind.REMOVED)


def test_a_name_that_is_not_utf8_survives(repository: Repository) -> None:
    """The bytes of a path can be made again from its text."""
    raw = b"latin-\xe9.txt"
    repository.write(raw.decode("utf-8", "surrogateescape"), b"x\n")

    (change,) = parsed(repository).files

    assert change.path.encode("utf-8", "surrogateescape") == raw


def test_lines_are_cut_at_newlines_only(repository: Repository) -> None:
    """Other characters that look like line ends are content."""
    text = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\rh\n"
    repository.write("odd.txt", text.encode())

    (change,) = parsed(repository).files

    assert [line.text for line in change.added_lines()] == [text[:-1]]


def test_a_merge_s_combined_diff_is_a_gap_that_names_the_file(
    repository: Repository,
) -> None:
    """Combined diffs have several old sides; they are not guessed at."""
    repository.git("checkout", "-q", "-b", "other")
    repository.write("base.txt", b"one\nOTHER\nthree\n")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("base.txt", b"one\nMAIN\nthree\n")
    repository.commit()
    repository.git("merge", "other", check=False)
    raw = repository.git("diff")

    change_set = diff.parse(raw)

    assert raw.startswith(b"diff --cc base.txt")
    assert [each.path for each in change_set.files] == ["base.txt"]
    assert [gap.path for gap in change_set.gaps] == ["base.txt"]


def test_a_plain_unified_diff_is_read_too(repository: Repository) -> None:
    """A diff without git's own headers has the same files and lines."""
    repository.write("base.txt", b"one\n2\nthree\n")
    repository.write("second.txt", b"x\n")
    repository.commit()
    raw = b"".join(
        line
        for line in repository.diff().splitlines(keepends=True)
        if not line.startswith((b"diff --git", b"index ", b"new file"))
    )

    change_set = diff.parse(raw)

    assert change_set.gaps == ()
    assert [(each.path, each.kind) for each in change_set.files] == [
        ("base.txt", ChangeKind.MODIFIED),
        ("second.txt", ChangeKind.ADDED),
    ]


def test_a_diff_without_prefixes_is_a_gap(repository: Repository) -> None:
    """Names without a/ and b/ may be cut wrong, so they are reported."""
    repository.write("b/base.txt", b"x\n")

    change_set = parsed(repository, "--no-prefix")

    assert change_set.gaps


def test_a_diff_cut_anywhere_has_a_gap_or_is_whole(repository: Repository) -> None:
    """However a diff is cut, no file and no line is lost in silence."""
    repository.write("base.txt", b"one\n2\nthree\n")
    repository.write("second file.txt", b"x\ny\n")
    repository.commit()
    raw = repository.diff()
    whole = diff.parse(raw)
    ends = [at for at in range(len(raw)) if raw[at:].startswith(b"diff --git")]

    for at in range(1, len(raw) - 1):
        part = diff.parse(raw[:at])
        count = sum(end < at for end in ends)
        if not part.gaps:
            assert part.files[: count - 1] == whole.files[: count - 1]
            last = part.files[-1]
            counted = [len(hunk.lines) for hunk in last.hunks]
            expected = [len(hunk.lines) for hunk in whole.files[count - 1].hunks]
            assert counted == expected, raw[:at]


@pytest.mark.parametrize(
    ("cut", "reason"),
    [
        (b"@@ -1,3 +1,3 @@", "its diff breaks off before the first hunk"),
        (b"+2\n", "a hunk is cut short: its lines are fewer than its header counts"),
        (b"index ", "its diff breaks off after the header"),
    ],
)
def test_a_diff_that_breaks_off_is_a_gap_with_the_path(
    repository: Repository, cut: bytes, reason: str
) -> None:
    """A cut diff names the file that is not whole, and why."""
    repository.write("base.txt", b"one\n2\nthree\n")
    repository.commit()
    raw = repository.diff()

    change_set = diff.parse(raw[: raw.index(cut)])

    assert [(gap.path, gap.reason) for gap in change_set.gaps] == [("base.txt", reason)]


@pytest.mark.parametrize(
    "counts", [b"@@ -1,9 +1,9 @@", b"@@ -1,2 +1,2 @@", b"@@ -1,3 +1,99999999999 @@"]
)
def test_counts_that_do_not_match_are_a_gap_and_the_next_file_is_found(
    repository: Repository, counts: bytes
) -> None:
    """A lying hunk header costs its own file, never the one after it."""
    repository.write("base.txt", b"one\n2\nthree\n")
    repository.write("second.txt", b"x\n")
    repository.commit()
    raw = repository.diff().replace(b"@@ -1,3 +1,3 @@", counts)

    change_set = diff.parse(raw)

    assert [each.path for each in change_set.files] == ["base.txt", "second.txt"]
    assert {gap.path for gap in change_set.gaps} == {"base.txt"}
    assert [each.text for each in change_set.files[1].added_lines()] == ["x"]


def test_content_after_a_broken_hunk_header_never_names_a_file(
    repository: Repository,
) -> None:
    """Behind an unreadable header, content is not taken for headers."""
    repository.write("base.txt", b"one\n-- a/evil\n++ b/evil\nthree\n")
    repository.commit()
    raw = repository.diff().replace(b"@@ -1,3 +1,4 @@", b"@@ -x +y @@")

    change_set = diff.parse(raw)

    assert [each.path for each in change_set.files] == ["base.txt"]
    assert change_set.gaps


def test_garbage_before_the_first_file_is_a_gap() -> None:
    """Words that are no diff are reported, not skipped."""
    change_set = diff.parse(b"fatal: bad object\n")

    assert change_set.files == ()
    assert len(change_set.gaps) == 1


def test_the_same_path_twice_is_a_gap(repository: Repository) -> None:
    """Two changes of one path cannot both be what happened."""
    repository.write("base.txt", b"one\n")
    repository.commit()

    change_set = diff.parse(repository.diff() * 2)

    assert [gap.path for gap in change_set.gaps] == ["base.txt"]


def test_lines_beyond_the_limit_are_a_gap(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is bounded; what was not kept is named."""
    monkeypatch.setattr(diff, "MAX_LINES", 2)
    repository.write("base.txt", b"one\n2\nthree\n")
    repository.write("second.txt", b"x\n")
    repository.commit()

    change_set = diff.parse(repository.diff())

    assert [gap.path for gap in change_set.gaps] == ["base.txt", "second.txt"]
    assert sum(len(h.lines) for f in change_set.files for h in f.hunks) == 2


def test_a_section_heading_is_kept(repository: Repository) -> None:
    """What git prints behind the second @@ is the hunk's section."""
    body = b"def outer():\n" + b"    pass\n" * 10
    repository.write("module.py", body)
    repository.commit()
    repository.write("module.py", body + b"    last\n")

    (change,) = parsed(repository).files

    assert change.hunks[0].section == "def outer():"
    assert change.hunks[0].lines[-1].kind is LineKind.ADDED


@pytest.mark.parametrize("cut", [b"rename to ", b"index "])
def test_a_rename_that_breaks_off_is_a_gap(repository: Repository, cut: bytes) -> None:
    """A rename needs its new name, and its content unless nothing changed."""
    body = b"".join(b"line %d\n" % number for number in range(20))
    repository.write("base.txt", body)
    repository.commit()
    repository.git("mv", "base.txt", "moved.txt")
    repository.write("moved.txt", body + b"more\n")
    repository.commit()
    raw = repository.diff()

    change_set = diff.parse(raw[: raw.index(b"\n" + cut) + 1])

    assert [gap.reason for gap in change_set.gaps] == [
        "its diff breaks off within the header"
    ]


def test_two_names_that_nothing_tells_apart_are_a_gap(repository: Repository) -> None:
    """Binary files compared outside a commit have two names on one line alone."""
    repository.write("ab", b"\0one")
    repository.write("cd", b"\0two")
    raw = repository.git("diff", "--no-index", "ab", "cd", check=False)

    change_set = diff.parse(raw)

    assert b"\n---" not in raw
    assert [gap.path for gap in change_set.gaps] == ["cd"]


def test_a_pure_rename_without_its_new_name_is_a_gap(repository: Repository) -> None:
    """Half of a rename does not say what the file is called now."""
    repository.git("mv", "base.txt", "moved.txt")
    repository.commit()
    raw = repository.diff()

    change_set = diff.parse(raw[: raw.index(b"rename to ")])

    assert len(change_set.gaps) == 1


def test_a_diff_that_ends_within_its_last_line_is_a_gap(
    repository: Repository,
) -> None:
    """git ends every line, so the rest of that line was lost."""
    repository.write("base.txt", b"one\ntwo\nthree\nos.system(evil)\n")
    repository.commit()

    change_set = diff.parse(repository.diff()[: -len(b"(evil)\n")])

    assert [(gap.path, gap.reason) for gap in change_set.gaps] == [
        ("base.txt", "the diff breaks off within a line")
    ]
