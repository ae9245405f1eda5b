"""Git clients see real repositories, with a token and without write access."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

import pytest

from tests.simulator.builders import NAME, OWNER, Shop, as_installation


def git(
    shop: Shop, *arguments: str, token: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run git as somebody who holds a token."""
    value = shop.api.token if token is None else token
    pair = base64.b64encode(f"x-access-token:{value}".encode()).decode()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
    }
    if value:
        environment |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{shop.github.base_url}/.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {pair}",
        }
    return subprocess.run(
        ["git", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
        check=False,
    )


def place(shop: Shop, suffix: str = "") -> str:
    """Return where the repository is cloned from."""
    return f"{shop.github.base_url}/{OWNER}/{NAME}{suffix}"


@pytest.mark.parametrize("suffix", ["", ".git"])
@pytest.mark.parametrize(
    "options", [(), ("--depth=1",), ("--filter=blob:none", "--no-checkout")]
)
def test_a_clone(
    shop: Shop, tmp_path: Path, suffix: str, options: tuple[str, ...]
) -> None:
    """Whole, shallow and without blobs, with and without the suffix."""
    target = tmp_path / "clone"
    done = git(shop, "clone", "-q", *options, place(shop, suffix), str(target))
    assert done.returncode == 0, done.stderr
    shown = git(shop, "show", "HEAD:README.md", cwd=target)
    assert shown.stdout == "# Shop\n"


def test_heads_of_pulls_are_fetched(shop: Shop, tmp_path: Path) -> None:
    """By ref, by sha, and that of a fork which is gone."""
    number = shop.sim.open_pull(
        OWNER, NAME, "theirs", {"f.py": "1\n"}, "T", "", "eve", fork="eve"
    )
    shop.sim.delete_fork(OWNER, NAME, number)
    git(shop, "init", "-q", str(tmp_path / "empty"))
    for wanted in (f"refs/pull/{shop.number}/head", f"refs/pull/{number}/head"):
        done = git(
            shop,
            "fetch",
            "-q",
            "--depth=1",
            place(shop),
            wanted,
            cwd=tmp_path / "empty",
        )
        assert done.returncode == 0, done.stderr
    head = git(shop, "rev-parse", "FETCH_HEAD", cwd=tmp_path / "empty").stdout.strip()
    assert head == shop.sim.pull_state(OWNER, NAME, number).head_sha


def test_a_commit_that_no_ref_names_is_fetched(shop: Shop, tmp_path: Path) -> None:
    """A head that was replaced by force can still be fetched by its sha."""
    old = shop.head
    shop.sim.push_commit(OWNER, NAME, shop.number, {"b.txt": "b\n"}, force=True)
    git(shop, "init", "-q", str(tmp_path / "empty"))
    done = git(shop, "fetch", "-q", place(shop), old, cwd=tmp_path / "empty")
    assert done.returncode == 0, done.stderr
    missing = git(
        shop, "fetch", "-q", place(shop), "0" * 39 + "1", cwd=tmp_path / "empty"
    )
    assert "not our ref" in missing.stderr


@pytest.mark.parametrize("token", ["", "ghs_wrong"])
def test_nobody_clones_without_a_token(shop: Shop, token: str) -> None:
    """401 without or with a wrong token."""
    done = git(shop, "ls-remote", place(shop), token=token)
    assert done.returncode != 0
    assert "could not read Username" in done.stderr or "401" in done.stderr


def test_an_unknown_repository_is_not_found(shop: Shop) -> None:
    """404, as for one that the token does not see."""
    done = git(shop, "ls-remote", f"{shop.github.base_url}/{OWNER}/none")
    assert "not found" in done.stderr


def test_a_token_without_contents_reads_nothing(shop: Shop) -> None:
    """403 without ``contents: read``."""
    api = as_installation(
        shop.github, shop.installation_id, permissions={"checks": "write"}
    )
    done = git(shop, "ls-remote", place(shop), token=api.token)
    assert "403" in done.stderr


def test_nobody_pushes(shop: Shop, tmp_path: Path) -> None:
    """The app may not write code, over git neither."""
    target = tmp_path / "clone"
    git(shop, "clone", "-q", place(shop), str(target))
    done = git(shop, "push", "-q", "origin", "HEAD:refs/heads/mine", cwd=target)
    assert "403" in done.stderr
