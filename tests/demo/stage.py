"""The stage of the demo: a local GitHub and the app, each a real process."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.processes.app_process import AppProcess, free_port
from tests.simulator.client import SimulatorClient
from tests.simulator.keys import make_key_pair

APP_ID = 1
START_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Everything that runs."""

    github: SimulatorClient
    app: AppProcess
    folder: Path


@contextmanager
def set_stage(folder: Path, scenario: Path) -> Iterator[Stage]:
    """Start a local GitHub and the app in ``folder``; end them with the block."""
    keys = make_key_pair()
    key_file = folder / "app.pem"
    key_file.touch(mode=0o600)
    key_file.write_text(keys.private, encoding="ascii")
    secret = secrets.token_hex(32)
    port = free_port()
    with _github(folder, key_file, f"http://127.0.0.1:{port}", secret) as url:
        app = AppProcess(
            folder, _settings(folder, key_file, secret, port, url, scenario)
        )
        with SimulatorClient(url) as github:
            app.start()
            try:
                yield Stage(github=github, app=app, folder=folder)
            finally:
                app.stop()


def _settings(
    folder: Path, key_file: Path, secret: str, port: int, url: str, scenario: Path
) -> dict[str, str]:
    return {
        "RECLOSER_APP_ID": str(APP_ID),
        "RECLOSER_PRIVATE_KEY": str(key_file),
        "RECLOSER_WEBHOOK_SECRETS": secret,
        "RECLOSER_GITHUB_URL": url,
        "RECLOSER_DATA_DIR": str(folder / "state"),
        "RECLOSER_PORT": str(port),
        "RECLOSER_SCENARIO": str(scenario),
    }


@contextmanager
def _github(folder: Path, key_file: Path, app: str, secret: str) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "tests.simulator"),
        *("--port", str(port), "--root", str(folder / "github")),
        *("--webhook-url", f"{app}/webhooks/github", "--webhook-secret", secret),
        *("--app-id", str(APP_ID), "--app-key", str(key_file)),
    ]
    with (folder / "github.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ)
    try:
        _wait_for(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.post(f"{url}/_sim/violations", json={}, timeout=2)
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the local GitHub did not start; see github.log")
