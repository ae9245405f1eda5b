"""Payloads with the fields that matter, signed requests, and an app to send them to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
from starlette.applications import Starlette

from app.jobs.inbox import DurableInbox, Inbox, open_inbox
from app.telemetry.metrics import Metrics
from app.web.app import create_app
from app.web.health import Check
from app.web.signature import sign

T = TypeVar("T")
Payload = dict[str, Any]

SECRET = b"s3cret-" * 4
APP_ID = 12345
SHA = "a" * 40
OTHER_SHA = "b" * 40
WEBHOOK = "/webhooks/github"


def envelope(action: str = "opened", **more: Any) -> Payload:
    """Build what every event has."""
    return {
        "action": action,
        "installation": {"id": 7},
        "repository": {
            "id": 99,
            "full_name": "octo/hello",
            "default_branch": "main",
        },
        "sender": {"login": "mona", "type": "User"},
        **more,
    }


def pull_request(action: str = "opened", **more: Any) -> Payload:
    """Build a ``pull_request`` event; ``more`` overrides its top level."""
    pull = {
        "number": 5,
        "state": "open",
        "updated_at": "2026-01-02T03:04:05Z",
        "user": {"login": "mona", "type": "User"},
        "head": {"sha": SHA, "ref": "topic", "repo": {"id": 99}},
        "base": {"ref": "main", "repo": {"id": 99, "full_name": "octo/hello"}},
    }
    return envelope(action, number=5, pull_request=pull, **more)


def check_run(action: str = "rerequested", app: int = APP_ID, **more: Any) -> Payload:
    """Build a ``check_run`` event of the app with the number ``app``."""
    run = {
        "head_sha": SHA,
        "external_id": "octo/hello#5@" + SHA,
        "app": {"id": app, "slug": "recloser"},
        "pull_requests": [{"number": 5, "base": {"repo": {"id": 99}}}],
    }
    return envelope(action, check_run=run, **more)


def check_suite(action: str = "rerequested", app: int = APP_ID) -> Payload:
    """Build a ``check_suite`` event as a fork's head gives it."""
    suite: Payload = {
        "head_sha": SHA,
        "head_branch": None,
        "app": {"id": app, "slug": "recloser"},
        "pull_requests": [],
    }
    return envelope(action, check_suite=suite)


def comment(action: str = "created", **more: Any) -> Payload:
    """Build an ``issue_comment`` event."""
    text = {"id": 3, "body": "/recloser retry", "user": {"login": "mona"}}
    issue = {"number": 5, "pull_request": {"url": "x"}}
    return envelope(action, issue=issue, comment={**text, **more})


def review(action: str = "submitted", **more: Any) -> Payload:
    """Build a ``pull_request_review`` event."""
    text = {
        "id": 4,
        "commit_id": SHA,
        "state": "APPROVED",
        "user": {"login": "coderabbitai[bot]", "type": "Bot"},
        **more,
    }
    return envelope(action, pull_request={"number": 5}, review=text)


def merge_group(action: str = "checks_requested") -> Payload:
    """Build a ``merge_group`` event."""
    group = {
        "head_sha": SHA,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-9-{OTHER_SHA}",
        "base_ref": "refs/heads/main",
    }
    return envelope(action, merge_group=group)


def push(ref: str = "refs/heads/main") -> Payload:
    """Build a ``push`` event."""
    commit = {"added": ["a.py"], "modified": [".github/recloser.yml"], "removed": []}
    payload = envelope(ref=ref, after=SHA, commits=[commit, None])
    del payload["action"]
    return payload


def installation(action: str = "created") -> Payload:
    """Build an ``installation`` event."""
    return {
        "action": action,
        "installation": {"id": 7, "account": {"login": "octo"}},
        "repositories": [{"full_name": "octo/hello"}, {"full_name": "../x"}, None],
        "sender": {"login": "mona", "type": "User"},
    }


def repository(action: str = "renamed") -> Payload:
    """Build a ``repository`` event."""
    changes = {"repository": {"name": {"from": "old"}}}
    return envelope(action, changes=changes)


EVERY_EVENT: Mapping[str, Payload] = {
    "pull_request": pull_request(),
    "check_run": check_run(),
    "check_suite": check_suite(),
    "issue_comment": comment(),
    "pull_request_review": review(),
    "merge_group": merge_group(),
    "push": push(),
    "installation": installation(),
    "installation_repositories": {
        **installation("added"),
        "repositories_added": [{"full_name": "octo/new"}],
    },
    "repository": repository(),
}


def request_headers(
    body: bytes,
    event: str = "pull_request",
    delivery: str = "d-1",
    *,
    secret: bytes = SECRET,
) -> dict[str, str]:
    """Build the headers that GitHub sends."""
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery,
        "X-Hub-Signature-256": sign(body, secret).decode(),
    }


@dataclass(slots=True)
class Front:
    """The app behind a client, and what it did."""

    client: httpx.AsyncClient
    inbox: Inbox
    app: Starlette
    metrics: Metrics
    wakes: list[None] = field(default_factory=list)

    async def deliver(
        self,
        payload: Any,
        event: str = "pull_request",
        delivery: str = "d-1",
        **headers: str,
    ) -> httpx.Response:
        """Send ``payload`` as GitHub would; ``headers`` override (``_`` for ``-``)."""
        body = json.dumps(payload).encode()
        made = request_headers(body, event, delivery)
        made |= {key.replace("_", "-"): value for key, value in headers.items()}
        return await self.client.post(WEBHOOK, content=body, headers=made)


@asynccontextmanager
async def front(
    inbox: Inbox,
    *,
    secrets: Sequence[bytes] = (SECRET,),
    readiness: Mapping[str, Check] | None = None,
    max_body_bytes: int = 100_000,
    on_stored: Callable[[], None] | None = None,
    caller: str = "127.0.0.1",
) -> AsyncIterator[Front]:
    """Run the app; a fault in it is an answer of 500, as a server would give."""
    metrics = Metrics()
    wakes = list[None]()
    app = create_app(
        inbox=inbox,
        secrets=secrets,
        readiness=readiness or {},
        metrics=metrics,
        max_body_bytes=max_body_bytes,
        on_stored=on_stored or (lambda: wakes.append(None)),
    )
    transport = httpx.ASGITransport(
        app, raise_app_exceptions=False, client=(caller, 40_000)
    )
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://front") as client,
    ):
        yield Front(client, inbox, app, metrics, wakes)


def new_inbox(folder: Path) -> DurableInbox:
    """Return an inbox in a SQLite file in ``folder``."""
    return open_inbox(f"sqlite:///{folder / 'inbox.db'}")


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run ``work`` on a loop of its own."""

    async def main() -> T:
        return await work()

    return asyncio.run(main())
