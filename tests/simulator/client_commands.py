"""How ``SimulatorClient`` talks to the simulator."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

T = TypeVar("T")


class SimulatorError(Exception):
    """The simulator will not do it, or what was waited for did not come."""


class Commands:
    """A connection to one running simulator."""

    def __init__(self, base_url: str, timeout: float = 30.0) -> None:
        self.base_url = base_url.rstrip("/")
        self._http = httpx.Client(
            base_url=f"{self.base_url}/_sim/", timeout=timeout, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def command(self, command: str, /, **body: Any) -> Any:
        """Send one command."""
        answer = self._http.post(command, json=body)
        if answer.status_code != 200:
            raise SimulatorError(f"{command}: {answer.text}")
        return answer.json()

    def wait_until(
        self,
        predicate: Callable[[], T | None],
        timeout: float = 30.0,
        *,
        interval: float = 0.1,
    ) -> T:
        """Return what ``predicate`` returns as soon as it is true.

        Raises:
            SimulatorError: it did not become true in time.
        """
        end = time.monotonic() + timeout
        while True:
            found = predicate()
            if found:
                return found
            if time.monotonic() > end:
                raise SimulatorError(f"not true within {timeout} s: {predicate}")
            time.sleep(interval)
