"""B01: the files API leaves the patch out for large or binary files."""

from __future__ import annotations

from app.github.hub import GitHubHub
from app.github.local import LocalRepository
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.conftest import Repository
from tests.app.github.server import Reply, ScriptedServer

LARGE = {
    "filename": "data/big.py",
    "status": "added",
    "additions": 6736,
    "deletions": 0,
    "changes": 6736,
}


def test_git_gives_what_the_api_leaves_out(repository: Repository) -> None:
    """The diff that is looked at comes from git: all 6736 lines are in it."""
    base = repository.commit({"a": "a\n"})
    lines = "".join(f"x{number} = {number}\n" for number in range(6736))
    head = repository.commit({"data/big.py": lines})
    with LocalRepository(repository.path).tree() as tree:
        diff = tree.diff(base, head)
    assert sum(line.startswith(b"+x") for line in diff.split(b"\n")) == 6736


def test_a_row_without_a_patch_is_a_gap(hub: GitHubHub, server: ScriptedServer) -> None:
    """The second-best way says what it does not show; never "nothing changed"."""
    picture = {**LARGE, "filename": "a.png", "additions": 0, "changes": 0}
    good = {**LARGE, "filename": "b.py", "patch": "@@ -0,0 +1 @@\n+x"}
    moved = {**picture, "status": "renamed", "previous_filename": "old.png"}
    null = {**LARGE, "filename": "c.py", "patch": None}
    server.script = [
        Reply(body=[LARGE, picture, good, moved, null]),
        Reply(body={"changed_files": 5}),
    ]
    found = hub.changed_files(1)
    assert [bool(row["gap"]) for row in found.rows] == [True, True, False, False, True]
    assert "too large" in found.rows[0]["gap"]
    assert found.gap == ""
