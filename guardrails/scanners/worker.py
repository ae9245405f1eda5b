"""Keep one sandboxed program warm and talk to it in JSON lines.

Guarantees: every question has a deadline; a program that crashes, hangs or
answers nonsense is killed and started again for the next question; it is
replaced after some hundred questions, so that nothing can pile up in it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import subprocess  # for its types and PIPE; process.start starts it
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from guardrails.errors import ScannerError
from guardrails.scanners import process

ANSWER_LIMIT = 16 << 20
READ_SIZE = 1 << 16


class WorkerLost(ScannerError):
    """The program died or hung over one question; the next one may be asked."""


class Worker:
    """A warm program. Thread-safe: one question at a time."""

    def __init__(
        self,
        argv: Sequence[str],
        hello: dict[str, Any],
        *,
        start_timeout: float = 30.0,
        questions: int = 500,
    ) -> None:
        self._argv = tuple(argv)
        self._hello = hello
        self._start_timeout = start_timeout
        self._questions = questions
        self._left = 0
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._buffer = b""
        self.greeting: dict[str, Any] = {}

    def ask(self, question: dict[str, Any], *, timeout: float) -> dict[str, Any]:
        """Return the answer to ``question``; raise WorkerLost when there is none."""
        with self._lock:
            if self._left <= 0 or self._process is None or self._is_dead():
                self._restart()
            self._left -= 1
            return self._exchange(question, timeout)

    def close(self) -> None:
        """Stop the program; it starts again when it is asked again."""
        with self._lock:
            self._stop()

    def _is_dead(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _restart(self) -> None:
        self._stop()
        self._home = tempfile.TemporaryDirectory(prefix="recloser-worker-")
        home = Path(self._home.name)
        self._process = process.start(
            self._argv,
            cwd=home,
            home=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            memory_mb=1024,
            cpu_seconds=600,
            file_mb=1,
        )
        atexit.register(self.close)
        self._buffer = b""
        self._left = self._questions
        self.greeting = self._exchange(self._hello, self._start_timeout)

    def _stop(self) -> None:
        self._left = 0
        if self._process is not None:
            process.kill(self._process)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None
            atexit.unregister(self.close)
        if self._home is not None:
            self._home.cleanup()
            self._home = None

    def _exchange(self, question: dict[str, Any], timeout: float) -> dict[str, Any]:
        try:
            line = self._send_and_read(question, timeout)
            answer = json.loads(line)
        except (OSError, ValueError, WorkerLost) as error:
            self._stop()
            name = Path(self._argv[-1]).stem
            raise WorkerLost(f"{name}: {error or type(error).__name__}") from error
        if not isinstance(answer, dict):
            self._stop()
            raise WorkerLost("the answer is not an object")
        return answer

    def _send_and_read(self, question: dict[str, Any], timeout: float) -> bytes:
        running = self._process
        if running is None or running.stdin is None or running.stdout is None:
            raise WorkerLost("it is not running")
        to_send = memoryview(json.dumps(question).encode() + b"\n")
        os.set_blocking(running.stdin.fileno(), False)
        os.set_blocking(running.stdout.fileno(), False)
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(running.stdout, selectors.EVENT_READ)
            selector.register(running.stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._buffer:
                events = selector.select(max(0.0, deadline - time.monotonic()))
                if not events:
                    raise WorkerLost(f"no answer within {timeout:g} s")
                for key, _ in events:
                    if key.fileobj is running.stdin:
                        sent = os.write(running.stdin.fileno(), to_send[:READ_SIZE])
                        to_send = to_send[sent:]
                        if not to_send:
                            selector.unregister(running.stdin)
                        continue
                    chunk = os.read(running.stdout.fileno(), READ_SIZE)
                    if not chunk:
                        raise WorkerLost("it ended without an answer")
                    self._buffer += chunk
                    if len(self._buffer) > ANSWER_LIMIT:
                        raise WorkerLost("the answer is too long")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
