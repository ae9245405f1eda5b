"""Set up logging: one line for each event, as JSON or for people.

Our own events and those of the libraries (uvicorn, DBOS, alembic) take the same way,
so all of them carry what is bound to the context (such as the delivery) and all of
them pass the redaction, which comes after exceptions were written out.
"""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractContextManager
from typing import Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from app.telemetry.redaction import redact

LogFormat = Literal["json", "console"]


def configure_logging(
    log_format: LogFormat, *, stream: TextIO | None = None, level: int = logging.INFO
) -> None:
    """Send all logging to ``stream`` (standard error) in the given form."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        # The plain text of an exception: locals would carry payloads and keys.
        structlog.processors.format_exc_info,
        redaction,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=True)
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            renderer,
        ],
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def redaction(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace what looks like a secret in an event, in what structlog keeps not."""
    return {
        key: value if key.startswith("_") else redact({key: value})[key]
        for key, value in event.items()
    }


def bound_delivery(delivery_id: str, event: str) -> AbstractContextManager[None]:
    """Name the delivery in every line that is logged inside the block."""
    return structlog.contextvars.bound_contextvars(delivery=delivery_id, hook=event)
