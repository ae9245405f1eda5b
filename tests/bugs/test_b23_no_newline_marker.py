r"""B23: the ``\ No newline at end of file`` marker moves line numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails import diff
from tests.guardrails.real_git import Repository


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"1\n2", b"1\n2\n3\n"),
        (b"1\n2\n", b"1\n2\n3"),
        (b"1\n2", b"0\n1\n2"),
        (b"1", b"2"),
        (b"\\ No newline at end of file", b"\\ No newline at end of file\n2"),
    ],
)
def test_the_marker_is_no_line(tmp_path: Path, before: bytes, after: bytes) -> None:
    """Every line stands at its number, marker or not."""
    repository = Repository(tmp_path / "repository")
    repository.write("a.txt", before)
    repository.write("z.txt", b"z")
    repository.commit()
    repository.write("a.txt", after)
    repository.write("z.txt", b"zz")
    repository.commit()
    raw = repository.diff()

    change_set = diff.parse(raw)

    assert b"\\ No newline" in raw
    assert change_set.gaps == ()
    assert [each.path for each in change_set.files] == ["a.txt", "z.txt"]
    lines = after.decode().split("\n")
    change = change_set.files[0]
    shown = [line for hunk in change.hunks for line in hunk.lines if line.new]
    assert all(lines[(line.new or 0) - 1] == line.text for line in shown)
    assert max(change.right_lines()) <= after.count(b"\n") + (after[-1:] != b"\n")
