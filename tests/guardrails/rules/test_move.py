"""The rule for changes that carry words around."""

from __future__ import annotations

from guardrails import Policy, Severity
from tests.guardrails.builders import change, findings, renamed, words


def test_many_moved_words_are_told() -> None:
    """400 words from one file to another are over the limit of 300."""
    text = words(400)
    files = (change("a.py", "x = 1\n" + text, "x = 1\n"), change("b.py", None, text))
    (finding,) = findings("move", *files)
    assert finding.severity is Severity.MEDIUM
    assert finding.path == "a.py"
    assert "moves 400 words" in finding.message


def test_indentation_does_not_hide_a_move() -> None:
    """Blanks do not count."""
    text = words(400)
    inner = "".join("    " + line for line in text.splitlines(keepends=True))
    files = (change("a.py", text, ""), change("b.py", None, "class A:\n" + inner))
    assert len(findings("move", *files)) == 1


def test_few_moved_words_are_fine() -> None:
    """At the limit nothing is said; the limit is the policy's."""
    text = words(300)
    files = (change("a.py", text, ""), change("b.py", None, text))
    assert findings("move", *files) == []
    assert len(findings("move", *files, policy=Policy(move_limit=299))) == 1


def test_a_renamed_file_is_no_move() -> None:
    """git says that the file has another name; no line went anywhere."""
    assert findings("move", renamed("a.py", "b.py", words(2000))) == []


def test_new_words_are_no_move() -> None:
    """Removed words that do not come back are lost, not moved."""
    files = (
        change("a.py", words(500), ""),
        change("b.py", None, words(500, start=9000)),
    )
    assert findings("move", *files) == []


def test_one_line_is_not_moved_twice() -> None:
    """Three removed copies and one added are one move."""
    line = words(200, line=200)
    files = (change("a.py", line * 3, ""), change("b.py", None, line))
    assert findings("move", *files) == []
