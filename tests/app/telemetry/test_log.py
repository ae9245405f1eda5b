"""One line for each event, with its delivery, without secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from app.telemetry.log import LogFormat, bound_delivery, configure_logging

TOKEN = "ghp_" + "A" * 36


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Give what is logged to; the logging of the test run is put back afterwards."""
    root = logging.getLogger()
    handlers, level, config = root.handlers[:], root.level, structlog.get_config()
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


def only(stream: io.StringIO) -> dict[str, Any]:
    [line] = stream.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_an_event_is_one_line_of_json(stream: io.StringIO) -> None:
    """With time, level, logger and its own values; newlines are escaped."""
    configure_logging("json", stream=stream)
    structlog.get_logger("app.web").info("webhook taken", result="a\nb")
    found = only(stream)
    assert found.pop("timestamp").endswith("Z")
    assert found == {
        "event": "webhook taken",
        "level": "info",
        "logger": "app.web",
        "result": "a\nb",
    }


def test_the_delivery_is_named_inside_the_block_only(stream: io.StringIO) -> None:
    """Whoever logs inside, a library too, names it without knowing it."""
    configure_logging("json", stream=stream)
    with bound_delivery("d-1", "push"):
        logging.getLogger("library").warning("hello %s", "there")
    structlog.get_logger().info("after")
    inside, after = map(json.loads, stream.getvalue().splitlines())
    assert (inside["event"], inside["delivery"], inside["hook"]) == (
        "hello there",
        "d-1",
        "push",
    )
    assert "delivery" not in after


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_secrets_are_replaced_everywhere(
    stream: io.StringIO, log_format: LogFormat
) -> None:
    """In values, in exceptions, in what libraries say."""
    configure_logging(log_format, stream=stream)
    log = structlog.get_logger()
    log.info(f"used {TOKEN}", nested={"a": [TOKEN]}, authorization="plain-words")
    logging.getLogger("urllib3").warning("sent %s", TOKEN)
    for write in (log.exception, logging.getLogger("x").exception):
        try:
            raise RuntimeError(TOKEN)
        except RuntimeError:
            write("failed")
    text = stream.getvalue()
    assert TOKEN not in text
    assert "plain-words" not in text
    assert text.count("[redacted]") >= 5
    assert text.count("RuntimeError") >= 2


def test_values_that_are_no_json_are_written_all_the_same(
    stream: io.StringIO,
) -> None:
    """A line is never lost for what is in it."""
    configure_logging("json", stream=stream)
    structlog.get_logger().info("x", what=object(), half="\ud800", raw=b"\xff")
    assert only(stream)["event"] == "x"


def test_for_people_it_is_a_line_of_words(stream: io.StringIO) -> None:
    """Without colours, which a file would keep."""
    configure_logging("console", stream=stream)
    structlog.get_logger().info("started", version="1")
    assert "started" in stream.getvalue()
    assert "version=1" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_less_than_the_level_is_not_written(stream: io.StringIO) -> None:
    """Debugging words of libraries stay out."""
    configure_logging("json", stream=stream)
    logging.getLogger("dbos").debug("x")
    structlog.get_logger().debug("y")
    assert stream.getvalue() == ""
