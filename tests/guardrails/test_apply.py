"""Proposed edits, applied in memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.apply import Applied, Edit, Rejected, apply
from guardrails.model import text_lines

TEXT = "one\ntwo\nthree\nfour\n"


def edit(start: int, end: int, replacement: str, expected: str | None = None) -> Edit:
    """Return an edit of the lines from ``start`` to ``end``."""
    return Edit(
        start_line=start, end_line=end, replacement=replacement, expected=expected
    )


def made(text: str, wanted: Edit) -> str:
    """Return the text that an edit makes; it must apply where it says."""
    applied = apply(text, wanted)
    assert isinstance(applied, Applied), applied
    assert not applied.moved
    assert (applied.start_line, applied.end_line) == (
        wanted.start_line,
        wanted.end_line,
    )
    return applied.text


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (edit(2, 2, "2"), "one\n2\nthree\nfour\n"),
        (edit(2, 3, "2\n3\n"), "one\n2\n3\nfour\n"),
        (edit(2, 3, ""), "one\nfour\n"),
        (edit(2, 2, "\n"), "one\n\nthree\nfour\n"),
        (edit(1, 0, "zero"), "zero\none\ntwo\nthree\nfour\n"),
        (edit(3, 2, "two and a half\n"), "one\ntwo\ntwo and a half\nthree\nfour\n"),
        (edit(5, 4, "five"), "one\ntwo\nthree\nfour\nfive\n"),
        (edit(4, 4, ""), "one\ntwo\nthree\n"),
        (edit(1, 4, ""), ""),
        (edit(2, 2, "  2", "two"), "one\n  2\nthree\nfour\n"),
    ],
)
def test_an_edit_replaces_inserts_and_deletes(wanted: Edit, text: str) -> None:
    """The named lines become the replacement and nothing else changes."""
    assert made(TEXT, wanted) == text


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        ("a\r\nb\r\n", edit(2, 2, "B\nC\n"), "a\r\nB\r\nC\r\n"),
        ("a\r\nb\r\n", edit(2, 2, "B\r\nC"), "a\r\nB\r\nC\r\n"),
        ("a\r\nb", edit(2, 2, "B\nC"), "a\r\nB\r\nC"),
        ("a\r\nb", edit(3, 2, "c"), "a\r\nb\r\nc"),
        ("a\nb", edit(2, 2, "B\n"), "a\nB"),
        ("a\nb", edit(2, 2, ""), "a"),
        ("a\nb\n", edit(2, 2, "B"), "a\nB\n"),
        ("\ufeffa\nb\n", edit(1, 1, "A"), "\ufeffA\nb\n"),
        ("\ufeffa\nb\n", edit(1, 1, "\ufeffA", "\ufeffa"), "\ufeffA\nb\n"),
        ("a\nb\r\nc\n", edit(2, 2, "B"), "a\nB\r\nc\n"),
        ("a\nb\r\nc\n", edit(3, 3, "C"), "a\nb\r\nC\n"),
        ("a\rb\nc\n", edit(2, 2, "C"), "a\rb\nC\n"),
        ("a\x0cb\u2028c\nd\n", edit(2, 2, "D"), "a\x0cb\u2028c\nD\n"),
        ("", edit(1, 0, "a"), "a\n"),
        ("\r\na", edit(2, 2, ""), "\r\n"),
        ("a\nb", edit(2, 2, "\n"), "a\n\n"),
    ],
)
def test_the_file_keeps_its_own_form(before: str, wanted: Edit, after: str) -> None:
    """Line ends, the byte order mark and the final newline are the file's."""
    assert made(before, wanted) == after


@pytest.mark.parametrize(
    ("start", "end"), [(0, 0), (-1, 2), (5, 5), (4, 5), (6, 5), (3, 1), (10**9, 10**9)]
)
def test_lines_outside_the_file_are_refused(start: int, end: int) -> None:
    """Nothing is clipped to what the file has."""
    rejected = apply(TEXT, edit(start, end, "x"))

    assert isinstance(rejected, Rejected)
    assert "not in the file, which has 4 lines" in rejected.reason


@pytest.mark.parametrize(
    "wanted",
    [
        edit(2, 2, "two"),
        edit(2, 2, "two\n", "two"),
        edit(2, 1, ""),
        edit(1, 4, TEXT),
    ],
)
def test_an_edit_that_changes_nothing_is_refused(wanted: Edit) -> None:
    """A proposal must do something."""
    assert apply(TEXT, wanted) == Rejected(reason="it changes nothing")


