"""Signed webhook deliveries, in order, from a thread of their own.

As GitHub documents it: ten seconds to answer, no retry of its own, a redelivery has
the same GUID, deliveries are kept three days, payloads above 25 MB are not sent.
Rules make what goes wrong in the world: duplicates, reordering, delay, loss.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fnmatch import fnmatch
from functools import cached_property
from typing import Any, Literal

import httpx

from tests.simulator.contract import Contract, webhook_schema
from tests.simulator.skeleton import complete, project
from tests.simulator.state import Installation, World

TIMEOUT = 10.0
KEPT = timedelta(days=3)
MOST_BYTES = 25 * 1024 * 1024
# Sent to every app, whatever it subscribed to.
_ALWAYS = ("installation", "installation_repositories", "ping")
_UNREACHABLE = {"timeout": ("timed out", 504), "refused": ("failed to connect", 502)}

RuleKind = Literal["duplicate", "reorder", "delay", "drop"]


@dataclass(slots=True, kw_only=True)
class HookRule:
    """What goes wrong with the next ``times`` deliveries of an event."""

    kind: RuleKind
    event: str = "*"
    times: int = 1
    seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class Delivery:
    """One attempt to deliver one event."""

    id: int
    guid: str
    event: str
    action: str | None
    installation_id: int
    repository_id: int | None
    body: bytes = field(repr=False)
    created_at: datetime
    is_redelivery: bool = False
    status: str = "pending"
    status_code: int = 0
    duration: float = 0.0

    @property
    def is_done(self) -> bool:
        """Tell whether the attempt has ended."""
        return self.status != "pending"


def signature(secret: str, body: bytes) -> str:
    """Return the value of ``X-Hub-Signature-256``."""
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return f"sha256={digest}"


class Hooks:
    """Makes, sends and remembers deliveries."""

    def __init__(self, world: World, contract: Contract) -> None:
        self._world = world
        self._contract = contract
        self.deliveries: list[Delivery] = []
        self.rules: list[HookRule] = []
        self._queue: queue.SimpleQueue[Delivery | None] = queue.SimpleQueue()
        self._held: list[Delivery] = []
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def stop(self) -> None:
        """End after what is queued."""
        self._queue.put(None)
        self._thread.join(timeout=TIMEOUT + 5)

    def emit(
        self,
        event: str,
        action: str,
        payload: dict[str, Any],
        installation: Installation | None,
        repository_id: int | None = None,
    ) -> Delivery | None:
        """Make a delivery, if the app is installed and listens."""
        if installation is None:
            return None
        is_wanted = event in _ALWAYS or event in installation.events
        is_silent = installation.suspended_at is not None and event != "installation"
        if not is_wanted or is_silent:
            return None
        if action:
            payload = {"action": action, **payload}
        if event not in ("installation", "ping"):
            payload.setdefault("installation", {
                "id": installation.id, "node_id": f"I_{installation.id}",
            })  # fmt: skip
        schema = webhook_schema(event, action)
        if schema is not None:
            payload = complete(schema, project(schema, payload))
        self._contract.check_webhook(event, action, payload)
        return self.deliver(event, action, payload, installation.id, repository_id)

    def deliver(
        self,
        event: str,
        action: str,
        payload: Any,
        installation_id: int,
        repository_id: int | None,
    ) -> Delivery | None:
        """Send a payload as it is."""
        body = json.dumps(payload, separators=(",", ":")).encode()
        if len(body) > MOST_BYTES:
            return None
        made = Delivery(
            id=self._world.new_id(),
            guid=str(uuid.uuid4()),
            event=event,
            action=action or None,
            installation_id=installation_id,
            repository_id=repository_id,
            body=body,
            created_at=self._world.now(),
        )
        self._add(made)
        return made

    def redeliver(self, delivery_id: int) -> bool:
        """Send a delivery once more with the same GUID; tell whether it is kept."""
        oldest = self._world.now() - KEPT
        for each in self.deliveries:
            if each.id == delivery_id and each.created_at >= oldest:
                self._again(each)
                return True
        return False

    def _again(self, each: Delivery) -> None:
        self._add(
            Delivery(
                id=self._world.new_id(),
                guid=each.guid,
                event=each.event,
                action=each.action,
                installation_id=each.installation_id,
                repository_id=each.repository_id,
                body=each.body,
                created_at=self._world.now(),
                is_redelivery=True,
            )
        )

    def _add(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        if not self._world.hook.url:
            delivery.status = "no hook"
            return
        self._queue.put(delivery)

    def _work(self) -> None:
        while (delivery := self._queue.get()) is not None:
            rule = self._rule(delivery.event)
            kind = rule.kind if rule else ""
            if kind == "reorder":
                self._held.append(delivery)
                continue
            if kind == "drop":
                delivery.status, delivery.status_code = _UNREACHABLE["timeout"]
                continue
            if rule and kind == "delay":
                time.sleep(rule.seconds)
            self._send(delivery)
            if kind == "duplicate":
                self._send(delivery)
            while self._held:
                self._send(self._held.pop(0))
        for each in self._held:
            self._send(each)
        self._http.close()

    @cached_property
    def _http(self) -> httpx.Client:
        limits = httpx.Limits(max_keepalive_connections=0)
        return httpx.Client(timeout=TIMEOUT, limits=limits, trust_env=False)

    def _rule(self, event: str) -> HookRule | None:
        for each in self.rules:
            if each.times > 0 and fnmatch(event, each.event):
                each.times -= 1
                return each
        return None

    def headers(self, delivery: Delivery) -> dict[str, str]:
        """Return the headers that GitHub puts on a delivery."""
        hook, app = self._world.hook, self._world.app
        made = {
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/simulator",
            "X-GitHub-Delivery": delivery.guid,
            "X-GitHub-Event": delivery.event,
            "X-GitHub-Hook-ID": str(hook.id),
            "X-GitHub-Hook-Installation-Target-ID": str(app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
        }
        if hook.secret:
            made["X-Hub-Signature-256"] = signature(hook.secret, delivery.body)
        return made

    def _send(self, delivery: Delivery) -> None:
        started = time.monotonic()
        try:
            answer = self._http.post(
                self._world.hook.url,
                content=delivery.body,
                headers=self.headers(delivery),
            )
        except httpx.TimeoutException:
            status, code = _UNREACHABLE["timeout"]
        except (httpx.HTTPError, httpx.InvalidURL):
            status, code = _UNREACHABLE["refused"]
        else:
            code = answer.status_code
            status = "OK" if answer.is_success else answer.reason_phrase or "Invalid"
        delivery.duration = round(time.monotonic() - started, 3)
        delivery.status_code = code
        delivery.status = status
