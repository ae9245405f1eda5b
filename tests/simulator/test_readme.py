"""The table of behaviours keeps its word: every line has a source and a test."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent
_ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<source>[^|]+) \| `(?P<test>\w+)` \|$")


def rows() -> list[re.Match[str]]:
    """Return the lines of the table."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    table = text.split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    found = [_ROW.match(line) for line in table]
    assert all(found), [line for line, row in zip(table, found, strict=True) if not row]
    return [row for row in found if row]


def test_every_behaviour_has_a_test_that_exists() -> None:
    """The tests that are named are there."""
    tests = {
        name
        for path in FOLDER.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    assert {row["test"] for row in rows()} - tests == set()


def test_every_behaviour_has_a_source() -> None:
    """Each line links to GitHub's documentation or to somebody who saw it."""
    link = r"\[[^\]]+\]\(https://(?:docs\.)?github\.com/\S+\)"
    assert len(rows()) > 25
    for row in rows():
        assert re.fullmatch(link, row["source"]), row["what"]
