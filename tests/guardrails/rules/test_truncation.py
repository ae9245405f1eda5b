"""The rule for files that were cut off."""

from __future__ import annotations

import pytest

from guardrails import Severity
from tests.guardrails.builders import change, findings, words


def test_a_file_cut_to_its_first_lines_is_blocked() -> None:
    """31 699 lines became 16: refused whoever did it (A10)."""
    text = words(31_699 * 3, line=3)
    after = "".join(text.splitlines(keepends=True)[:16])
    (finding,) = findings("truncation", change("app.ts", text, after))
    assert finding.severity is Severity.HIGH
    assert "from 95097 words to 48" in finding.message


def test_an_emptied_file_is_blocked() -> None:
    """Nothing left is the deepest cut."""
    assert len(findings("truncation", change("a.py", words(200), ""))) == 1
    assert len(findings("truncation", change("a.py", words(200), "\n \n"))) == 1


def test_long_lines_do_not_hide_a_cut() -> None:
    """A file of one line is measured in words."""
    text = words(5000, line=5000)
    assert len(findings("truncation", change("a.json", text, text[:200]))) == 1


def test_a_file_that_was_recreated_as_a_stub_is_blocked() -> None:
    """Delete and create in two steps is a cut in one (A11)."""
    files = (change("a.py", words(300), None), change("a.py", None, words(10)))
    assert len(findings("truncation", *files)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (words(199), words(1)),
        (words(300), words(40)),
        (words(300), "from new.place import everything  # moved\n"),
    ],
    ids=["short", "a tenth is left", "written anew"],
)
def test_other_losses_are_for_other_rules(before: str, after: str) -> None:
    """Short files, lesser cuts and rewrites are not called cut off."""
    assert findings("truncation", change("a.py", before, after)) == []


def test_a_file_that_went_elsewhere_is_not_cut() -> None:
    """Its words are in another file of the change."""
    text = words(1000)
    files = (
        change("a.py", text, words(8)),
        change("b.py", None, text.partition("\n")[2]),
    )
    assert findings("truncation", *files) == []


@pytest.mark.parametrize(
    "mark",
    [
        "# ... rest of the code remains unchanged ...",
        "// ... existing code ...",
        "    # The rest of the function stays the same",
        "/* remaining methods omitted for brevity */",
        "<!-- rest of the page unchanged -->",
    ],
)
def test_a_mark_in_place_of_code_is_blocked(mark: str) -> None:
    """A comment that says "the rest stays" where lines were is a cut."""
    before = "a = 1\nb = 2\nc = 3\n"
    (finding,) = findings("truncation", change("a.py", before, f"a = 1\n{mark}\n"))
    assert (finding.line, finding.severity) == (2, Severity.HIGH)


@pytest.mark.parametrize(
    "line",
    [
        "# The rest of the arguments go to the parser.",
        "// other options: see the docs",
        "x = '... existing code ...'",
        "# Existing rows keep their ids.",
    ],
)
def test_a_comment_on_the_rest_is_no_mark(line: str) -> None:
    """Comments that explain something are fine."""
    assert findings("truncation", change("a.py", "a = 1\nb\n", f"{line}\nb\n")) == []


def test_a_mark_where_nothing_was_is_fine() -> None:
    """A document or a new file may speak so."""
    mark = "# ... rest of the code remains unchanged ...\n"
    assert findings("truncation", change("a.py", None, mark)) == []
    assert findings("truncation", change("a.md", "x\n", mark)) == []
