"""The local GitHub runs as a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import httpx
import jwt

from tests.simulator.client import SimulatorClient
from tests.simulator.server import KEY_FILE

ROOT = Path(__file__).parents[2]


def test_the_process_serves_and_ends(tmp_path: Path) -> None:
    """It says where it is, keeps the app's key in its folder, and ends on a signal."""
    command = [sys.executable, "-m", "tests.simulator", "--port", "0"]
    with subprocess.Popen(
        [*command, "--root", str(tmp_path / "hub"), "--app-id", "7"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        with SimulatorClient(base_url) as sim:
            sim.wait_until(lambda: answers(base_url), 20)
            sim.create_repository("acme", "shop", {"a.py": "x = 1\n"})
            key = tmp_path / "hub" / KEY_FILE
            assert key.stat().st_mode & 0o777 == 0o600
            claims = {"iss": "7", "iat": 1, "exp": int(now(base_url)) + 60}
            token = jwt.encode(claims, key.read_text(), algorithm="RS256")
            answer = httpx.get(
                f"{base_url}/app",
                headers={"Authorization": f"Bearer {token}"},
                trust_env=False,
            )
            assert answer.json()["id"] == 7
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) in (0, -signal.SIGTERM)


def answers(base_url: str) -> bool:
    """Tell whether somebody answers."""
    try:
        return httpx.get(base_url, trust_env=False).is_success
    except httpx.ConnectError:
        return False


def now(base_url: str) -> float:
    """Return the time of the server."""
    with SimulatorClient(base_url) as sim:
        shown = sim.command("shift_clock", seconds=0)["now"]
    return datetime.fromisoformat(shown).timestamp()
