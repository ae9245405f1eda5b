"""What goes wrong between GitHub and the app, on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any, Literal, get_args

Kind = Literal[
    "bad_gateway",  # 502 AFTER the write was applied
    "refused_502",  # 502 instead of the operation
    "secondary",  # 403 secondary limit, with Retry-After when given
    "primary",  # 403 primary limit, with the time of its reset
    "too_many",  # 429
    "unauthorized",  # 401, once unless told otherwise
    "slow",  # waits, then answers
    "cut",  # the body breaks off half-way
]
KINDS: tuple[str, ...] = get_args(Kind)
_PAGE = "<html><head><title>502 Bad Gateway</title></head></html>"
_SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you "
    "try again."
)


@dataclass(slots=True, kw_only=True)
class Fault:
    """What happens to the next ``times`` requests of an operation."""

    kind: Kind
    operation: str = "*"
    times: int = 1
    retry_after: int | None = None
    seconds: float = 0.0

    @property
    def is_after(self) -> bool:
        """Tell whether the operation is carried out."""
        return self.kind in ("bad_gateway", "slow", "cut")


@dataclass(slots=True)
class Faults:
    """The faults that are set."""

    waiting: list[Fault] = field(default_factory=list)

    def take(self, operation: str) -> Fault | None:
        """Return the fault that hits this request, and count it."""
        for each in self.waiting:
            if each.times > 0 and fnmatch(operation, each.operation):
                each.times -= 1
                return each
        return None


def answer(fault: Fault, reset: int) -> tuple[int, Any, Mapping[str, str]]:
    """Return status, body and headers that a fault puts in place of the answer."""
    headers: dict[str, str] = {}
    if fault.retry_after is not None:
        headers["Retry-After"] = str(fault.retry_after)
    if fault.kind in ("bad_gateway", "refused_502"):
        return 502, _PAGE, {**headers, "Content-Type": "text/html"}
    if fault.kind == "unauthorized":
        return 401, _error("Bad credentials", 401), headers
    if fault.kind == "primary":
        headers |= {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
        return 403, _error("API rate limit exceeded for installation", 403), headers
    status = 429 if fault.kind == "too_many" else 403
    return status, _error(_SECONDARY, status), headers


def _error(message: str, status: int) -> dict[str, str]:
    return {
        "message": message,
        "documentation_url": "https://docs.github.com/rest",
        "status": str(status),
    }
