"""Run git: never through a shell, nothing inherited, always bounded.

Guarantees: no configuration of the system, of the user or (for the commands used
here) of the repository decides what git does; no hook, filter, textconv, external
diff, pager, credential helper or submodule is run; ``.gitattributes`` of a tree are
not read, because the repository is always taken as bare. Output, time and disk are
limited, and the whole process group ends with the call.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from app.errors import RepositoryError

MOST_OUTPUT = 256_000_000  # bytes that one command may print
_POLL = 0.2  # seconds between two looks of the watch
# From git 2.43 on a bare repository takes attributes from HEAD: name the empty tree.
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_SETTINGS = (
    "core.bare=true",
    "core.quotePath=true",
    "core.attributesFile=/dev/null",
    f"attr.tree={_EMPTY_TREE}",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "credential.helper=",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "protocol.allow=never",
    "protocol.http.allow=always",
    "protocol.https.allow=always",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
}


class GitFailed(RepositoryError):
    """git ended with an error; ``stderr`` is what it said."""

    def __init__(self, message: str, *, stderr: str = "", code: int = 0) -> None:
        super().__init__(message)
        self.stderr = stderr
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """git on one bare repository (or on none, to make one).

    Args:
        git_dir: the repository; ``None`` for commands that need none.
        environment: what git gets beside the fixed few variables.
        timeout: seconds that one command may take.
        most_disk: bytes that the repository may grow to, ``0`` for no limit.
    """

    git_dir: Path | None
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    most_disk: int = 0

    def run(self, *arguments: str, most_output: int = MOST_OUTPUT) -> bytes:
        """Return what git prints.

        Raises:
            GitFailed: git is missing, failed, took too long or gave too much.
        """
        with tempfile.TemporaryFile() as stderr:
            process = self._start(arguments, stderr)
            watch = _Watch(process, self)
            try:
                assert process.stdout is not None  # noqa: S101  # PIPE, see _start
                output = process.stdout.read(most_output + 1)
                if len(output) > most_output:
                    watch.end("printed more than " + _size(most_output))
                process.stdout.close()
                code = process.wait()
            finally:
                watch.stop()
            stderr.seek(0)
            said = stderr.read(4_000).decode("utf-8", "replace").strip()
        name = f"git {arguments[0]}"
        if watch.reason:
            raise GitFailed(f"{name} {watch.reason}", stderr=said)
        if code != 0:
            words = " ".join(said.split())[:300] or f"exit {code}"
            raise GitFailed(f"{name}: {words}", stderr=said, code=code)
        return output

    def _start(self, arguments: tuple[str, ...], stderr: IO[bytes]) -> _Process:
        program = shutil.which("git")
        if program is None:
            raise GitFailed("git is not installed or not on the PATH")
        command = [program, "--no-pager", "--literal-pathspecs"]
        if self.git_dir is not None:
            command.append(f"--git-dir={self.git_dir}")
        for setting in _SETTINGS:
            command += ["-c", setting]
        try:
            return subprocess.Popen(  # noqa: S603  # a list, no shell, fixed program
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=self.git_dir or "/",
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    **_ENVIRONMENT,
                    **self.environment,
                },
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            raise GitFailed(f"git could not be started: {error}") from error


_Process = subprocess.Popen[bytes]


class _Watch:
    """Ends a process group that takes too long or fills the disk."""

    def __init__(self, process: _Process, git: Git) -> None:
        self.reason = ""
        self._process = process
        self._git = git
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self, reason: str) -> None:
        """Kill the whole group."""
        self.reason = self.reason or reason
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop watching; whatever still runs is killed."""
        self._done.set()
        self._thread.join()
        if self._process.poll() is None:
            self.end("was interrupted")
            self._process.wait()

    def _look(self) -> None:
        start = time.monotonic()
        while not self._done.wait(_POLL):
            if time.monotonic() - start > self._git.timeout:
                return self.end(f"took longer than {self._git.timeout:g} s")
            most = self._git.most_disk
            directory = self._git.git_dir
            if most and directory is not None and _used(directory) > most:
                return self.end("fetched more than " + _size(most))
        return None


def _used(directory: Path) -> int:
    total = 0
    for place, _, names in os.walk(directory / "objects"):
        for name in names:
            with suppress(OSError):  # a temporary pack may go away meanwhile
                total += (Path(place) / name).lstat().st_size
    return total


def _size(count: int) -> str:
    return f"{count / 1_000_000:g} MB"
