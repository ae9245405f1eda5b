"""Pytest fixtures: a local GitHub for each test, held to its contract at the end.

Use them with ``from tests.simulator.fixtures import github, sim`` in a conftest. A test
that breaks the contract on purpose calls ``sim.clear_violations()``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.simulator.client import SimulatorClient
from tests.simulator.keys import KeyPair, make_key_pair
from tests.simulator.server import LocalGitHub


@cache
def session_keys() -> KeyPair:
    """Return one key pair for all tests of a session: making one takes a while."""
    return make_key_pair()


@pytest.fixture
def github(tmp_path: Path) -> Iterator[LocalGitHub]:
    """Give a local GitHub; fail when an exchange broke GitHub's description."""
    with LocalGitHub(tmp_path / "github", keys=session_keys()) as server:
        yield server
    assert_honest(server)


@pytest.fixture
def sim(github: LocalGitHub) -> Iterator[SimulatorClient]:
    """Give the people on the local GitHub."""
    with SimulatorClient(github.base_url) as client:
        yield client


def assert_honest(server: LocalGitHub) -> None:
    """Assert that every exchange and webhook kept to GitHub's description."""
    found = [str(each) for each in server.violations]
    if found:
        raise AssertionError("the contract was broken:\n" + "\n".join(found))
