"""Fetching a pull request from a whole GitHub, over HTTP."""

from __future__ import annotations

import base64
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from app.errors import GitHubError, GitHubRefused, GitHubUnavailable, RepositoryError
from app.github.hub import GitHubHub, GitHubHubFactory
from app.ports import Tree
from tests.app.github.conftest import BASE, HEAD, OpenPull
from tests.app.github.server import FixedClock
from tests.simulator.client import SimulatorClient
from tests.simulator.server import LocalGitHub

GONE = "1" * 40


def _look(hub: GitHubHub, number: int, base: str, head: str) -> tuple[Tree, bytes]:
    with hub.checkout(number, base, head) as tree:
        return tree, tree.diff(base, head)


def test_base_head_and_merge_base_are_there(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """The base branch moved on: the diff still starts where the topic began."""
    start = pull.state.base_sha
    base = people.push_branch("acme", "shop", {"main.py": "later\n"})
    head = pull.state.head_sha
    with live.checkout(pull.number, base, head) as tree:
        assert tree.merge_base(base, head) == start
        diff = tree.diff(base, head)
        assert tree.read(head, "new.py") == HEAD["new.py"].encode()
        assert tree.read(base, "a.py") == BASE["a.py"].encode()
        assert tree.read(base, "main.py") == b"later\n"
        assert tree.paths(head) == [".github/recloser.yml", "a.py", "new.py"]
    assert b"+line twenty" in diff
    assert b"main.py" not in diff


def test_the_history_is_left_behind(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """However long the history is, three commits are fetched."""
    between = people.push_branch("acme", "shop", {"main.py": "1\n"})
    people.push_branch("acme", "shop", {"main.py": "2\n"})
    base = people.push_branch("acme", "shop", {"main.py": "3\n"})
    head = pull.state.head_sha
    with live.checkout(pull.number, base, head) as tree:
        assert tree.read(base, "main.py") == b"3\n"
        with pytest.raises(RepositoryError):
            tree.read(between, "main.py")


def test_everything_is_gone_after_the_block(
    live: GitHubHub,
    pull: OpenPull,
    people: SimulatorClient,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Nothing of the repository stays on the disk, also after an error."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    state = pull.state
    _look(live, pull.number, state.base_sha, state.head_sha)
    with pytest.raises(RepositoryError):
        _look(live, pull.number, state.base_sha, GONE)
    people.clear_violations()  # the comparison of a commit that is not there
    with (
        pytest.raises(ZeroDivisionError),
        live.checkout(pull.number, state.base_sha, state.head_sha),
    ):
        raise ZeroDivisionError
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_token_is_in_the_environment_alone(
    live: GitHubHub,
    pull: OpenPull,
    github: LocalGitHub,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Neither the command lines nor the fetched repository hold it."""
    real = shutil.which("git")
    seen = tmp_path / "seen"
    (tmp_path / "bin").mkdir()
    wrapper = tmp_path / "bin" / "git"
    wrapper.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {seen}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    state = pull.state
    with live.checkout(pull.number, state.base_sha, state.head_sha) as tree:
        directory = tree._git.git_dir  # type: ignore[attr-defined]  # a GitTree
        kept = b"".join(p.read_bytes() for p in directory.rglob("*") if p.is_file())
    commands = seen.read_bytes()
    (token,) = github.simulator.world.tokens
    basic = base64.b64encode(f"x-access-token:{token}".encode())
    assert b" fetch " in commands
    for secret in (token.encode(), basic, b"Authorization"):
        assert secret not in commands
        assert secret not in kept


def test_a_deleted_fork_is_still_read(
    live: GitHubHub, people: SimulatorClient, pull: OpenPull
) -> None:
    """The head stands in the base repository when its fork is gone (B09)."""
    number = people.open_pull(
        "acme", "shop", "far", {"far.py": "evil()\n"}, "Far", "", "eve", fork="eve"
    )
    people.delete_fork("acme", "shop", number)
    now = live.pull(number)
    _, diff = _look(live, number, now.base_sha, now.head_sha)
    assert b"+evil()" in diff


def test_the_head_that_was_asked_for_is_read(
    live: GitHubHub, people: SimulatorClient, pull: OpenPull
) -> None:
    """After a force-push the old head is fetched, never the new one (B14)."""
    old = pull.state
    people.push_commit(
        "acme", "shop", pull.number, {"other.py": "new head\n"}, force=True
    )
    assert pull.state.head_sha != old.head_sha
    _, diff = _look(live, pull.number, old.base_sha, old.head_sha)
    assert b"+line twenty" in diff
    assert b"new head" not in diff


@pytest.mark.parametrize("which", ["base", "head"])
def test_a_commit_that_is_gone_is_an_error(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, which: str
) -> None:
    """No other commit is taken in its place."""
    state = pull.state
    base = GONE if which == "base" else state.base_sha
    head = GONE if which == "head" else state.head_sha
    with pytest.raises(RepositoryError, match="gone"):
        _look(live, pull.number, base, head)
    people.clear_violations()  # the comparison of a commit that is not there


@pytest.mark.parametrize("kind", ["refused_502", "bad_gateway"])
def test_git_says_where_github_cannot_compare(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, kind: str
) -> None:
    """A comparison that GitHub cannot make is made here, with all the history."""
    base = people.push_branch("acme", "shop", {"main.py": "later\n"})
    head, start = pull.state.head_sha, pull.state.base_sha
    fault = {
        "kind": kind,
        "operation": "repos/compare-commits-with-basehead",
        "times": 9,
    }
    people.set_faults(fault)
    with live.checkout(pull.number, base, head) as tree:
        assert people.requests()["repos/compare-commits-with-basehead"] >= 4
        assert tree.merge_base(base, head) == tree.merge_base(base, start) == start
        assert b"main.py" not in tree.diff(base, head)


def test_attributes_and_links_of_the_head_are_harmless(
    live: GitHubHub, people: SimulatorClient, pull: OpenPull
) -> None:
    """A tree that came over HTTP is read as carefully as a local one (B08)."""
    people.push_commit("acme", "shop", pull.number, {".gitattributes": "*.py -diff\n"})
    now = live.pull(pull.number)
    _, diff = _look(live, pull.number, now.base_sha, now.head_sha)
    assert b"+line twenty" in diff


def test_a_token_that_ended_meanwhile_is_renewed(
    live: GitHubHub, people: SimulatorClient, pull: OpenPull, github: LocalGitHub
) -> None:
    """git gets a second try with a new token, like every other request (B31)."""
    world = github.simulator.world

    def forget(operation: str, body: Any) -> Any:
        if operation == "repos/compare-commits-with-basehead":
            world.tokens.clear()
        return body

    github.simulator.rest.mutation = forget
    state = pull.state
    with live.checkout(pull.number, state.base_sha, state.head_sha) as tree:
        assert tree.read(state.head_sha, "new.py") is not None
    assert people.requests()["apps/create-installation-access-token"] == 2


def test_a_repository_that_is_not_seen_is_refused(
    live_factory: GitHubHubFactory, people: SimulatorClient, pull: OpenPull
) -> None:
    """Not seen is not gone: the app lacks access."""
    people.create_repository("acme", "secret", {"a": "1"}, install=False)
    hub = live_factory.hub(pull.installation_id, "acme/secret")
    with pytest.raises(GitHubRefused) as caught:
        _look(hub, 1, GONE, GONE)
    assert caught.value.status == 404


def test_an_outage_is_an_outage(
    live: GitHubHub, pull: OpenPull, github: LocalGitHub
) -> None:
    """Without GitHub there is no tree, and a later try may have one."""
    state = pull.state
    live.pull(pull.number)
    github.stop()
    with pytest.raises(GitHubUnavailable):
        _look(live, pull.number, state.base_sha, state.head_sha)


def test_a_limit_is_handed_up(
    live: GitHubHub, people: SimulatorClient, pull: OpenPull, clock: FixedClock
) -> None:
    """A limited comparison is no reason to fetch all the history."""
    state = pull.state
    people.set_faults({"kind": "secondary", "operation": "*", "times": 9})
    with pytest.raises(GitHubError) as caught:
        _look(live, pull.number, state.base_sha, state.head_sha)
    assert caught.value.status == 403
    assert clock.slept == []
