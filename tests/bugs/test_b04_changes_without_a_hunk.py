"""B04: changes without a hunk vanish and count as reviewed."""

from __future__ import annotations

from guardrails import diff
from guardrails.model import ChangeKind

DIFF = b"""\
diff --git a/notes.txt b/payload.py
similarity index 100%
rename from notes.txt
rename to payload.py
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/pkg/__init__.py b/pkg/__init__.py
new file mode 100644
index 0000000..e69de29
"""


def test_a_pure_rename_a_mode_change_and_an_empty_file_are_three_changes() -> None:
    """All three are listed, each with what happened to it, and none is a gap."""
    change_set = diff.parse(DIFF)

    assert change_set.gaps == ()
    assert [(each.path, each.kind) for each in change_set.files] == [
        ("payload.py", ChangeKind.RENAMED),
        ("run.sh", ChangeKind.CHANGED),
        ("pkg/__init__.py", ChangeKind.ADDED),
    ]
    assert change_set.files[0].old_path == "notes.txt"
    assert (change_set.files[1].old_mode, change_set.files[1].new_mode) == (
        "100644",
        "100755",
    )
