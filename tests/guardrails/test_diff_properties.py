"""What holds for any diff: no exception, no lost line, linear time."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guardrails import diff
from guardrails.model import text_lines
from tests.guardrails.real_git import Repository
from tests.guardrails.test_diff_texts import rebuilt

MANY = settings(database=None, deadline=None, max_examples=300)

# Pieces from which a diff is made, so that random input gets deep into the parser.
PIECES = (
    b"diff --git a/x b/x",
    b'diff --git "a/\\303\\257" "b/\\303\\257"',
    b"diff --cc x",
    b"index 1234567..89abcde 100644",
    b"index 0000000..e69de29",
    b"new file mode 100644",
    b"deleted file mode 120000",
    b"old mode 100644",
    b"new mode 160000",
    b"similarity index 90%",
    b"rename from a",
    b'rename to "b\\t"',
    b"copy from ",
    b"--- a/x",
    b"--- /dev/null",
    b'+++ "b/x',
    b"+++ b/x\t",
    b"@@ -1,2 +1,2 @@ section",
    b"@@ -0,0 +1 @@",
    b"@@ -999999999999999999999 +1 @@",
    b"@@@ -1 -1 +1 @@@",
    b"Binary files a/x and b/x differ",
    b"GIT binary patch",
    b"\\ No newline at end of file",
    b"+added",
    b"-removed",
    b" context",
    b"",
    b"\r",
    b"\xff\xfe\0",
)
SHUFFLED = st.lists(st.sampled_from(PIECES), max_size=40).map(b"\n".join)


@MANY
@given(raw=st.one_of(st.binary(max_size=2000), SHUFFLED))
@example(raw=b"diff --git ")
@example(raw=b"diff --git \n--- \n+++ \n")
@example(raw=b'diff --git "\n')
@example(raw=b"diff --cc \n")
@example(raw=b"@@ -1 +1 @@\n-a\n+b\n")
def test_no_input_raises_and_nothing_is_lost_in_silence(raw: bytes) -> None:
    """Any bytes give a ChangeSet; what is no diff gives a gap."""
    change_set = diff.parse(raw)

    assert change_set.files or change_set.gaps or not raw.strip(b"\r\n")
    for change in change_set.files:
        assert change.path
        change.path.encode("utf-8", "surrogateescape")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return git's diff of a commit in which everything happens."""
    repository = Repository(tmp_path_factory.mktemp("recorded") / "repository")
    repository.write("naïve file.py", b"a = 1\nb = 2\n")
    repository.write("gone.txt", b"x\n" * 5)
    repository.write("from.txt", b"".join(b"line %d\n" % n for n in range(12)))
    repository.write("run.sh", b"#!/bin/sh\n")
    repository.write("image.png", bytes(range(256)))
    repository.write("query.sql", b"select 1;\n-- a/users note\nselect 2;\n")
    repository.write("end.txt", b"no newline")
    repository.write("link", b"x")
    repository.commit()
    repository.write("naïve file.py", b"a = 1\nb = 3\n\xff\n")
    (repository.folder / "gone.txt").unlink()
    (repository.folder / "docs b").mkdir()
    repository.git("mv", "from.txt", "docs b/to.txt")
    (repository.folder / "run.sh").chmod(0o755)
    repository.write("image.png", bytes(range(255, -1, -1)))
    repository.write("query.sql", b"select 1;\nselect 2;\n")
    repository.write("end.txt", b"no newline\nmore")
    (repository.folder / "link").unlink()
    (repository.folder / "link").symlink_to("../out")
    repository.write("crlf.txt", b"a\r\nb\r\n")
    repository.write("empty", b"")
    repository.commit()
    return repository.diff()


def test_a_diff_in_which_everything_happens_has_no_gap(recorded: bytes) -> None:
    """Ten changes of ten kinds are ten files, all of them read."""
    change_set = diff.parse(recorded)

    assert change_set.gaps == ()
    assert {each.path: each.kind.value for each in change_set.files} == {
        "crlf.txt": "added",
        "docs b/to.txt": "renamed",
        "empty": "added",
        "end.txt": "modified",
        "gone.txt": "removed",
        "image.png": "modified",
        "link": "changed",
        "naïve file.py": "modified",
        "query.sql": "modified",
        "run.sh": "changed",
    }


