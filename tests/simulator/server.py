"""The local GitHub as a server: in a thread for tests, or as a process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType

import uvicorn

from tests.simulator.contract import Violation
from tests.simulator.keys import KeyPair, make_key_pair, public_half
from tests.simulator.simulator import Identity, Simulator, make_world

KEY_FILE = "app.private-key.pem"


class LocalGitHub:
    """A GitHub of our own on a free port of this machine.

    Args:
        root: a folder for the git repositories and the app's private key.
        webhook_url: where the app takes webhooks; empty for none.
        webhook_secret: signs them.
        app_id: the app's id.
        port: to listen on; 0 takes a free one.
        keys: the app's key pair; by default made, and kept in ``root``.
        clock: tells the time; by default the real one.
    """

    def __init__(
        self,
        root: Path,
        *,
        webhook_url: str = "",
        webhook_secret: str = "",
        app_id: int = 1,
        port: int = 0,
        keys: KeyPair | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.keys = keys or _kept_keys(root / KEY_FILE)
        self.app_id = app_id
        self.webhook_secret = webhook_secret
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self.port: int = self._socket.getsockname()[1]
        identity = Identity(
            public_key=self.keys.public,
            app_id=app_id,
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
        )
        world = make_world(root, self.base_url, identity)
        if clock is not None:
            world.clock = clock
        self.simulator = Simulator(world)
        config = uvicorn.Config(
            self.simulator,
            log_level="critical",
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def base_url(self) -> str:
        """Return the address of API, git and pages alike."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def private_key(self) -> str:
        """Return the app's private key as PEM."""
        return self.keys.private

    @property
    def violations(self) -> list[Violation]:
        """Return where an exchange broke GitHub's description."""
        return self.simulator.contract.violations

    def start(self) -> LocalGitHub:
        """Serve from a thread; return when it answers."""
        self.simulator.hooks.start()
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the local GitHub did not start")
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """End the server and the deliveries."""
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self.simulator.hooks.stop()
        self._socket.close()

    def run(self) -> None:
        """Serve in this thread until a signal ends it."""
        self.simulator.hooks.start()
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.simulator.hooks.stop()

    def __enter__(self) -> LocalGitHub:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


def _kept_keys(path: Path) -> KeyPair:
    """Return the key pair at ``path``, made when there is none."""
    if path.exists():
        private = path.read_text(encoding="ascii")
        return KeyPair(private=private, public=public_half(private))
    made = make_key_pair()
    path.touch(mode=0o600)
    path.write_text(made.private, encoding="ascii")
    return made
