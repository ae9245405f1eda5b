"""Errors of the app.

RecloserError
├── SettingsError     the operator's settings are wrong; the app does not start
├── RepositoryError   git or the repository cannot give what was asked
├── GitHubError       GitHub did not do what was asked
│   ├── GitHubUnavailable   5xx, timeout, connection: try again later
│   ├── GitHubLimited       a rate limit; ``retry_after`` seconds
│   └── GitHubRefused       4xx that a retry cannot cure (permission, locked)
└── StoreError        the store could not keep or give a value
"""

from __future__ import annotations


class RecloserError(Exception):
    """The root of everything that the app raises on purpose."""


class SettingsError(RecloserError):
    """The operator's settings are wrong; the message says what to do."""


class RepositoryError(RecloserError):
    """git or the repository cannot give what was asked."""


class GitHubError(RecloserError):
    """GitHub did not do what was asked.

    Args:
        message: what happened, for the log.
        status: the HTTP status, 0 when there was no answer.

    All arguments but the message have defaults: a durable step keeps the error
    pickled, and unpickling calls the class with the message alone.
    """

    def __init__(self, message: str, *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class GitHubUnavailable(GitHubError):
    """GitHub gave no usable answer: 5xx, timeout or a broken connection."""


class GitHubLimited(GitHubError):
    """GitHub asks us to wait ``retry_after`` seconds."""

    def __init__(
        self, message: str, *, status: int = 0, retry_after: float = 60.0
    ) -> None:
        super().__init__(message, status=status)
        self.retry_after = retry_after


class GitHubRefused(GitHubError):
    """GitHub refused for good: permission, archived, locked, not found."""


class StoreError(RecloserError):
    """The store could not keep or give a value."""
