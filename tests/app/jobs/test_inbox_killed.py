"""Kill -9 under load: what was answered is there."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import httpx
import pytest

from app.jobs.inbox import open_inbox
from app.web.signature import sign
from tests.app.jobs.inbox_process import SECRET
from tests.app.jobs.inboxes import sqlite_url
from tests.app.web.builders import WEBHOOK, pull_request
from tests.postgres import postgres  # noqa: F401  # a fixture, used by its name

pytestmark = [pytest.mark.chaos, pytest.mark.anyio]

KILLS = 5
CONNECTIONS = 16
BODY = json.dumps(pull_request(padding="x" * 10_000)).encode()
HEADERS = {
    "Content-Type": "application/json",
    "X-GitHub-Event": "pull_request",
    "X-Hub-Signature-256": sign(BODY, SECRET).decode(),
}


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of an empty inbox, of each kind in turn."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    made: str = request.getfixturevalue("postgres").new_database()
    return made


async def test_what_was_answered_is_there_after_kill_9(url: str) -> None:
    """Five kills under sixteen connections: acknowledged but missing is none."""
    numbers, acknowledged = count(), set[str]()
    chance = random.Random(7)
    for _ in range(KILLS):
        port = _free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.jobs.inbox_process", url, str(port)]
        )
        try:
            await _until_ready(port)
            senders = [
                asyncio.create_task(_send(port, numbers, acknowledged))
                for _ in range(CONNECTIONS)
            ]
            enough = len(acknowledged) + chance.randint(100, 600)
            async with asyncio.timeout(60):  # under load, and in the midst of it
                while len(acknowledged) < enough:
                    await asyncio.sleep(0.001)
        finally:
            process.kill()
            process.wait()
        await asyncio.gather(*senders)

    inbox = open_inbox(url)
    missing = [each for each in acknowledged if inbox.get(each) is None]
    inbox.stop()
    assert not missing


async def _send(port: int, numbers: count[int], acknowledged: set[str]) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        while True:
            delivery_id = f"d-{next(numbers)}"
            headers = {**HEADERS, "X-GitHub-Delivery": delivery_id}
            try:
                answer = await client.post(WEBHOOK, content=BODY, headers=headers)
            except httpx.HTTPError:
                return  # killed
            assert answer.status_code == 202
            acknowledged.add(delivery_id)


async def _until_ready(port: int) -> None:
    deadline = time.monotonic() + 30
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        while True:
            try:
                assert (await client.get("/readyz")).status_code == 200
                return
            except httpx.HTTPError:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
