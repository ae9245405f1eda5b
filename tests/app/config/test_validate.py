"""What ``recloser validate`` prints."""

from __future__ import annotations

from app.config.example import example
from app.config.parser import parse
from app.config.validate import report


def lines(text: str) -> list[str]:
    return report(parse(text, source="recloser.yml"))


def test_problems_are_lines_that_an_editor_can_follow() -> None:
    """Each problem begins with file and line; the last line counts them."""
    printed = lines("fuse:\n  tolens: 5\n  repeats: true\n")
    assert printed[0] == (
        "recloser.yml:2: fuse.tolens: unknown key. Did you mean `tokens`?"
    )
    assert printed[1].startswith("recloser.yml:3: fuse.repeats: expected")
    assert printed[2:] == ["2 problems"]


def test_one_problem_is_one() -> None:
    """One problem is counted in the singular."""
    assert lines("- a")[-1] == "1 problem"


def test_the_defaults_are_called_so() -> None:
    """A file that changes nothing is told apart from one that does."""
    assert lines(example()) == ["valid; all keys have their defaults"]


def test_changes_are_listed_with_their_units() -> None:
    """A person sees what the file changes."""
    assert lines("fuse: {deadline: 2m, tools: [search]}") == [
        "valid; these keys differ from the defaults:",
        "  fuse.deadline: 120.0 seconds instead of 600.0 seconds",
        "  fuse.tools: ['search'] instead of "
        "['read_file', 'search', 'list_files', 'propose_change']",
    ]


def test_a_file_cannot_command_the_terminal() -> None:
    """Escape sequences of the file are shown, not sent."""
    (first, _) = lines('"\\e[31mred": 1')
    assert "\x1b" not in first
    assert "\\x1b[31mred" in first
