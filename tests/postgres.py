"""A real PostgreSQL for tests: its own cluster in a folder of its own, on loopback.

Import ``postgres`` into a test module to use it. Where PostgreSQL is not installed
the tests are skipped with a loud reason, and fail in CI.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest

START_SECONDS = 30


@dataclass(slots=True)
class Postgres:
    """A running server that belongs to this test session."""

    binaries: Path
    folder: Path
    port: int
    user: str
    _process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._process = self._popen(
            "postgres", "-D", str(self.folder / "data"), "-p", str(self.port),
            "-c", "listen_addresses=127.0.0.1", "-k", str(self.folder),
        )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.libpq_url("postgres")).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server at once: the next start has to recover."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(START_SECONDS)
            self._process = None

    def new_database(self) -> str:
        """Make an empty database; return its SQLAlchemy URL."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.libpq_url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.libpq_url(name).replace("postgresql", "postgresql+psycopg", 1)

    def libpq_url(self, database: str) -> str:
        """Return the address of ``database`` as libpq writes it."""
        return f"postgresql://{self.user}@127.0.0.1:{self.port}/{database}"

    def initialise(self) -> None:
        """Make the cluster."""
        made = self._popen(
            "initdb", "-D", str(self.folder / "data"), "-U", self.user,
            "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8",
        )  # fmt: skip
        if made.wait(60) != 0:
            raise RuntimeError((self.folder / "log").read_text())

    def _popen(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self.binaries / program), *arguments],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self.user if os.getuid() == 0 else None,
                start_new_session=True,
            )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Give a running PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and not on_path:
        _absent("NO POSTGRESQL HERE: these tests did not run (apt install postgresql)")
    binaries = (found[-1] if found else Path(on_path or "")).resolve().parent
    folder = Path(tempfile.mkdtemp(prefix="recloser-pg-"))
    user = _owner()
    if os.getuid() == 0:  # initdb refuses to run as root
        shutil.chown(folder, user)
    server = Postgres(binaries, folder, _free_port(), user)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _absent(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _owner() -> str:
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid()).pw_name
    known = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
