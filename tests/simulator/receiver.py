"""A place that takes webhooks, for tests: it keeps what came and answers as told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One webhook as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> str:
        """Return the event's name."""
        return self.headers["x-github-event"]

    @property
    def guid(self) -> str:
        """Return the delivery's GUID."""
        return self.headers["x-github-delivery"]


class Receiver:
    """Listens on a free port until it is left."""

    def __init__(self, status: int = 202) -> None:
        self.status = status
        self.received: list[Received] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): self.headers[name] for name in self.headers}
                receiver.received.append(Received(headers=headers, body=body))
                self.send_response(receiver.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        """Return where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}/hook"

    def wait(self, enough: Callable[[list[Received]], bool]) -> list[Received]:
        """Return what came as soon as it is enough."""
        end = time.monotonic() + 10
        while not enough(self.received):
            assert time.monotonic() < end, [each.event for each in self.received]
            time.sleep(0.01)
        return list(self.received)

    def __enter__(self) -> Receiver:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
