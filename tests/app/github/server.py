"""A real HTTP server that answers as a test has written down, in order."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer; ``cut`` promises more bytes than are sent."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    hang_up: bool = False  # close without any answer


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request as it came in."""

    verb: str
    path: str
    headers: dict[str, str]
    body: Any


class ScriptedServer:
    """Answers with the replies in order; tokens are minted beside the script."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.requests = list[Request]()
        self.minted = list[str]()
        self.script = list[Reply]()
        self.bad_tokens = set[str]()
        self._now = now
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def sent(self) -> list[str]:
        """Return "VERB path" of all requests but those for tokens."""
        return [f"{each.verb} {each.path}" for each in self.requests]

    def answer(self, request: Request) -> Reply:
        """Return the answer to one request."""
        with self._lock:
            if request.path.endswith("/access_tokens"):
                token = f"token-{len(self.minted) + 1}"
                self.minted.append(token)
                ends = self._now() + timedelta(hours=1)
                body = {"token": token, "expires_at": ends.isoformat()}
                return Reply(status=201, body=body)
            self.requests.append(request)
            if request.headers["authorization"].split()[-1] in self.bad_tokens:
                return Reply(status=401, body={"message": "Bad credentials"})
            assert self.script, f"no answer left for {request.verb} {request.path}"
            return self.script.pop(0)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                raw = self.rfile.read(length)
                request = Request(
                    verb=self.command,
                    path=self.path,
                    headers={key.lower(): value for key, value in self.headers.items()},
                    body=json.loads(raw) if raw else None,
                )
                reply = outer.answer(request)
                if reply.hang_up:
                    self.close_connection = True
                    return
                data = b"" if reply.body is None else _encode(reply.body)
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                extra = 100 if reply.cut else 0
                self.send_header("content-length", str(len(data) + extra))
                self.end_headers()
                self.wfile.write(data)
                self.close_connection = reply.cut

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_one

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        return Handler


def _encode(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


class FixedClock:
    """A clock that a test moves; ``sleep`` moves it, too, and keeps a list."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
        self.slept = list[float]()

    def now(self) -> datetime:
        """Return the time that the test has set."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)
