"""Claim: a webhook is on the disk and answered within milliseconds, also in a burst.

``python -m benchmarks.intake --json``. A real server process takes signed deliveries
of 12 kB over sockets, each with an id of its own, verifies them, commits them to the
inbox and answers. The client shares the machine. Closed loop: each connection sends
as soon as it was answered. Open loop: deliveries are due at a fixed rate, and the
time counts from when one was due. At the end every answer is looked up in the inbox.
``--database-url postgresql+psycopg://...`` measures PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import uvicorn

from app.jobs.inbox import open_inbox
from app.telemetry.log import configure_logging
from app.telemetry.metrics import Metrics
from app.web.app import create_app
from app.web.signature import sign
from app.web.webhook import PATH

SECRET = b"benchmark-" * 3
SECONDS = 5.0
WARM_SECONDS = 1.0
CLOSED_LOOPS = (1, 32, 128)
OPEN_RATE = 200
OPEN_CONNECTIONS = 32
PAYLOAD = {
    "action": "synchronize",
    "installation": {"id": 7},
    "repository": {"id": 99, "full_name": "octo/hello"},
    "sender": {"login": "mona", "type": "User"},
    "pull_request": {
        "number": 5,
        "state": "open",
        "updated_at": "2026-01-02T03:04:05Z",
        "head": {"sha": "a" * 40},
        "base": {"ref": "main"},
        "labels": [{"id": number, "name": f"label-{number}"} for number in range(265)],
        "body": "x" * 2_700,
    },
}
BODY = json.dumps(PAYLOAD).encode()


@dataclass(slots=True)
class Run:
    """What one load gave."""

    milliseconds: list[float] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    def result(self) -> dict[str, float]:
        """Return rate and percentiles."""
        times = sorted(self.milliseconds)
        seconds = time.perf_counter() - self.began
        return {
            "per_second": round(len(times) / seconds),
            "p50_ms": round(times[len(times) // 2], 2),
            "p99_ms": round(times[int(len(times) * 0.99)], 2),
            "max_ms": round(times[-1], 2),
        }


class Client:
    """Sends deliveries and remembers which ones were acknowledged."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.acknowledged = list[str]()
        self._numbers = count()
        self._head = (
            f"POST {PATH} HTTP/1.1\r\nHost: front\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(BODY)}\r\nX-GitHub-Event: pull_request\r\n"
            f"X-Hub-Signature-256: {sign(BODY, SECRET).decode()}\r\n"
            "X-GitHub-Delivery: "
        )

    async def closed_loop(self, connections: int, seconds: float) -> Run:
        """Keep ``connections`` busy."""
        run = Run()
        end = run.began + seconds

        async def work() -> None:
            reader, writer = await self._connect()
            while (began := time.perf_counter()) < end:
                await self._send(reader, writer)
                run.milliseconds.append((time.perf_counter() - began) * 1000)
            writer.close()

        await asyncio.gather(*(work() for _ in range(connections)))
        return run

    async def open_loop(self, rate: int, seconds: float) -> Run:
        """Send ``rate`` deliveries a second, whether or not the last was answered."""
        run = Run()
        due = (run.began + number / rate for number in range(int(rate * seconds)))

        async def work() -> None:
            reader, writer = await self._connect()
            for moment in due:
                await asyncio.sleep(max(0.0, moment - time.perf_counter()))
                await self._send(reader, writer)
                run.milliseconds.append((time.perf_counter() - moment) * 1000)
            writer.close()

        await asyncio.gather(*(work() for _ in range(OPEN_CONNECTIONS)))
        return run

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        deadline = time.perf_counter() + 20
        while True:
            try:
                return await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                if time.perf_counter() > deadline:
                    raise
                await asyncio.sleep(0.05)

    async def _send(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        delivery_id = f"bench-{next(self._numbers)}"
        writer.write(f"{self._head}{delivery_id}\r\n\r\n".encode() + BODY)
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
        await reader.readexactly(int(length))
        if not head.startswith(b"HTTP/1.1 202"):
            raise SystemExit(f"not taken: {head!r}")
        self.acknowledged.append(delivery_id)


async def load(port: int) -> tuple[dict[str, object], list[str]]:
    """Run all loads; return their results and the acknowledged deliveries."""
    client = Client(port)
    await client.closed_loop(4, WARM_SECONDS)
    results = dict[str, object]()
    for connections in CLOSED_LOOPS:
        run = await client.closed_loop(connections, SECONDS)
        results[f"closed_{connections}"] = run.result()
    run = await client.open_loop(OPEN_RATE, SECONDS)
    results[f"open_{OPEN_RATE}_per_second"] = run.result()
    return results, client.acknowledged


def measure(url: str, log: Path) -> dict[str, object]:
    """Serve an inbox at ``url`` and measure it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "benchmarks.intake", "--serve", str(port)]
    with log.open("w") as lines:
        server = subprocess.Popen([*command, "--database-url", url], stderr=lines)
        try:
            results, acknowledged = asyncio.run(load(port))
        finally:
            server.terminate()
            server.wait(20)
    inbox = open_inbox(url)
    missing = sum(inbox.get(each) is None for each in acknowledged)
    inbox.stop()
    return {
        "body_bytes": len(BODY),
        "database": url.partition(":")[0],
        "cores": os.cpu_count(),
        **results,
        "acknowledged": len(acknowledged),
        "acknowledged_but_missing": missing,
    }


def serve(url: str, port: int) -> None:
    """Serve as the app does, its log included."""
    configure_logging("json")
    app = create_app(
        inbox=open_inbox(url),
        secrets=[SECRET],
        readiness={},
        metrics=Metrics(),
        max_body_bytes=26_214_400,
        on_stored=lambda: None,
    )
    uvicorn.run(app, host="127.0.0.1", port=port, log_config=None, access_log=False)


def main() -> None:
    """Print the result, as JSON with ``--json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--database-url", help="an empty database")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.database_url, given.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        url = given.database_url or f"sqlite:///{folder}/inbox.db"
        result = measure(url, Path(folder) / "log")
    if given.json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
