"""All parts of the local GitHub, put together: one ASGI app.

``/_sim/`` is ours, git paths go to git, two kinds of pages are for people, and
everything else is the REST API under its contract.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.simulator import git_http
from tests.simulator.contract import Contract
from tests.simulator.events import Events
from tests.simulator.exchange import RestApi
from tests.simulator.faults import Faults
from tests.simulator.hooks import Hooks
from tests.simulator.rate import Rates
from tests.simulator.rest import manifest
from tests.simulator.state import (
    DEFAULT_EVENTS,
    DEFAULT_PERMISSIONS,
    Account,
    App,
    Hook,
    World,
)

SLUG = "recloser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The app as GitHub knows it."""

    public_key: str
    app_id: int = 1
    slug: str = SLUG
    webhook_url: str = ""
    webhook_secret: str = ""


@dataclass(slots=True)
class Simulator:
    """The local GitHub without a server."""

    world: World
    contract: Contract = field(default_factory=Contract)
    faults: Faults = field(default_factory=Faults)
    hooks: Hooks = field(init=False)
    events: Events = field(init=False)
    rates: Rates = field(init=False)
    rest: RestApi = field(init=False)

    def __post_init__(self) -> None:
        """Put the parts together."""
        self.hooks = Hooks(self.world, self.contract)
        self.events = Events(self.world, self.hooks)
        self.rates = Rates(self.world)
        self.rest = RestApi(
            world=self.world,
            contract=self.contract,
            hooks=self.hooks,
            events=self.events,
            faults=self.faults,
            rates=self.rates,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        from tests.simulator import admin, pages

        if scope["type"] != "http":
            return
        path = scope["path"]
        if path.startswith("/_sim/"):
            answer = await admin.serve(self, Request(scope, receive))
        elif git_http.match(path):
            answer = await git_http.serve(self.world, Request(scope, receive))
        elif scope["method"] == "POST" and path.endswith("/settings/apps/new"):
            answer = await manifest.begin(self.world, Request(scope, receive))
        elif scope["method"] == "GET" and pages.match(path):
            answer = await pages.serve(self, Request(scope, receive))
        else:
            await self.rest(scope, receive, send)
            return
        await answer(scope, receive, send)


def make_world(root: Path, base_url: str, identity: Identity) -> World:
    """Return an empty GitHub that knows the app."""
    owner = Account(id=1001, login="recloser-makers", type="Organization")
    bot = Account(id=1002, login=f"{identity.slug}[bot]", type="Bot")
    app = App(
        id=identity.app_id,
        slug=identity.slug,
        owner=owner,
        bot=bot,
        public_key=identity.public_key,
        permissions=dict(DEFAULT_PERMISSIONS),
        events=list(DEFAULT_EVENTS),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    hook = Hook(id=77, url=identity.webhook_url, secret=identity.webhook_secret)
    world = World(root=root, app=app, hook=hook, base_url=base_url)
    for account in (owner, bot):
        world.accounts[account.login.lower()] = account
    world.ids = itertools.count(10_001)
    return world
