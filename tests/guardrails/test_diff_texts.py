"""Changes made from two texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrails.diff import from_texts
from guardrails.model import ChangeKind, FileChange, LineKind, text_lines


def rebuilt(change: FileChange, before: str) -> list[str]:
    """Return the lines that the hunks make of ``before``, checking each of them."""
    old, made = text_lines(before), list[str]()
    at = 0
    for hunk in change.hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        made.extend(old[at:start])
        at = start
        assert len(made) == (hunk.new_start - 1 if hunk.new_count else hunk.new_start)
        old_from, new_from = at, len(made)
        for line in hunk.lines:
            if line.kind is not LineKind.ADDED:
                assert (old[at], at + 1) == (line.text, line.old)
                at += 1
            if line.kind is not LineKind.REMOVED:
                made.append(line.text)
                assert line.new == len(made)
        assert (at - old_from, len(made) - new_from) == (hunk.old_count, hunk.new_count)
    return made + old[at:]


LINES = st.lists(st.sampled_from(["", "a", "b", "c", "}", "x\r"]), max_size=60)
TEXTS = st.builds(
    lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"])
)


@settings(database=None, deadline=None, max_examples=300)
@given(before=TEXTS, after=TEXTS, context=st.integers(0, 4))
def test_hunks_lead_from_the_old_text_to_the_new(
    before: str, after: str, context: int
) -> None:
    """Whatever the texts are, the hunks make the new one of the old one."""
    change = from_texts("a.txt", before, after, context=context)

    assert rebuilt(change, before) == text_lines(after)
    assert bool(change.hunks) == (before != after)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, "", ChangeKind.ADDED),
        (None, "a\n", ChangeKind.ADDED),
        ("a\n", None, ChangeKind.REMOVED),
        ("a\n", "b\n", ChangeKind.MODIFIED),
        ("a\n", "a", ChangeKind.MODIFIED),
        ("a\n", "a\n", ChangeKind.UNCHANGED),
        (None, None, ChangeKind.UNCHANGED),
    ],
)
def test_what_happened_follows_from_the_texts(
    before: str | None, after: str | None, kind: ChangeKind
) -> None:
    """A missing side is an added or a removed file."""
    change = from_texts("a.txt", before, after)

    assert (change.kind, change.before, change.after) == (kind, before, after)


def test_an_edit_in_a_long_file_shows_its_neighbourhood_only() -> None:
    """One changed line has three lines of context on either side."""
    lines = [f"line {number}" for number in range(1, 1001)]
    before = "\n".join(lines)
    after = before.replace("line 500\n", "changed\n")

    (hunk,) = from_texts("a.txt", before, after).hunks

    assert (hunk.old_start, hunk.old_count) == (497, 7)
    assert [line.kind.value for line in hunk.lines] == list("   -+   ")


def test_scattered_edits_of_a_long_file_show_only_what_changed() -> None:
    """Between anchors nothing unchanged is called changed."""
    lines = [f"line {number}" for number in range(20_000)]
    after = [f"{line}!" if at % 100 == 50 else line for at, line in enumerate(lines)]

    change = from_texts("a.txt", "\n".join(lines), "\n".join(after))

    assert len(list(change.added_lines())) == len(list(change.removed_lines())) == 200


def test_a_final_newline_that_goes_is_a_change_of_the_last_line() -> None:
    """Texts that differ in nothing else are not equal."""
    change = from_texts("a.txt", "a\nb\n", "a\nb")

    assert [line.text for line in change.added_lines()] == ["b"]


@pytest.mark.parametrize("size", [100_000])
@pytest.mark.parametrize("shape", ["repeated", "swapped", "unrelated", "alternating"])
def test_large_texts_take_bounded_time(size: int, shape: str) -> None:
    """No pair of texts makes the comparison quadratic."""
    numbers = range(size)
    if shape == "repeated":
        old, new = ["a", "b"] * (size // 2), ["b", "b", "a"] * (size // 3)
    elif shape == "swapped":
        old = [str(each) for each in numbers]
        new = old[size // 2 :] + old[: size // 2]
    elif shape == "unrelated":
        old, new = [f"o{each}" for each in numbers], [f"n{each}" for each in numbers]
    else:
        old = [str(each) for each in numbers]
        new = ["x" if each % 2 else str(each) for each in numbers]
    before, after = "\n".join(old), "\n".join(new)

    begun = time.process_time()
    change = from_texts("a.txt", before, after)
    used = time.process_time() - begun

    assert rebuilt(change, before) == new
    assert used < 15


@pytest.mark.parametrize(("between", "hunks"), [(6, 1), (7, 2)])
def test_changes_share_a_hunk_when_their_context_touches(
    between: int, hunks: int
) -> None:
    """Two edits are one hunk, as in git, when six lines or fewer lie between."""
    lines = [str(number) for number in range(30)]
    after = list(lines)
    after[5] = after[5 + between + 1] = "x"

    change = from_texts("a.txt", "\n".join(lines), "\n".join(after))

    assert len(change.hunks) == hunks
