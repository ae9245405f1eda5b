"""Rows of GitHub's files API."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails import diff
from guardrails.model import ChangeKind
from tests.guardrails.real_git import Repository

# The words of GitHub's API description, in its order.
STATUSES = (
    "added",
    "removed",
    "modified",
    "renamed",
    "copied",
    "changed",
    "unchanged",
)


def row(**changed: object) -> dict[str, object]:
    """Return a row of the files API for one modified file."""
    made: dict[str, object] = {
        "sha": "587be6b4c3f93f93c489c0111bba5596147a26cb",
        "filename": "app.py",
        "status": "modified",
        "additions": 1,
        "deletions": 1,
        "changes": 2,
        "patch": "@@ -1,2 +1,2 @@ def f():\n same\n-old\n+new",
    }
    return made | changed


def without_patch(**changed: object) -> dict[str, object]:
    """Return a row that has no ``patch`` key, as GitHub leaves it out."""
    made = row(**changed)
    del made["patch"]
    return made


def test_a_patch_has_lines_with_numbers() -> None:
    """The fragment without file headers reads like the same hunk of a diff."""
    change_set = diff.from_rows([row()], 1)

    (change,) = change_set.files
    assert change_set.gaps == ()
    assert [(line.text, line.new) for line in change.added_lines()] == [("new", 2)]
    assert change.hunks[0].section == "def f():"


def test_a_patch_reads_as_git_s_own_diff_does(tmp_path: Path) -> None:
    """Both ways into a ChangeSet give the same hunks."""
    repository = Repository(tmp_path / "repository")
    repository.write("app.py", b"a\nb\r\nc")
    repository.commit()
    repository.write("app.py", b"-- a\nb\r\n\n+++ c")
    repository.commit()
    raw = repository.diff().decode()
    patch = raw[raw.index("@@") :].removesuffix("\n")

    rows = diff.from_rows([row(patch=patch, additions=3, deletions=2)], 1)

    assert rows.gaps == ()
    assert rows.files[0].hunks == diff.parse(raw.encode()).files[0].hunks


def test_an_absent_patch_of_a_text_is_a_gap() -> None:
    """B01: a large file without a patch was not looked at."""
    big = without_patch(
        filename="data/big.py",
        status="added",
        additions=6736,
        deletions=0,
        changes=6736,
    )

    change_set = diff.from_rows([big], 1)

    assert [gap.path for gap in change_set.gaps] == ["data/big.py"]
    assert not change_set.files[0].is_binary


def test_an_absent_patch_of_an_image_is_a_binary_file() -> None:
    """B01: a binary file is listed as one and is no gap."""
    image = without_patch(filename="logo.PNG", additions=0, deletions=0, changes=0)

    change_set = diff.from_rows([image], 1)

    assert change_set.gaps == ()
    assert change_set.files[0].is_binary


def test_code_that_is_shown_as_binary_is_a_gap() -> None:
    """An attribute can make GitHub call code binary; its text was not seen."""
    code = without_patch(filename="payload.py", additions=0, deletions=0, changes=0)

    assert [gap.path for gap in diff.from_rows([code], 1).gaps] == ["payload.py"]


def test_an_empty_file_is_neither_binary_nor_a_gap() -> None:
    """The id of the empty blob tells that there is nothing to see."""
    empty = without_patch(
        filename="pkg/__init__.py",
        status="added",
        changes=0,
        sha="e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    )

    change_set = diff.from_rows([empty], 1)

    assert change_set.gaps == ()
    assert not change_set.files[0].is_binary


@pytest.mark.parametrize("status", STATUSES)
def test_every_known_status_has_its_kind(status: str) -> None:
    """B02: the seven words of the API are the seven kinds."""
    change_set = diff.from_rows([row(status=status)], 1)

    assert change_set.files[0].kind is ChangeKind(status)
    assert change_set.gaps == ()


@pytest.mark.parametrize("status", ["reticulated", None, 7, "deleted"])
def test_an_unknown_status_is_modified_and_a_gap(status: object) -> None:
    """B02: a word that nobody knows is not guessed at."""
    change_set = diff.from_rows([row(status=status)], 1)

    assert change_set.files[0].kind is ChangeKind.MODIFIED
    assert [gap.path for gap in change_set.gaps] == ["app.py"]


def test_a_rename_has_its_old_path() -> None:
    """``previous_filename`` is the old path."""
    moved = without_patch(
        filename="b.py", previous_filename="a.py", status="renamed", changes=0
    )

    change_set = diff.from_rows([moved], 1)

    assert change_set.gaps == ()
    assert change_set.files[0].old_path == "a.py"


def test_rows_that_are_fewer_than_the_changed_files_are_a_gap() -> None:
    """B03: what GitHub did not list was not looked at."""
    assert len(diff.from_rows([row()], 2).gaps) == 1


def test_three_thousand_rows_are_a_gap() -> None:
    """B03: the API ends there, whatever the pull request says."""
    rows = [row(filename=f"f{number}.py") for number in range(3000)]

    assert len(diff.from_rows(rows, 3000).gaps) == 1
    assert len(diff.from_rows(rows, 3412).gaps) == 1
    assert diff.from_rows(rows[:-1], 2999).gaps == ()


def test_many_renames_are_whole() -> None:
    """B03: 1700 renames are 1700 rows, not twice as many."""
    rows = [
        without_patch(
            filename=f"new/{number}.py",
            previous_filename=f"old/{number}.py",
            status="renamed",
            changes=0,
        )
        for number in range(1700)
    ]

    change_set = diff.from_rows(rows, 1700)

    assert change_set.gaps == ()
    assert len(change_set.files) == 1700


def test_a_patch_that_github_cut_is_a_gap() -> None:
    """The row counts more lines than its patch shows."""
    change_set = diff.from_rows([row(additions=400, changes=401)], 1)

    assert [gap.path for gap in change_set.gaps] == ["app.py"]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"filename": None},
        {"filename": ["a"], "status": {}},
        {"filename": "a.py", "patch": 7},
        {"filename": "a.py", "patch": "@@ nonsense", "changes": 1},
        {"filename": "a\ud800.py", "patch": "+\ud800", "status": "added"},
        {"filename": "a.py", "patch": "@@ -1 +1 @@\n+x", "previous_filename": 3},
    ],
)
def test_a_malformed_row_is_a_gap(broken: dict[str, object]) -> None:
    """Nothing that GitHub may send raises, and nothing is dropped in silence."""
    assert diff.from_rows([broken], 1).gaps


def test_lines_beyond_the_limit_are_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded for rows, too; what was not kept is named."""
    monkeypatch.setattr("guardrails.rows.MAX_LINES", 1)

    change_set = diff.from_rows([row(patch="@@ -1,2 +1,2 @@\n\n-old\n+new")], 1)

    assert [gap.path for gap in change_set.gaps] == ["app.py"]
    assert sum(len(hunk.lines) for hunk in change_set.files[0].hunks) == 1
