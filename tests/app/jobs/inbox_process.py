"""A front door as a process of its own, to be killed: ``python -m ... URL PORT``.

Its disk is slow: an answer that goes out before the commit has time to arrive, so
that a kill in between is no rare luck.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import uvicorn

from app.clock import SystemClock
from app.jobs.delivery import Delivery, DeliveryTable, Receipt
from app.jobs.inbox import DurableInbox, open_inbox
from app.telemetry.log import configure_logging
from app.telemetry.metrics import Metrics
from app.web.app import create_app

SECRET = b"s3cret-" * 4


class SlowTable:
    """A table that takes its time before it writes."""

    def __init__(self, inner: DeliveryTable) -> None:
        self._inner = inner

    def insert(self, batch: Sequence[Delivery], now: datetime) -> Sequence[Receipt]:
        """Wait, then store."""
        time.sleep(0.02)
        return self._inner.insert(batch, now)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def main(url: str, port: int) -> None:
    """Serve until killed."""
    configure_logging("json", level=logging.ERROR)
    open_table = open_inbox(url)._open_table
    app = create_app(
        inbox=DurableInbox(lambda: SlowTable(open_table()), SystemClock()),
        secrets=[SECRET],
        readiness={},
        metrics=Metrics(),
        max_body_bytes=1_000_000,
        on_stored=lambda: None,
    )
    uvicorn.run(app, host="127.0.0.1", port=port, log_config=None, access_log=False)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
