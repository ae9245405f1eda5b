"""The app as a real process: started, watched, stopped or killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

START_SECONDS = 60.0


def free_port() -> int:
    """Return a port of the loopback address that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class AppProcess:
    """One ``recloser serve``, or any module that serves the same way.

    Args:
        folder: for the log; state lives where ``environment`` says.
        environment: the RECLOSER_* settings.
        module: what ``python -m`` runs.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str],
        *,
        module: str = "app",
        arguments: tuple[str, ...] = ("serve",),
    ) -> None:
        self.port = int(environment["RECLOSER_PORT"])
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "app.log"
        self._command = [sys.executable, "-m", module, *arguments]
        self._environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(folder),
            "PYTHONWARNINGS": "default",
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        """Start the process; by default wait until it is ready."""
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until ``/readyz`` answers 200, or fail with the log."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.returncode() is not None:
                break
            try:
                if httpx.get(f"{self.base_url}/readyz", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the app did not get ready:\n{self.tail()}")

    def wait_for_end(self, seconds: float) -> int:
        """Wait until the process has ended; return its exit code."""
        assert self._process is not None
        return self._process.wait(seconds)

    def returncode(self) -> int | None:
        """Return the exit code, ``None`` while it runs."""
        return None if self._process is None else self._process.poll()

    def kill(self) -> None:
        """Kill the process and its children as hard as can be."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the process to end, and kill it when it does not."""
        self._signal(signal.SIGTERM)

    def tail(self, lines: int = 60) -> str:
        """Return the end of the log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.split("\n")[-lines:])

    def _signal(self, number: signal.Signals) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        os.killpg(process.pid, number)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(20)
