"""Credentials and a first pull request for tests that speak plain HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import httpx
import jwt

from tests.simulator.client import PullState, SimulatorClient
from tests.simulator.server import LocalGitHub

OWNER, NAME = "acme", "shop"
FILES = {
    "shop/cart.py": "".join(f"line_{number} = {number}\n" for number in range(1, 41)),
    "README.md": "# Shop\n",
}
CHANGED = FILES["shop/cart.py"].replace("line_10 = 10\n", "line_10 = 11\nextra = 1\n")


def app_jwt(github: LocalGitHub, **changes: Any) -> str:
    """Return a JWT of the app; ``changes`` replace its claims."""
    now = github.simulator.world.now()
    claims: dict[str, Any] = {
        "iat": int((now - timedelta(minutes=1)).timestamp()),
        "exp": int((now + timedelta(minutes=9)).timestamp()),
        "iss": str(github.app_id),
    }
    return jwt.encode({**claims, **changes}, github.private_key, algorithm="RS256")


def at(github: LocalGitHub, **ahead: float) -> int:
    """Return a time seen from the simulator's now, as JWTs write it."""
    moment: datetime = github.simulator.world.now() + timedelta(**ahead)
    return int(moment.timestamp())


@cache
def _http() -> httpx.Client:
    """Return one client for all tests: making one reads all certificates."""
    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(trust_env=False, limits=limits, timeout=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """The REST API as one installation sees it."""

    github: LocalGitHub
    token: str
    repository: str = f"{OWNER}/{NAME}"

    def send(
        self, method: str, path: str, json: Any = None, **headers: str
    ) -> httpx.Response:
        """Send one request; ``{repo}`` in the path is the repository."""
        return _http().request(
            method,
            self.github.base_url + path.replace("{repo}", f"repos/{self.repository}"),
            json=json,
            headers={
                "Authorization": f"Bearer {self.token}",
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )

    def get(self, path: str, **headers: str) -> Any:
        """Return the JSON at a path."""
        answer = self.send("GET", path, **headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, json: Any) -> httpx.Response:
        """Send a POST."""
        return self.send("POST", path, json)

    def patch(self, path: str, json: Any) -> httpx.Response:
        """Send a PATCH."""
        return self.send("PATCH", path, json)


def as_app(github: LocalGitHub, **claims: Any) -> Api:
    """Return the API as the app itself sees it."""
    return Api(github=github, token=app_jwt(github, **claims))


def as_installation(github: LocalGitHub, installation_id: int, **body: Any) -> Api:
    """Return the API as an installation sees it."""
    place = f"/app/installations/{installation_id}/access_tokens"
    answer = as_app(github).post(place, body)
    assert answer.status_code == 201, answer.text
    return Api(github=github, token=answer.json()["token"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A repository with one open pull request and who may write to it."""

    github: LocalGitHub
    sim: SimulatorClient
    api: Api
    installation_id: int
    number: int

    @property
    def state(self) -> PullState:
        """Return the pull request as it is now."""
        return self.sim.pull_state(OWNER, NAME, self.number)

    @property
    def head(self) -> str:
        """Return the sha of the pull request's head."""
        return self.state.head_sha


def open_shop(github: LocalGitHub, sim: SimulatorClient) -> Shop:
    """Make the repository and the pull request."""
    made = sim.create_repository(OWNER, NAME, FILES)
    assert made.installation_id is not None
    number = sim.open_pull(
        OWNER,
        NAME,
        "feature",
        {"shop/cart.py": CHANGED, "shop/new.py": "new = 1\n"},
        "Change the cart",
        "Because.",
        "bob",
    )
    return Shop(
        github=github,
        sim=sim,
        api=as_installation(github, made.installation_id),
        installation_id=made.installation_id,
        number=number,
    )
