"""The rule for files whose words were replaced."""

from __future__ import annotations

from guardrails import Severity
from tests.guardrails.builders import AGENT, change, findings, renamed, words


def test_delete_and_create_of_one_path_is_a_rewrite() -> None:
    """The old content is what the new one is held against (A11)."""
    files = (
        change("a.py", words(300), None),
        change("b.py", "x\n", "y\n"),
        change("a.py", None, words(300, start=5000)),
    )
    (finding,) = findings("rewrite", *files)
    assert "was deleted and created anew: 0% of its 300 words" in finding.message
    assert finding.severity is Severity.MEDIUM


def test_delete_and_create_of_the_same_text_is_fine() -> None:
    """Nothing was lost, so nothing is told."""
    files = (change("a.py", words(300), None), change("a.py", None, words(300)))
    assert findings("rewrite", *files) == []
    assert findings("shrink", *files) == []


def test_a_file_written_anew_is_told() -> None:
    """As many words, but others: shrink cannot see it."""
    file = change("a.py", words(1000), words(1000, start=5000))
    assert findings("shrink", file, policy=AGENT) == []
    (finding,) = findings("rewrite", file, policy=AGENT)
    assert finding.severity is Severity.HIGH
    assert findings("rewrite", file)[0].severity is Severity.MEDIUM


def test_an_edit_is_no_rewrite() -> None:
    """A third of the words may go without a word on it; so may any of a short file."""
    half = words(300) + words(500, start=5000)
    assert findings("rewrite", change("a.py", words(800), half)) == []
    assert findings("rewrite", change("a.py", words(99), words(99, start=500))) == []
    assert findings("rewrite", renamed("a.py", "b.py", words(300), "x\n")) == []