@MANY
@given(data=st.data())
def test_a_damaged_diff_never_raises(recorded: bytes, data: st.DataObject) -> None:
    """A real diff with bytes cut out, changed or put in is still read."""
    raw = recorded
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 40)))
    middle = data.draw(st.binary(max_size=20))

    change_set = diff.parse(raw[:start] + middle + raw[end:])

    assert change_set.files or change_set.gaps


CONTENT = st.lists(
    st.sampled_from(
        [b"", b"a", b"-- a/x", b"++ b/x", b"@@ -1 +1 @@", b"x\r", b"\xff", b"\\ No"]
    ),
    max_size=30,
).map(b"\n".join)


@settings(database=None, deadline=None, max_examples=60)
@given(before=CONTENT, after=CONTENT, end=st.sampled_from([b"", b"\n"]))
def test_a_diff_by_git_makes_the_new_text_of_the_old(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes, end: bytes
) -> None:
    """The hunks of a real diff lead from one text to the other."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "old").write_bytes(before)
    (folder / "new").write_bytes(after + end)
    done = subprocess.run(
        ["git", "diff", "--no-index", "--", "old", "new"],
        cwd=folder,
        capture_output=True,
        check=False,
    )

    change_set = diff.parse(done.stdout)

    assert change_set.gaps == ()
    old, new = (
        each.decode("utf-8", "surrogateescape") for each in (before, after + end)
    )
    if before == after + end:
        assert change_set.files == ()
    else:
        (change,) = change_set.files
        assert rebuilt(change, old) == text_lines(new)


def hunk_of(size: int, sign: bytes) -> bytes:
    """Return a diff whose one hunk fills ``size`` bytes."""
    head = b"diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1234567\n"
    head += b"--- /dev/null\n+++ b/x\n@@ -0,0 +1,%d @@\n" % (size // len(sign + b"\n"))
    return head + (sign + b"\n") * (size // len(sign + b"\n"))


# Long lines try the patterns, many lines try the loop.
LONG: dict[str, Callable[[int], bytes]] = {
    "newlines": lambda size: b"\n" * size,
    "one line": lambda size: b"diff --git " + b"a" * size,
    "blanks": lambda size: b"diff --git" + b" b/" * (size // 3),
    "quotes": lambda size: b"diff --git " + b' "' * (size // 2),
    "backslashes": lambda size: b'diff --git "' + b"\\" * size,
    "at signs": lambda size: b"diff --git a/x b/x\n" + b"@" * size,
    "digits": lambda size: b"diff --git a/x b/x\n@@ -" + b"1" * size,
    "long line": lambda size: hunk_of(size, b"+" * (size - 1)),
    "binary": lambda size: b"diff --git a/x b/x\nBinary files " + b" and" * (size // 4),
}
MANY_LINES: dict[str, Callable[[int], bytes]] = {
    "headers": lambda size: b"diff --git a/x b/x\n" * (size // 19),
    "hunks": lambda size: (
        b"diff --git a/x b/x\n" + b"@@ -1 +1 @@\n-a\n+b\n" * (size // 18)
    ),
    "short lines": lambda size: hunk_of(size, b"+"),
}


@pytest.mark.parametrize(
    ("make", "size"),
    [
        *(pytest.param(make, 10_000_000, id=name) for name, make in LONG.items()),
        *(pytest.param(make, 2_000_000, id=name) for name, make in MANY_LINES.items()),
    ],
)
def test_time_is_linear_on_adversarial_input(
    make: Callable[[int], bytes], size: int
) -> None:
    """Ten times the bytes take about ten times as long."""
    used = []
    for raw in (make(size // 10), make(size)):
        begun = time.process_time()
        diff.parse(raw)
        used.append(time.process_time() - begun)

    small, large = used
    assert large < 0.5 + 25 * small
