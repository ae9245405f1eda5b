"""Untrusted texts on disk, and the way back from a scanner's line to git's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.engine import Source
from guardrails.model import text_lines
from guardrails.scanners.sources import LineMap, line_at, materialised


@pytest.mark.parametrize(
    "path",
    [
        "head/../../../etc/passwd.py",
        "head//etc/cron.d/x.py",
        "head/a\0b.py",
        "head/" + "d/" * 3000 + "x.py",
        "head/-rf.py",
        "head/.semgrepignore",
        "head/pyproject.toml",
        "head/ruff.toml",
    ],
)
def test_no_name_of_a_change_reaches_the_disk(path: str) -> None:
    """Whatever a path says, the file is a number in our own directory."""
    with materialised([(Source(path=path, text="x"), ".py")]) as workspace:
        names = [each.name for each in workspace.root.iterdir()]
        assert names == ["000000.py"]
        source = workspace.source(str(workspace.root / "000000.py"))
        assert source is not None
        assert source.path == path
    assert not workspace.root.exists()


def test_bytes_that_are_no_text_arrive_unchanged() -> None:
    """A file is written with the very bytes that git holds."""
    raw = b"x = '\xff\xfe'\r\n"
    text = raw.decode("utf-8", "surrogateescape")
    with materialised([(Source(path="head/a.py", text=text), ".py")]) as workspace:
        assert (workspace.root / "000000.py").read_bytes() == raw


def test_files_are_regular_and_ours_alone() -> None:
    """Only the user of the scanner may look into the directory."""
    with materialised([(Source(path="head/a.py", text=""), ".py")]) as workspace:
        assert workspace.root.stat().st_mode & 0o077 == 0
        assert (workspace.root / "000000.py").is_file()
        assert not (workspace.root / "000000.py").is_symlink()


def test_an_unknown_name_has_no_source() -> None:
    """A scanner cannot report about a file that it was not given."""
    with materialised([]) as workspace:
        assert workspace.source("/etc/passwd") is None


def test_a_lone_carriage_return_does_not_shift_lines() -> None:
    """Python counts it as a line, git does not."""
    lines = LineMap("a\rb\nc\r\nd")
    assert lines.at(2) == (1, "a\rb")
    assert lines.at(3) == (2, "c")
    assert lines.at(4) == (3, "d")
    assert lines.at(99) == (3, "d")


@given(st.text(alphabet="ab\n\r", max_size=40))
def test_line_at_agrees_with_the_lines_of_git(text: str) -> None:
    """Every offset lies in the line that ``text_lines`` gives for its number."""
    lines = [*text_lines(text), ""]
    for offset in range(len(text)):
        number, line = line_at(text, offset)
        assert line == lines[number - 1].rstrip("\r")


def test_of_a_very_long_line_only_the_place_is_shown() -> None:
    """Minified code does not flood a report, and two places stay two."""
    text = "a" * 5000 + "HERE" + "b" * 5000
    number, line = line_at(text, 5000)
    assert number == 1
    assert len(line) == 500
    assert "HERE" in line
    assert line_at(text, 9000)[1] != line