@pytest.mark.parametrize("expected", ["two", "two\n", "two  ", "two\t\r\n"])
def test_blanks_at_line_ends_do_not_matter(expected: str) -> None:
    """What should stand there may differ in what nobody sees."""
    assert made(TEXT, edit(2, 2, "2", expected)) == "one\n2\nthree\nfour\n"


@pytest.mark.parametrize("expected", [" two", "TWO", "one\ntwo\nx", "two\n\n", "  "])
def test_an_expectation_that_holds_nowhere_is_refused(expected: str) -> None:
    """The start of a line and its words must be right."""
    assert isinstance(apply(TEXT, edit(2, 2, "2", expected)), Rejected)


def test_an_edit_a_line_off_moves_to_where_it_belongs() -> None:
    """A08: the one place nearby where the expectation holds is taken."""
    applied = apply(TEXT, edit(2, 2, "3", "three"))

    assert applied == Applied(
        text="one\ntwo\n3\nfour\n", start_line=3, end_line=3, moved=True
    )


def test_an_edit_with_the_wrong_number_of_lines_takes_what_it_expects() -> None:
    """A08: a range that is too short would leave a stray line behind."""
    applied = apply(TEXT, edit(2, 2, "2 and 3", "two\nthree"))

    assert applied == Applied(
        text="one\n2 and 3\nfour\n", start_line=2, end_line=3, moved=True
    )


def test_an_edit_that_fits_in_two_places_is_refused() -> None:
    """A08: nothing is guessed."""
    rejected = apply("a\nx\nb\nx\n", edit(3, 3, "y", "x"))

    assert isinstance(rejected, Rejected)
    assert "2 times" in rejected.reason


def test_an_edit_that_fits_where_it_says_ignores_other_places() -> None:
    """The stated place comes first."""
    assert made("x\nx\nx\n", edit(2, 2, "y", "x")) == "x\ny\nx\n"


@pytest.mark.parametrize("direction", [-1, 1])
@pytest.mark.parametrize(("distance", "is_found"), [(20, True), (21, False)])
def test_the_window_ends_after_twenty_lines(
    direction: int, distance: int, is_found: bool
) -> None:
    """A place further away is not this edit's."""
    lines = [f"line {number}" for number in range(1, 101)]
    at = 50 + direction * distance

    applied = apply("\n".join(lines), edit(50, 50, "x", f"line {at}"))

    assert isinstance(applied, Applied) is is_found
    if isinstance(applied, Applied):
        assert applied.start_line == at


def test_a_blank_expectation_is_never_moved() -> None:
    """A blank line stands everywhere and says nothing of the place."""
    assert isinstance(apply("a\nb\n\nc\n", edit(2, 2, "x", "\n")), Rejected)
    assert made("a\n\nb\n", edit(2, 2, "x", "")) == "a\nx\nb\n"


def test_an_insertion_that_expects_lines_is_refused() -> None:
    """It replaces nothing, so it must not claim to know what it replaces."""
    assert isinstance(apply(TEXT, edit(2, 1, "x", "two")), Rejected)
    assert made(TEXT, edit(2, 1, "x", "")) == "one\nx\ntwo\nthree\nfour\n"


LINES = st.lists(st.sampled_from(["", "a", "b ", "  c", "\ufeff"]), max_size=12)


@settings(database=None, deadline=None, max_examples=300)
@given(
    lines=LINES,
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    start=st.integers(-2, 14),
    size=st.integers(-1, 14),
    replacement=st.lists(st.sampled_from(["", "a", "b ", "  c"]), max_size=12),
)
def test_what_is_not_named_stays(
    lines: list[str],
    newline: str,
    ends: bool,
    start: int,
    size: int,
    replacement: list[str],
) -> None:
    """Whatever is edited, the lines before and after it are as they were."""
    text = newline.join(lines) + (newline if ends and lines else "")
    applied = apply(text, edit(start, start + size - 1, "\n".join(replacement)))

    if isinstance(applied, Rejected):
        return
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    assert applied.text.startswith(bom)
    old, new = (
        [line.rstrip("\r") for line in text_lines(each.removeprefix(bom))]
        for each in (text, applied.text)
    )
    rest = old[start + size - 1 :]
    assert new[: start - 1] == old[: start - 1]
    assert new[len(new) - len(rest) :] == rest
    assert len(new) - len(old) == len(text_lines("\n".join(replacement))) - size
