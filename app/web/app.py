"""Put the web application together. Wiring only."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from app.clock import SystemClock, stopwatch
from app.errors import StoreError
from app.jobs.inbox import Inbox
from app.ports import Clock
from app.telemetry.metrics import Metrics
from app.web.headers import SecurityHeaders
from app.web.health import Check, Health, MetricsPage, Readiness, healthz
from app.web.webhook import PATH, WebhookEndpoint


def create_app(
    *,
    inbox: Inbox,
    secrets: Sequence[bytes],
    readiness: Mapping[str, Check],
    metrics: Metrics,
    max_body_bytes: int,
    on_stored: Callable[[], None],
    extra_routes: Sequence[BaseRoute] = (),
    clock: Clock | None = None,
) -> Starlette:
    """Return the application that GitHub, Prometheus and people talk to.

    Args:
        inbox: where deliveries are stored; started and stopped with the application.
        secrets: the webhook secrets; without one, every webhook is refused.
        readiness: what ``/readyz`` asks, beside the inbox.
        metrics: what ``/metrics`` shows.
        max_body_bytes: the largest webhook that is read.
        on_stored: called after a delivery was stored, from the event loop.
        extra_routes: further pages.
        clock: the time, for the age of what waits.
    """
    now = (clock or SystemClock()).now
    metrics.queue_age(partial(_queue_age, inbox, now))
    webhook = WebhookEndpoint(
        inbox=inbox,
        secrets=tuple(secrets),
        max_body_bytes=max_body_bytes,
        on_stored=on_stored,
        delivered=metrics.delivered,
        stopwatch=stopwatch,
    )
    ready = Readiness({"inbox": partial(_can_store, inbox, now), **readiness})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(inbox.start)
        try:
            yield
        finally:
            await to_thread.run_sync(inbox.stop)

    return Starlette(
        routes=[
            Route(PATH, webhook.answer, methods=["POST"]),
            Route("/healthz", healthz),
            Route("/readyz", ready.answer),
            Route("/metrics", MetricsPage(metrics).answer),
            *extra_routes,
        ],
        middleware=[Middleware(SecurityHeaders)],
        lifespan=lifespan,
    )


def _queue_age(inbox: Inbox, now: Callable[[], datetime]) -> float:
    try:
        return inbox.oldest_pending_age(now())
    except StoreError:
        return math.nan  # the other numbers are shown all the same


def _can_store(inbox: Inbox, now: Callable[[], datetime]) -> Health:
    """Check that deliveries are taken; that many wait is no reason to refuse them."""
    inbox.oldest_pending_age(now())  # raises when the database does not answer
    if not inbox.is_running:
        return Health(ok=False, detail="deliveries are not taken")
    return Health(ok=True)
