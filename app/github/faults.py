"""Every way in which a call to GitHub ends badly, as an error of ours.

A 403 means six things (B30): three of them are a rate limit (wait, then go on), the
rest no retry can cure. ``Refused.reason`` tells them apart, so that a locked
conversation costs only the comment and a missing permission raises a flag.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import requests
import urllib3
from github import BadAttributeException, GithubException
from github.GithubException import RateLimitExceededExceedsMaxWait

from app.errors import GitHubError, GitHubLimited, GitHubRefused, GitHubUnavailable

Reason = Literal[
    "permission",  # the app lacks a permission: tell the operator
    "locked",  # a locked conversation: no comment, but check and label
    "archived",  # nothing can be written there any more
    "suspended",  # the installation was suspended
    "credentials",  # the app's key or token is not accepted
    "not_found",
    "invalid",  # 422: what we sent
    "other",
]

SECONDARY_WAIT = 60.0  # GitHub: wait at least a minute when no header says more
LONGEST_WAIT = 3_600.0

# What PyGithub lets through beside its own exceptions, seen against real servers:
# AssertionError for a foreign host in a Link header, TypeError for an empty body.
UNEXPECTED = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    BadAttributeException,
    AssertionError,
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    RuntimeError,
    OSError,
)

# Secondary limits do not always name themselves (seen by PyGithub's users).
_SECONDARY_ENDINGS = (
    "please retry your request again later.",
    "please wait a few minutes before you try again.",
)
_BROKEN = (
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class Refused(GitHubRefused):
    """GitHub refused for good; ``reason`` says which kind it is."""

    def __init__(
        self, message: str, *, status: int = 0, reason: Reason = "other"
    ) -> None:
        super().__init__(message, status=status)
        self.reason = reason


class BrokenBody(GitHubUnavailable):
    """The answer broke off or is no JSON; a read may be tried again."""


def as_github_error(error: Exception, now: datetime) -> GitHubError:
    """Return the error of ours that ``error`` stands for."""
    if isinstance(error, RateLimitExceededExceedsMaxWait):
        return GitHubLimited(
            "GitHub asks us to wait",
            status=error.status,
            retry_after=min(error.wait or SECONDARY_WAIT, LONGEST_WAIT),
        )
    if isinstance(error, GithubException):
        return answered(error.status, error.headers or {}, _message(error.data), now)
    said = f"no usable answer from GitHub: {_words(error)}"
    if isinstance(error, _BROKEN):
        return BrokenBody(said)
    return GitHubUnavailable(said)


def answered(
    status: int, headers: Mapping[str, str], message: str, now: datetime
) -> GitHubError:
    """Return the error that an answer with a status of 400 or more stands for."""
    said = f"GitHub answered {status}: {message or 'no message'}"
    if status == 429 or (status == 403 and _is_limit(headers, message)):
        wait = wait_seconds(headers, now)
        return GitHubLimited(said, status=status, retry_after=wait)
    if status >= 500 or status == 408:
        return GitHubUnavailable(said, status=status)
    return Refused(said, status=status, reason=_reason(status, message))


def wait_seconds(headers: Mapping[str, str], now: datetime) -> float:
    """Return for how long GitHub wants no request."""
    after = headers.get("retry-after", "")
    if after.isdigit():
        return min(float(after), LONGEST_WAIT)
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        # One second more: the reset may come at the end of its second.
        seconds = float(reset) - now.timestamp() + 1
        return min(max(seconds, 1.0), LONGEST_WAIT)
    return SECONDARY_WAIT


def _is_limit(headers: Mapping[str, str], message: str) -> bool:
    text = message.lower()
    return (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in text
        or text.endswith(_SECONDARY_ENDINGS)
    )


def _reason(status: int, message: str) -> Reason:
    text = message.lower()
    if status == 401:
        return "credentials"
    if status in (404, 410):
        return "not_found"
    if status == 422:
        return "invalid"
    if status != 403:
        return "other"
    if "not accessible by integration" in text or "permission" in text:
        return "permission"
    if "suspended" in text:
        return "suspended"
    if "archived" in text or "read-only" in text:
        return "archived"
    return "locked" if "locked" in text else "other"


def _message(data: object) -> str:
    """Return GitHub's words with the details of a 422, within reason."""
    if not isinstance(data, dict):
        return ""
    words = [str(data.get("message") or "")]
    errors = data.get("errors")
    for each in errors if isinstance(errors, list) else []:
        if isinstance(each, dict):
            parts = (each.get("field"), each.get("code"), each.get("message"))
            words.append(" ".join(str(part) for part in parts if part))
        else:
            words.append(str(each))
    return "; ".join(word for word in words if word)[:500]


def _words(error: Exception) -> str:
    """Name the error without the addresses of objects and without headers."""
    return f"{type(error).__name__}: {str(error)[:200]}"
