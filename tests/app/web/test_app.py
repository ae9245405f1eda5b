"""The application as a whole: headers, errors, start and stop, a real server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.jobs.inbox import DurableInbox
from app.telemetry.metrics import Metrics
from app.web.app import create_app
from app.web.headers import SECURITY_HEADERS
from tests.app.web import builders
from tests.app.web.builders import SECRET, WEBHOOK, Front, new_inbox, request_headers

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/nothing", "/"])
async def test_every_answer_carries_the_security_headers(
    door: Front, path: str
) -> None:
    """Pages, refusals and what does not exist alike."""
    response = await door.client.get(path)
    for name, value in SECURITY_HEADERS.items():
        assert response.headers[name] == value


async def test_nothing_is_served_that_is_not_meant_to_be(door: Front) -> None:
    """What does not exist is a 404 without a traceback."""
    for path in ("/", "/docs", "/openapi.json", "/webhooks", "/webhooks/github/x"):
        response = await door.client.post(path)
        assert (response.status_code, response.text) == (404, "Not Found")


@contextmanager
def serving(inbox: DurableInbox, routes: list[Route] | None = None) -> Iterator[str]:
    """Serve the app on a free port by a real server; return its address."""
    app = create_app(
        inbox=inbox,
        secrets=[SECRET],
        readiness={},
        metrics=Metrics(),
        max_body_bytes=100_000,
        on_stored=lambda: None,
        extra_routes=routes or [],
    )
    config = uvicorn.Config(app, port=0, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        deadline = time.monotonic() + 10
        while not server.started:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def test_a_real_server_stores_and_hands_back(tmp_path: Path) -> None:
    """Over a socket, and the inbox is stopped with the server."""
    inbox = new_inbox(tmp_path)
    body = json.dumps(builders.pull_request()).encode()
    with serving(inbox) as address:
        for status, result in ((202, "stored"), (202, "duplicate")):
            response = httpx.post(
                address + WEBHOOK, content=body, headers=request_headers(body)
            )
            assert (response.status_code, response.json()["status"]) == (status, result)
        assert httpx.get(address + "/readyz").status_code == 200
        assert inbox.is_running
    assert not inbox.is_running
    assert len(inbox.pending(9)) == 1  # reading goes on to work
    inbox.stop()


def test_a_real_server_takes_odd_headers(tmp_path: Path) -> None:
    """A byte above 127 in the signature and a body without an end (B11)."""
    body = json.dumps(builders.pull_request()).encode()
    with serving(new_inbox(tmp_path)) as address:
        headers = [(b"X-Hub-Signature-256", b"sha256=\xe9")]
        response = httpx.post(address + WEBHOOK, content=body, headers=headers)
        assert response.status_code == 401
        chunks = (b"x" * 20_000 for _ in range(10))
        response = httpx.post(address + WEBHOOK, content=chunks)
        assert response.status_code == 413


def test_further_pages_keep_their_own_headers(tmp_path: Path) -> None:
    """A page that needs another policy sets it; the rest is added."""

    async def page(_: Request) -> Response:
        return PlainTextResponse("x", headers={"Cache-Control": "max-age=60"})

    with serving(new_inbox(tmp_path), [Route("/page", page)]) as address:
        response = httpx.get(address + "/page")
    assert response.headers["cache-control"] == "max-age=60"
    assert response.headers["x-frame-options"] == "DENY"
