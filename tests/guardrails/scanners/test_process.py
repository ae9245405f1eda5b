"""The sandbox, tried with real programs."""

from __future__ import annotations

import socket
import sys
import tempfile
import time
import uuid
from pathlib import Path

import pytest

from guardrails.errors import ScannerError
from guardrails.scanners import process
from guardrails.scanners.process import Sandbox, run, sandbox

PYTHON = sys.executable
needs_namespaces = pytest.mark.skipif(
    not sandbox().cuts_network, reason="this machine forbids namespaces"
)
needs_prlimit = pytest.mark.skipif(
    sandbox().prlimit is None, reason="prlimit is not installed"
)


def _commands() -> list[str]:
    lines = list[str]()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue  # it ended while we looked
    return lines


def test_a_scanner_gets_no_environment_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app's key does not reach a scanner by its environment."""
    monkeypatch.setenv("RECLOSER_PRIVATE_KEY", "the key")
    done = run(["/usr/bin/env"], cwd=tmp_path, timeout=10)
    names = {line.split("=", 1)[0] for line in done.stdout.decode().splitlines()}
    assert names <= {"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "NO_COLOR", "PWD"}


def test_the_home_of_a_scanner_is_empty_and_gone_afterwards(tmp_path: Path) -> None:
    """No config from a home directory is read, nothing is left behind."""
    done = run(
        ["/bin/sh", "-c", 'echo "$HOME"; ls -A "$HOME"'], cwd=tmp_path, timeout=9
    )
    home, *inside = done.stdout.decode().splitlines()
    assert inside == []
    assert not Path(home).exists()


def test_standard_input_is_closed_unless_it_is_given(tmp_path: Path) -> None:
    """A program that asks a question gets no answer instead of hanging."""
    assert run(["/bin/cat"], cwd=tmp_path, timeout=10).stdout == b""
    assert run(["/bin/cat"], cwd=tmp_path, timeout=10, input=b"hi").stdout == b"hi"


def test_a_slow_scanner_is_killed_with_all_its_children(tmp_path: Path) -> None:
    """After the timeout neither the program nor a child in the background lives."""
    mark = f"60.{uuid.uuid4().int % 10**9}"
    script = f"sleep {mark} & setsid sleep {mark} & sleep {mark}"
    with pytest.raises(ScannerError, match=r"more than 0\.5 s"):
        run(["/bin/sh", "-c", script], cwd=tmp_path, timeout=0.5)
    deadline = time.monotonic() + 5
    while any(mark in each for each in _commands()) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = [each for each in _commands() if mark in each]
    assert left == [] if "processes" in sandbox().isolation else len(left) <= 1


def test_children_of_a_scanner_that_ended_are_killed(tmp_path: Path) -> None:
    """A child in the background does not outlive the run."""
    mark = f"60.{uuid.uuid4().int % 10**9}"
    run(["/bin/sh", "-c", f"sleep {mark} & exit 0"], cwd=tmp_path, timeout=10)
    deadline = time.monotonic() + 5
    while any(mark in each for each in _commands()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(mark in each for each in _commands())


def test_output_has_a_bound(tmp_path: Path) -> None:
    """A program that floods its output fails instead of filling our memory."""
    with pytest.raises(ScannerError, match=r"more than 1 MB|killed"):
        run(
            ["/usr/bin/head", "-c", "9000000", "/dev/zero"],
            cwd=tmp_path,
            timeout=20,
            output_mb=1,
        )


@needs_prlimit
def test_cpu_time_has_a_bound(tmp_path: Path) -> None:
    """An endless loop ends by the CPU limit, long before the clock's."""
    with pytest.raises(ScannerError, match="killed"):
        run(
            ["/bin/sh", "-c", "while :; do :; done"],
            cwd=tmp_path,
            timeout=60,
            cpu_seconds=1,
        )


@needs_prlimit
def test_memory_has_a_bound(tmp_path: Path) -> None:
    """A program that wants more memory than it may have does not get it."""
    done = run(
        [PYTHON, "-I", "-S", "-c", "x = bytearray(400 << 20)"],
        cwd=tmp_path,
        timeout=20,
        memory_mb=200,
    )
    assert done.code != 0
    assert b"MemoryError" in done.stderr


@needs_namespaces
def test_a_scanner_has_no_network(tmp_path: Path) -> None:
    """Not even a server on this machine can be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"import socket; socket.create_connection(('127.0.0.1', {port}), 3)"
        done = run([PYTHON, "-I", "-S", "-c", script], cwd=tmp_path, timeout=20)
    assert done.code == 1
    assert b"OSError" in done.stderr or b"Error" in done.stderr


@pytest.mark.skipif(
    "processes" not in sandbox().isolation, reason="no private /proc on this machine"
)
def test_a_scanner_does_not_see_other_processes(tmp_path: Path) -> None:
    """The environment of the app cannot be read through /proc."""
    done = run(["/bin/sh", "-c", "ls -d /proc/[0-9]*"], cwd=tmp_path, timeout=10)
    assert len(done.stdout.split()) <= 4


def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A missing scanner is never mistaken for one that found nothing."""
    with pytest.raises(ScannerError, match="scanner"):
        run(["/no/such/scanner"], cwd=tmp_path, timeout=10)


def test_the_code_of_a_scanner_is_its_own(tmp_path: Path) -> None:
    """The fence passes on how the scanner ended, and its words."""
    done = run(["/bin/sh", "-c", "echo no >&2; exit 3"], cwd=tmp_path, timeout=10)
    assert (done.code, done.stderr) == (3, b"no\n")


def test_describe_admits_a_missing_fence() -> None:
    """The operator reads that the network is not cut, where it is not."""
    assert "NOT cut" in Sandbox().describe()
    assert not Sandbox().cuts_network
    assert "prlimit is missing" in Sandbox().describe()


def test_nothing_stays_in_the_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run leaves no file behind, even when it fails."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(ScannerError):
        run(["/bin/sleep", "30"], cwd=tmp_path, timeout=0.2)
    assert list(tmp_path.iterdir()) == []


def test_the_environment_holds_only_what_is_given() -> None:
    """Extra names are added to a fixed set, nothing is inherited."""
    made = process.environment(Path("/h"), {"A": "1"})
    assert made["A"] == "1"
    assert made["HOME"] == "/h"
    assert len(made) == 7
