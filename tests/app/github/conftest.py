"""What the tests of this edge need: a git repository and a GitHub that misbehaves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from app.github.client import GitHubClient
from app.github.hub import GitHubApp, GitHubHub, GitHubHubFactory
from tests.app.github.server import FixedClock, ScriptedServer
from tests.simulator.client import PullState, SimulatorClient
from tests.simulator.keys import KeyPair, make_key_pair
from tests.simulator.server import LocalGitHub

BASE = {
    "a.py": "".join(f"line {n}\n" for n in range(1, 41)),
    ".github/recloser.yml": "enforcement: advise\n",
}
HEAD = {
    "a.py": BASE["a.py"].replace("line 20\n", "line twenty\n"),
    "new.py": "one\ntwo\nthree\n",
}


class OpenPull:
    """An open pull request of ``acme/shop`` and how it stands."""

    def __init__(
        self, people: SimulatorClient, installation_id: int, number: int
    ) -> None:
        self.installation_id = installation_id
        self.number = number
        self._people = people

    @property
    def state(self) -> PullState:
        """Return how it stands now."""
        return self._people.pull_state("acme", "shop", self.number)


class Repository:
    """An ordinary repository with a work tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """Run git in the work tree and return what it says."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.path),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            check=True,
            capture_output=True,
            env=environment,
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def commit(self, files: dict[str, str | bytes | None], message: str = "x") -> str:
        """Write (``None``: delete) files, commit, and return the SHA."""
        for name, content in files.items():
            place = self.path / name
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            place.write_bytes(data)
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    return Repository(tmp_path / "work")


@pytest.fixture(scope="session")
def private_key() -> str:
    """Return a fresh RSA key in PEM form."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()
    ).decode()


@pytest.fixture
def clock() -> FixedClock:
    """Return a clock that stands still."""
    return FixedClock()


@pytest.fixture
def server(clock: FixedClock) -> Iterator[ScriptedServer]:
    """Return a running server with an empty script."""
    with ScriptedServer(clock.now) as running:
        yield running


@pytest.fixture
def factory(
    server: ScriptedServer, private_key: str, clock: FixedClock
) -> GitHubHubFactory:
    """Return a factory that talks to the scripted server."""
    app = GitHubApp(app_id=7, private_key=private_key, base_url=server.url)
    return GitHubHubFactory(app, clock, clock.sleep)


@pytest.fixture
def hub(factory: GitHubHubFactory) -> GitHubHub:
    """Return the hub of ``o/r`` behind the scripted server."""
    return factory.hub(11, "o/r")


@pytest.fixture
def client(hub: GitHubHub) -> GitHubClient:
    """Return the connection under that hub."""
    return hub._client


@pytest.fixture(scope="session")
def keys() -> KeyPair:
    """Return the key pair of an app that exists only here."""
    return make_key_pair()


@pytest.fixture
def github(tmp_path: Path, keys: KeyPair, clock: FixedClock) -> Iterator[LocalGitHub]:
    """Return a whole GitHub; no exchange may break GitHub's own description."""
    with LocalGitHub(tmp_path / "github", keys=keys, clock=clock.now) as running:
        yield running
        assert [str(each) for each in running.violations] == []


@pytest.fixture
def people(github: LocalGitHub) -> Iterator[SimulatorClient]:
    """Return those who use that GitHub."""
    with SimulatorClient(github.base_url) as client:
        yield client


@pytest.fixture
def live_factory(github: LocalGitHub, clock: FixedClock) -> GitHubHubFactory:
    """Return a factory that talks to that GitHub."""
    app = GitHubApp(
        app_id=github.app_id, private_key=github.keys.private, base_url=github.base_url
    )
    return GitHubHubFactory(app, clock, clock.sleep)


@pytest.fixture
def pull(people: SimulatorClient) -> OpenPull:
    """Return a pull request that changes two lines and adds a file."""
    made = people.create_repository("acme", "shop", BASE)
    number = people.open_pull("acme", "shop", "topic", HEAD, "Title", "Body")
    assert made.installation_id is not None
    return OpenPull(people, made.installation_id, number)


@pytest.fixture
def live(live_factory: GitHubHubFactory, pull: OpenPull) -> GitHubHub:
    """Return the hub of the repository that ``pull`` is in."""
    return live_factory.hub(pull.installation_id, "acme/shop")
