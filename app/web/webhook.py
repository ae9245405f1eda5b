"""POST /webhooks/github: read, verify, store, answer.

Size first, then the signature: who cannot sign learns nothing else and nothing is
stored (B12). A 2xx is sent after the delivery is on the disk. Whatever happens the
answer is never a 500: what we could not keep is a 503, which GitHub shows as failed
and which may be redelivered. Neither headers nor bodies are logged: GitHub has sent
webhook secrets in a header before.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from app.errors import StoreError
from app.jobs.delivery import Delivery, Overloaded, Receipt
from app.jobs.inbox import Inbox
from app.telemetry.log import bound_delivery
from app.web import signature
from app.web.events import Ignored, InstallationEvent, Known, Malformed, parse

PATH = "/webhooks/github"
BODY_SECONDS = 10.0  # GitHub gives up after ten
STORE_SECONDS = 9.0
RETRY_SECONDS = 30

_DELIVERY_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_EVENT_NAME = re.compile(r"[a-z_]{1,64}")

log = structlog.get_logger(__name__)


class Refused(Exception):
    """The request is not taken; ``text`` is for whoever reads GitHub's log of it."""

    def __init__(self, status: int, result: str, text: str) -> None:
        super().__init__(text)
        self.status, self.result, self.text = status, result, text


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """Takes webhooks.

    Args:
        inbox: where deliveries are stored.
        secrets: the webhook secret, and the one before it while they change.
        max_body_bytes: larger bodies are refused while they are read.
        on_stored: is told that there is something to do.
        delivered: is told how each request ended and after how many seconds.
        stopwatch: starts measuring; what it returns reads the seconds.
    """

    inbox: Inbox
    secrets: Sequence[bytes]
    max_body_bytes: int
    on_stored: Callable[[], None]
    delivered: Callable[[str, float], None]
    stopwatch: Callable[[], Callable[[], float]]

    async def answer(self, request: Request) -> Response:
        """Answer one webhook."""
        seconds = self.stopwatch()
        try:
            result, response = await self._take(request)
        except Refused as refusal:
            result = refusal.result
            response = _reply(refusal.status, refusal.text, result)
            log.warning("webhook refused", result=result, why=refusal.text)
        except Exception:  # the outermost guard: never a 500
            result, response = "failed", _unavailable("a fault of our own")
            log.exception("webhook failed")
        self.delivered(result, seconds())
        return response

    async def _take(self, request: Request) -> tuple[str, Response]:
        body = await self._read(request)
        header = _header(request, signature.HEADER)
        if not signature.verify(body, header, self.secrets):
            raise Refused(401, "unsigned", "the signature is missing or wrong")
        _check_content_type(request)
        event_name = _named(request, b"x-github-event", _EVENT_NAME, "X-GitHub-Event")
        delivery_id = _named(
            request, b"x-github-delivery", _DELIVERY_ID, "X-GitHub-Delivery"
        )
        with bound_delivery(delivery_id, event_name):
            payload = _json_object(body)
            if event_name == "ping":
                log.info("ping")
                return "ping", _reply(200, "pong", "pong")
            event = parse(event_name, payload)
            if isinstance(event, Ignored):
                log.info("webhook ignored", why=event.reason)
                return "ignored", _reply(202, event.reason, "ignored")
            if isinstance(event, Malformed):
                raise Refused(400, "malformed", event.reason)
            return await self._store(_delivery(delivery_id, event_name, event, body))

    async def _read(self, request: Request) -> bytes:
        too_large = Refused(
            413, "too_large", f"more than {self.max_body_bytes} bytes are not read"
        )
        declared = _header(request, b"content-length") or b""
        # Not ``int(...)`` alone: it refuses long numbers with an exception.
        if declared.isdigit() and (
            len(declared) > 18 or int(declared) > self.max_body_bytes
        ):
            raise too_large
        chunks = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in request.stream():
                    chunks += chunk
                    if len(chunks) > self.max_body_bytes:
                        raise too_large
        except TimeoutError:
            raise Refused(408, "too_slow", "the body did not arrive") from None
        except ClientDisconnect:
            raise Refused(400, "gone", "the sender hung up") from None
        return bytes(chunks)

    async def _store(self, delivery: Delivery) -> tuple[str, Response]:
        try:
            async with asyncio.timeout(STORE_SECONDS):
                receipt = await self.inbox.put(delivery)
        except Overloaded as error:
            log.error("webhook not taken", why=str(error))
            return "overloaded", _unavailable("too many deliveries wait; try later")
        except (StoreError, TimeoutError) as error:
            why = str(error) or "the inbox did not answer"
            log.error("webhook not stored", why=why)
            return "not_stored", _unavailable("the delivery could not be stored")
        if receipt.is_work:
            self._wake()
        log.info("webhook taken", result=receipt.value, repository=delivery.repository)
        status = 200 if receipt is Receipt.ALREADY_DONE else 202
        return receipt.value, _reply(status, "", receipt.value)

    def _wake(self) -> None:
        # It is on the disk and will be found: a fault here must not deny that.
        try:
            self.on_stored()
        except Exception:
            log.exception("nobody was told of the delivery")


def _header(request: Request, name: bytes) -> bytes | None:
    """Return a header as the bytes that came; none when it came twice."""
    found = [value for key, value in request.scope["headers"] if key == name]
    return bytes(found[0]) if len(found) == 1 else None


def _named(request: Request, name: bytes, form: re.Pattern[str], shown: str) -> str:
    value = (_header(request, name) or b"").decode("latin-1")
    if not form.fullmatch(value):
        raise Refused(400, "malformed", f"{shown} is missing or unusable")
    return value


def _check_content_type(request: Request) -> None:
    value = (_header(request, b"content-type") or b"").decode("latin-1")
    if value.partition(";")[0].strip().lower() != "application/json":
        raise Refused(
            415,
            "not_json",
            "set the content type of the webhook to application/json, in the "
            "settings of the GitHub App",
        )


def _json_object(body: bytes) -> Mapping[str, Any]:
    try:
        payload = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # not UTF-8, not JSON, nested to no end
        raise Refused(400, "malformed", "the body is not JSON") from None
    if not isinstance(payload, dict):
        raise Refused(400, "malformed", "the body is not a JSON object")
    return payload


def _delivery(delivery_id: str, name: str, event: Known, body: bytes) -> Delivery:
    return Delivery(
        delivery_id=delivery_id,
        event=name,
        action=event.action,
        installation_id=event.installation_id,
        repository="" if isinstance(event, InstallationEvent) else event.repository,
        body=body,
    )


def _reply(status: int, text: str, result: str) -> Response:
    content = {"status": result} | ({"detail": text} if text else {})
    return JSONResponse(content, status)


def _unavailable(text: str) -> Response:
    return JSONResponse(
        {"status": "unavailable", "detail": text},
        503,
        {"Retry-After": str(RETRY_SECONDS)},
    )
