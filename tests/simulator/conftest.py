"""The fixtures of the simulator's own tests."""

from __future__ import annotations

import pytest

from tests.simulator.builders import Shop, open_shop
from tests.simulator.client import SimulatorClient
from tests.simulator.fixtures import github, sim
from tests.simulator.server import LocalGitHub

__all__ = ["github", "sim"]


@pytest.fixture
def shop(github: LocalGitHub, sim: SimulatorClient) -> Shop:  # a fixture
    """Give a repository with one open pull request."""
    return open_shop(github, sim)
