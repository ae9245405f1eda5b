"""The primary rate limit: 5000 requests an hour for each installation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.simulator.access import Denied, Principal
from tests.simulator.state import World

LIMIT = 5000
_WINDOW = 3600


@dataclass(slots=True)
class Rates:
    """How much is left, to whom."""

    world: World
    limit: int = LIMIT
    used: dict[tuple[int, int], int] = field(default_factory=dict)
    _last: tuple[int, int] = (0, 0)

    def count(self, principal: Principal, operation: str) -> None:
        """Count one request.

        Raises:
            Denied: nothing is left until the window ends.
        """
        installed = principal.installation
        window = int(self.world.now().timestamp()) // _WINDOW
        self._last = (installed.id if installed else 0, window)
        if operation == "rate-limit/get":  # asking is free
            return
        used = self.used.get(self._last, 0)
        if used >= self.limit:
            message = "API rate limit exceeded for installation"
            raise Denied(403, message)
        self.used[self._last] = used + 1

    def give_back(self) -> None:
        """Take the last request back: a 304 costs nothing."""
        self.used[self._last] = max(0, self.used.get(self._last, 0) - 1)

    def headers(self) -> dict[str, str]:
        """Return the headers that GitHub puts on every answer."""
        state = self._state()
        return {
            **{f"X-RateLimit-{key.title()}": str(state[key]) for key in state},
            "X-RateLimit-Resource": "core",
        }

    def overview(self) -> dict[str, Any]:
        """Return what ``GET /rate_limit`` shows."""
        state = self._state()
        return {"resources": {"core": state, "search": state}, "rate": state}

    def _state(self) -> dict[str, int]:
        used = self.used.get(self._last, 0)
        now = int(self.world.now().timestamp())
        return {
            "limit": self.limit,
            "remaining": max(0, self.limit - used),
            "reset": (now // _WINDOW + 1) * _WINDOW,
            "used": used,
        }
