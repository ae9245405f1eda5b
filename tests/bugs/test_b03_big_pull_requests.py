"""B03: GitHub stops at 300 files, 20 000 lines, and 3000 rows."""

from __future__ import annotations

from app.github.hub import GitHubHub
from app.github.local import LocalRepository
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.conftest import Repository
from tests.app.github.server import Reply, ScriptedServer

NEXT = {"link": '<https://api.github.com/x>; rel="next"'}


def _rows(first: int, count: int) -> list[dict[str, object]]:
    return [
        {
            "filename": f"new{number}",
            "previous_filename": f"old{number}",
            "status": "renamed",
            "additions": 0,
            "deletions": 0,
            "changes": 0,
        }
        for number in range(first, first + count)
    ]


def test_git_has_no_limit_of_files_or_lines(repository: Repository) -> None:
    """Where the diff by the API would be a 406, git shows everything."""
    base = repository.commit({"a": "a\n"})
    head = repository.commit(
        {f"d/{number}": "line\n" * 70 for number in range(301)}  # 21 070 lines
    )
    with LocalRepository(repository.path).tree() as tree:
        diff = tree.diff(base, head)
    assert diff.count(b"\ndiff --git ") + 1 == 301
    assert diff.count(b"\n+line") == 301 * 70


def test_1700_renames_are_1700_rows(hub: GitHubHub, server: ScriptedServer) -> None:
    """A rename is one row, not an old half and a new half."""
    pages = [Reply(body=_rows(n * 100, 100), headers=NEXT) for n in range(16)]
    server.script = [
        *pages,
        Reply(body=_rows(1600, 100)),
        Reply(body={"changed_files": 1700}),
    ]
    found = hub.changed_files(1)
    assert len(found.rows) == 1700
    assert found.rows[-1]["previous_path"] == "old1699"
    assert found.gap == ""


def test_what_is_not_listed_is_a_gap(hub: GitHubHub, server: ScriptedServer) -> None:
    """After 3000 rows GitHub lists no more; the rest is named, paging ends."""
    pages = [Reply(body=_rows(n * 100, 100), headers=NEXT) for n in range(30)]
    server.script = [*pages, Reply(body={"changed_files": 3412})]
    found = hub.changed_files(1)
    assert len(found.rows) == 3000
    assert found.gap == "412 of 3412 changed files are not listed"
    assert len(server.requests) == 31


def test_an_unknown_count_is_a_gap(hub: GitHubHub, server: ScriptedServer) -> None:
    """Without GitHub's count nobody can say that the list is whole."""
    server.script = [Reply(body=_rows(0, 2)), Reply(body={})]
    assert hub.changed_files(1).gap != ""
