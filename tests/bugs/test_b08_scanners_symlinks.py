"""B08: a symlink that the change adds must not lead a scanner out of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrails import ChangeKind, ChangeSet, FileChange, evaluate
from guardrails.scanners import default_scanners


@pytest.mark.parametrize("name", ["link.py", "link.sh", "Dockerfile"])
def test_no_scanner_follows_a_link(name: str, tmp_path: Path) -> None:
    """The target holds a finding; nothing of it is in the verdict."""
    target = tmp_path / "outside.py"
    target.write_text("import os\nos.system(input())  # outside\n")
    link = FileChange(
        path=name, kind=ChangeKind.ADDED, new_mode="120000", after=str(target)
    )
    verdict = evaluate(ChangeSet(files=(link,)), rules=(), scanners=default_scanners())
    assert verdict.findings == ()
    assert "outside" not in repr(verdict.gaps)


def test_the_text_of_a_link_is_only_ever_a_text(tmp_path: Path) -> None:
    """Even taken for a regular file, a link is a short text and no way out."""
    target = tmp_path / "outside.py"
    target.write_text("eval(input())\n")
    file = FileChange(path="a.py", kind=ChangeKind.ADDED, after=f"{target}\n")
    verdict = evaluate(ChangeSet(files=(file,)), rules=(), scanners=default_scanners())
    assert all("eval" not in each.evidence for each in verdict.findings)
