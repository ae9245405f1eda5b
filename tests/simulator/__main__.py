"""Run the local GitHub as a process: ``python -m tests.simulator --port 8080 ...``."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.simulator.keys import KeyPair, public_half
from tests.simulator.server import KEY_FILE, LocalGitHub


def main() -> None:
    """Serve until a signal ends it."""
    parser = argparse.ArgumentParser(prog="tests.simulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--root", type=Path, required=True, help="folder for git")
    parser.add_argument("--webhook-url", default="", help="where the app listens")
    parser.add_argument("--webhook-secret", default="", help="signs the webhooks")
    parser.add_argument("--app-id", type=int, default=1)
    parser.add_argument(
        "--app-key", type=Path, help=f"private key; by default ROOT/{KEY_FILE}"
    )
    asked = parser.parse_args()
    keys = None
    if asked.app_key is not None:
        private = asked.app_key.read_text(encoding="ascii")
        keys = KeyPair(private=private, public=public_half(private))
    server = LocalGitHub(
        asked.root,
        webhook_url=asked.webhook_url,
        webhook_secret=asked.webhook_secret,
        app_id=asked.app_id,
        port=asked.port,
        keys=keys,
    )
    print(server.base_url, flush=True)
    server.run()


if __name__ == "__main__":
    main()
