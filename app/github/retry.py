"""When a request is sent again: PyGithub's rule, with the holes closed.

Reads (and PUT, DELETE) are sent up to three times more after a 5xx or a broken
connection. POST and PATCH never are: PyGithub would repeat a POST after a 502, and
the first one may have been carried out. A wait that GitHub asks for is either kept
in full or, when it is long, not waited here at all but raised: PyGithub's cap does
not hold where a Retry-After header is present.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, cast

from github import GithubRetry
from github.GithubException import RateLimitExceededExceedsMaxWait
from urllib3 import BaseHTTPResponse, HTTPResponse
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import InvalidHeader

LONGEST_WAIT = 30.0  # seconds that a worker thread waits for a limit to pass
SAFE_METHODS = frozenset({"GET", "HEAD", "PUT", "DELETE"})


class PatientRetry(GithubRetry):
    """Retries of safe requests; ``sleep`` is an argument."""

    def __init__(self, *, sleep: Callable[[float], None], **settings: Any) -> None:
        self._sleep = sleep
        super().__init__(**settings)

    @classmethod
    def standard(
        cls, sleep: Callable[[float], None], *, methods: frozenset[str] = SAFE_METHODS
    ) -> Self:
        """Return the rule that the app uses."""
        return cls(
            sleep=sleep,
            total=3,
            backoff_factor=1,
            backoff_jitter=0.5,
            max_rate_limit_wait=LONGEST_WAIT,
            allowed_methods=methods,
            # The last answer is given back instead of a RetryError without status.
            raise_on_status=False,
        )

    def new(self, **kw: Any) -> Self:
        """Return the same rule with other counters."""
        return super().new(sleep=self._sleep, **kw)

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        """Count one try; raise where GitHub wants a longer wait than we have."""
        if response is not None and response.status in (403, 429):
            wait = self._asked_wait(response)
            if wait is not None and wait > LONGEST_WAIT:
                response.drain_conn()  # or its connection would never come back
                raise RateLimitExceededExceedsMaxWait(
                    response.status, None, dict(response.headers), wait=wait
                )
        counted = super().increment(
            method,
            url,
            cast("HTTPResponse | None", response),  # PyGithub names the subclass
            error,
            _pool,
            _stacktrace,
        )
        return cast("Self", counted)  # made by ``new``

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """Return what the header asks for, at most the longest wait."""
        wait = self._asked_wait(response)
        return None if wait is None else min(wait, LONGEST_WAIT)

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait before the next try."""
        asked = None if response is None else self.get_retry_after(response)
        wait = self.get_backoff_time() if asked is None else asked
        if wait > 0:
            self._sleep(wait)

    def _asked_wait(self, response: BaseHTTPResponse) -> float | None:
        try:
            return super().get_retry_after(response)
        except InvalidHeader:
            return None
