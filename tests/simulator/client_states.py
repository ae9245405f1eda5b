"""What ``SimulatorClient`` reads back, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryState:
    """A repository that was made."""

    id: int
    full_name: str
    sha: str
    installation_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRunState:
    """A check run as the app left it."""

    id: int
    name: str
    head_sha: str
    external_id: str
    status: str
    conclusion: str | None
    title: str | None
    summary: str | None
    text: str | None
    annotations: Sequence[dict[str, Any]]
    actions: Sequence[dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCommentState:
    """A comment on lines."""

    id: int
    path: str
    line: int | None
    side: str
    start_line: int | None
    body: str
    diff_hunk: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewState:
    """A review with its comments."""

    id: int
    author: str
    state: str
    body: str
    commit_id: str
    comments: Sequence[ReviewCommentState]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentState:
    """A comment on the pull request."""

    id: int
    author: str
    body: str
    reactions: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullState:
    """A pull request and all that hangs on it."""

    number: int
    title: str
    body: str | None
    author: str
    state: str
    is_draft: bool
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    labels: Sequence[str]
    reviewers: Sequence[str]
    check_runs: Sequence[CheckRunState]
    reviews: Sequence[ReviewState]
    comments: Sequence[CommentState]
    duplicates: Sequence[str]

    def check(self, name: str = "") -> CheckRunState | None:
        """Return the newest check run on the head, of that name if one is given."""
        for each in reversed(self.check_runs):
            if each.head_sha == self.head_sha and name in ("", each.name):
                return each
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryState:
    """One attempt to deliver a webhook."""

    id: int
    guid: str
    event: str
    action: str | None
    status: str
    status_code: int
    is_redelivery: bool
    payload: dict[str, Any]
