"""B06: a deleted ``-- comment`` line is taken for a ``---`` header."""

from __future__ import annotations

from pathlib import Path

from guardrails import diff
from tests.guardrails.real_git import Repository

DIFF = b"""\
diff --git a/query.sql b/query.sql
index 1111111..2222222 100644
--- a/query.sql
+++ b/query.sql
@@ -1,3 +1,2 @@
 select 1;
--- a/users note
 select 2;
@@ -9 +8 @@
-x
+y
"""


def test_a_deleted_comment_is_content() -> None:
    """There is one file with two hunks, and the numbers go on rightly."""
    change_set = diff.parse(DIFF)

    (change,) = change_set.files
    assert change_set.gaps == ()
    assert len(change.hunks) == 2
    assert [line.text for line in change.removed_lines()] == ["-- a/users note", "x"]
    assert [(line.text, line.new) for line in change.added_lines()] == [("y", 8)]


def test_content_that_looks_like_a_whole_diff_is_content(tmp_path: Path) -> None:
    """A change of a file that holds a diff is one change of that file."""
    repository = Repository(tmp_path / "repository")
    repository.write("kept.patch", DIFF)
    repository.commit()
    repository.write("kept.patch", b"++ b/evil\n" + DIFF[::-1] + b"-- a/evil\n")
    repository.commit()

    change_set = diff.parse(repository.diff())

    assert change_set.gaps == ()
    assert [each.path for each in change_set.files] == ["kept.patch"]
