"""Start scanners as sandboxed processes. The only place in guardrails that does.

Guarantees, each as far as the machine can give it (``Sandbox.describe`` says how
far): an environment of a few fixed names, an empty home, no network, no sight
of other processes, limits on CPU time, memory and file size, output of bounded
length, and the whole process tree killed at the end.

Threat: a parser of untrusted text that is made to run amok or to run code. It
must not reach the app's key, its environment or the network (B08, B27, B28).
Limit: without Linux namespaces (a container that forbids them) the network is
not cut; the operator learns it from ``recloser doctor``.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess  # the one import of it in guardrails
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from guardrails.errors import ScannerError

SYSTEM_PATH = "/usr/bin:/bin"
PROCESS_LIMIT = 4096  # counts all threads of the user: stops only a fork bomb
PROBE_TIMEOUT = 5.0

# From the strongest down; the first that works on this machine is used. The
# private /proc hides the environment of the app, which runs as the same user.
_OWN = ("unshare", "--user", "--map-current-user")
_TREE = ("--pid", "--fork", "--kill-child")
_LEVELS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (*_OWN, "--net", "--ipc", *_TREE, "--mount-proc"),
        "no network, no sight of other processes",
    ),
    (
        ("unshare", "--net", "--ipc", *_TREE, "--mount-proc"),
        "no network, no sight of other processes",
    ),
    ((*_OWN, "--net"), "no network"),
    (("unshare", "--net"), "no network"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What this machine can fence a scanner in with."""

    prefix: tuple[str, ...] = ()
    isolation: str = ""
    prlimit: str | None = None

    @property
    def cuts_network(self) -> bool:
        """Tell whether a scanner has no network."""
        return bool(self.prefix)

    def describe(self) -> str:
        """Say in one sentence how far scanners are fenced in."""
        fence = self.isolation or (
            "network NOT cut (user namespaces are not allowed here)"
        )
        limits = "CPU, memory and file size limited"
        if self.prlimit is None:
            limits = "only time limited (prlimit is missing)"
        return f"empty environment, {fence}, {limits}"

    def command(
        self, argv: Sequence[str], *, memory_mb: int, cpu_seconds: int, file_mb: int
    ) -> list[str]:
        """Return ``argv`` behind the limits and the namespaces."""
        limits: list[str] = []
        if self.prlimit is not None:
            limits = [
                self.prlimit,
                f"--cpu={cpu_seconds}",
                # Not --as: a garbage collector reserves far more than it uses.
                f"--data={memory_mb << 20}",
                f"--fsize={file_mb << 20}",
                f"--nproc={_process_limit()}",
                "--core=0",
            ]
        return [*limits, *self.prefix, *argv]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A scanner that ended by itself."""

    code: int
    stdout: bytes
    stderr: bytes


def _process_limit() -> int:
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    return PROCESS_LIMIT if hard == resource.RLIM_INFINITY else min(hard, PROCESS_LIMIT)


@cache
def sandbox() -> Sandbox:
    """Find out once what this machine can do, by trying it."""
    prlimit = shutil.which("prlimit", path=SYSTEM_PATH)
    for level, words in _LEVELS:
        executable = shutil.which(level[0], path=SYSTEM_PATH)
        if executable is None:
            break
        prefix = (executable, *level[1:], "--")
        if _works(prefix):
            return Sandbox(prefix=prefix, isolation=words, prlimit=prlimit)
    return Sandbox(prlimit=prlimit)


def _works(prefix: Sequence[str]) -> bool:
    try:
        tried = subprocess.run(  # noqa: S603 - fixed words, found on a fixed path
            [*prefix, "/bin/sh", "-c", "exit 0"],
            env={"PATH": SYSTEM_PATH},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PROBE_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the whole environment of a scanner; nothing of ours is in it."""
    return {
        "PATH": SYSTEM_PATH,
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        **(extra or {}),
    }


def start(
    argv: Sequence[str],
    *,
    cwd: Path,
    home: Path,
    stdin: int | IO[bytes],
    stdout: int | IO[bytes],
    stderr: int | IO[bytes],
    memory_mb: int,
    cpu_seconds: int,
    file_mb: int,
    extra_environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start ``argv`` in the sandbox, in a session of its own."""
    command = sandbox().command(
        argv, memory_mb=memory_mb, cpu_seconds=cpu_seconds, file_mb=file_mb
    )
    try:
        return subprocess.Popen(  # noqa: S603 - our own words; texts go by file
            command,
            cwd=cwd,
            env=environment(home, extra_environment),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            close_fds=True,
        )
    except OSError as error:
        raise ScannerError(f"cannot start {Path(argv[0]).name}: {error}") from error


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill ``process`` and everything that it started, and reap it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    timeout: float,
    input: bytes | None = None,
    memory_mb: int = 1024,
    cpu_seconds: int = 60,
    output_mb: int = 32,
    extra_environment: Mapping[str, str] | None = None,
) -> Completed:
    """Run ``argv`` to its end in the sandbox.

    Args:
        argv: the program by its full path, and its arguments.
        cwd: the directory with the materialised sources.
        timeout: seconds by the clock on the wall; then all of it is killed.
        input: bytes for its standard input; nothing when ``None``.
        memory_mb: writable memory of each process.
        cpu_seconds: CPU time of each process.
        output_mb: the largest file that it may write, its output included.
        extra_environment: fixed names that this scanner needs.

    Raises:
        ScannerError: it could not start, took too long, was killed, or wrote
            more than it may.
    """
    name = Path(argv[0]).name
    with (
        tempfile.TemporaryDirectory(prefix="recloser-home-") as home,
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        stdin.write(input or b"")
        stdin.seek(0)
        process = start(
            argv,
            cwd=cwd,
            home=Path(home),
            stdin=stdin if input is not None else subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            memory_mb=memory_mb,
            cpu_seconds=cpu_seconds,
            file_mb=output_mb,
            extra_environment=extra_environment,
        )
        try:
            code = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise ScannerError(f"{name} took more than {timeout:g} s") from error
        finally:
            kill(process)
        if code < 0:
            raise ScannerError(f"{name} was killed ({signal.Signals(-code).name})")
        words = _bounded(stderr, output_mb, name)
        if code != 0 and _is_of_the_fence(words):
            last = words.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise ScannerError(f"{name} was killed or could not start ({last})")
        return Completed(
            code=code, stdout=_bounded(stdout, output_mb, name), stderr=words
        )


def _is_of_the_fence(stderr: bytes) -> bool:
    """Tell whether the launcher had the last word, not the scanner.

    unshare 2.38 ends with code 1 instead of a signal when its child is killed.
    """
    last = stderr.strip().rpartition(b"\n")[2]
    return last.startswith((b"unshare: ", b"prlimit: "))


def _bounded(stream: IO[bytes], limit_mb: int, name: str) -> bytes:
    size = stream.seek(0, os.SEEK_END)
    if size >= limit_mb << 20:  # at the limit it was cut by the kernel
        raise ScannerError(f"{name} wrote more than {limit_mb} MB")
    stream.seek(0)
    return stream.read()
