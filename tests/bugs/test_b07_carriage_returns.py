"""B07: a diff with CRLF leaves a carriage return in the path and loses "added"."""

from __future__ import annotations

from pathlib import Path

from guardrails import diff
from guardrails.model import ChangeKind
from tests.guardrails.real_git import Repository


def recorded(tmp_path: Path, content: bytes) -> bytes:
    """Return git's diff of a commit that adds ``w.py`` and an empty file."""
    repository = Repository(tmp_path / "repository")
    repository.commit()
    repository.write("w.py", content)
    repository.write("z.py", b"")
    repository.commit()
    return repository.diff()


def test_a_diff_whose_own_lines_end_in_crlf_reads_like_the_original(
    tmp_path: Path,
) -> None:
    """Path, kind and text are those of the diff before it was rewritten."""
    raw = recorded(tmp_path, b"a = 1\nb = 2\n")

    assert diff.parse(raw.replace(b"\n", b"\r\n")) == diff.parse(raw)
    assert diff.parse(raw).files[0].kind is ChangeKind.ADDED


def test_a_carriage_return_of_the_content_stays_content(tmp_path: Path) -> None:
    """Lines that end in CRLF keep the CR, and the numbers do not move."""
    change_set = diff.parse(recorded(tmp_path, b"a = 1\r\nb = 2\r\nlast\r"))

    assert change_set.gaps == ()
    assert [(line.text, line.new) for line in change_set.files[0].added_lines()] == [
        ("a = 1\r", 1),
        ("b = 2\r", 2),
        ("last\r", 3),
    ]


def test_a_rewritten_diff_of_crlf_content_loses_one_carriage_return_only(
    tmp_path: Path,
) -> None:
    """The CR that the rewriting added goes, the one of the content stays."""
    raw = recorded(tmp_path, b"a = 1\r\n")

    assert diff.parse(raw.replace(b"\n", b"\r\n")) == diff.parse(raw)
