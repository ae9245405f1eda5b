"""Is the process alive, can it work, and what does it count.

``/healthz`` answers while the process can; ``/readyz`` asks every check and names
what fails; ``/metrics`` is for Prometheus. Metrics name private repositories, so
they are for callers on this machine or a private network that came without a proxy:
for all others there is no such page.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio
import structlog
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app.telemetry.metrics import CONTENT_TYPE, Metrics

CHECK_SECONDS = 3.0
MOST_CHECKS = 8  # threads; a check that hangs keeps one and fails the next ones
_FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a check found; ``detail`` is shown to everybody."""

    ok: bool
    detail: str = ""


Check = Callable[[], Health]


async def healthz(_: Request) -> Response:
    """Say that the process is alive."""
    return PlainTextResponse("ok\n")


@dataclass(slots=True)
class Readiness:
    """Runs the checks, each on a thread and with a time limit."""

    checks: Mapping[str, Check]
    _limiter: CapacityLimiter | None = field(default=None, init=False)

    async def answer(self, _: Request) -> Response:
        """Say whether this process can do its work, and what is in the way."""
        found = dict[str, Health]()

        async def run(name: str, check: Check) -> None:
            found[name] = await self._run(name, check)

        async with anyio.create_task_group() as tasks:
            for name, check in self.checks.items():
                tasks.start_soon(run, name, check)
        is_ready = all(health.ok for health in found.values())
        checks = {
            name: {"ok": found[name].ok, "detail": found[name].detail}
            for name in self.checks
        }
        return JSONResponse(
            {"ready": is_ready, "checks": checks}, 200 if is_ready else 503
        )

    async def _run(self, name: str, check: Check) -> Health:
        if self._limiter is None:  # belongs to the loop that serves
            self._limiter = CapacityLimiter(MOST_CHECKS)
        with anyio.move_on_after(CHECK_SECONDS):
            try:
                return await to_thread.run_sync(
                    check, abandon_on_cancel=True, limiter=self._limiter
                )
            except Exception as error:  # whatever a check raises: it did not pass
                # Its words may hold an address with a password: the log redacts.
                log.warning("check failed", check=name, why=str(error))
                return Health(ok=False, detail=type(error).__name__)
        return Health(ok=False, detail=f"no answer within {CHECK_SECONDS:g} s")


@dataclass(frozen=True, slots=True)
class MetricsPage:
    """Shows the metrics to those who may see them."""

    metrics: Metrics

    async def answer(self, request: Request) -> Response:
        """Return all numbers as Prometheus reads them."""
        if not _is_near(request):
            return PlainTextResponse("Not Found", 404)
        text = await to_thread.run_sync(self.metrics.text)
        return Response(text, media_type=None, headers={"Content-Type": CONTENT_TYPE})


def _is_near(request: Request) -> bool:
    """Tell whether the caller is on this machine or in a private network."""
    if any(name in _FORWARDED for name, _ in request.scope["headers"]):
        return False
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    return address.is_private or address.is_loopback
