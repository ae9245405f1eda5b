"""What GitHub knows: accounts, installations, repositories and what hangs on them.

Plain mutable records behind one lock; who changes them decides what is allowed.
The clock is an argument and can be shifted.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.simulator.repo import GitRepository

DEFAULT_PERMISSIONS = {
    "metadata": "read",
    "contents": "read",
    "checks": "write",
    "pull_requests": "write",
    "merge_queues": "read",
}
DEFAULT_EVENTS = (
    "pull_request", "check_run", "check_suite", "merge_group", "issue_comment",
    "pull_request_review", "push", "repository",
)  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Account:
    """A user, an organisation or a bot."""

    id: int
    login: str
    type: str = "User"


@dataclass(slots=True, kw_only=True)
class App:
    """The GitHub App whose tests these are."""

    id: int
    slug: str
    owner: Account
    bot: Account
    public_key: str
    permissions: dict[str, str]
    events: list[str]
    created_at: datetime


@dataclass(slots=True, kw_only=True)
class Installation:
    """The app on one account."""

    id: int
    account: Account
    permissions: dict[str, str]
    events: list[str]
    created_at: datetime
    repositories: set[int] = field(default_factory=set)
    suspended_at: datetime | None = None


@dataclass(slots=True, kw_only=True)
class Token:
    """An installation token."""

    value: str
    installation: Installation
    permissions: dict[str, str]
    repositories: frozenset[int] | None
    expires_at: datetime


@dataclass(slots=True, kw_only=True)
class Label:
    """A label of a repository."""

    id: int
    name: str
    color: str
    description: str | None


@dataclass(slots=True, kw_only=True)
class Reaction:
    """A reaction to a comment; each account has each one once."""

    id: int
    author: Account
    content: str
    created_at: datetime


@dataclass(slots=True, kw_only=True)
class Comment:
    """A comment on a pull request."""

    id: int
    author: Account
    body: str
    created_at: datetime
    updated_at: datetime
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Review:
    """A review."""

    id: int
    author: Account
    body: str
    state: str
    commit_id: str
    submitted_at: datetime | None


@dataclass(slots=True, kw_only=True)
class ReviewComment:
    """A comment on lines of a diff."""

    id: int
    review_id: int | None
    author: Account
    body: str
    path: str
    commit_id: str
    line: int | None
    side: str
    start_line: int | None
    start_side: str | None
    position: int | None
    diff_hunk: str
    created_at: datetime
    updated_at: datetime
    in_reply_to: int | None = None


@dataclass(slots=True, kw_only=True)
class Pull:
    """A pull request; its head is ``refs/pull/N/head`` of the base repository."""

    id: int
    number: int
    title: str
    body: str | None
    author: Account
    base_ref: str
    base_sha: str
    head_owner: Account
    head_repository_id: int | None
    head_ref: str
    head_sha: str
    created_at: datetime
    updated_at: datetime
    is_draft: bool = False
    state: str = "open"
    closed_at: datetime | None = None
    labels: list[str] = field(default_factory=list)
    reviewers: list[Account] = field(default_factory=list)
    teams: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    review_comments: list[ReviewComment] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class CheckSuite:
    """All check runs of the app on one commit."""

    id: int
    head_sha: str
    head_branch: str | None
    before: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(slots=True, kw_only=True)
class CheckRun:
    """A check run; annotations are only ever added."""

    id: int
    suite: CheckSuite
    name: str
    head_sha: str
    external_id: str
    details_url: str
    status: str
    conclusion: str | None
    started_at: datetime
    completed_at: datetime | None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Repository:
    """A repository."""

    id: int
    owner: Account
    name: str
    default_branch: str
    is_private: bool
    git: GitRepository
    created_at: datetime
    fork_of: int | None = None
    next_number: int = 1
    labels: dict[str, Label] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    suites: list[CheckSuite] = field(default_factory=list)
    runs: dict[int, CheckRun] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """Return ``owner/name``."""
        return f"{self.owner.login}/{self.name}"


@dataclass(slots=True, kw_only=True)
class Hook:
    """Where the app wants its webhooks."""

    id: int
    url: str
    secret: str


@dataclass(slots=True)
class World:
    """Everything, behind one lock."""

    root: Path
    app: App
    hook: Hook
    base_url: str
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    shift: timedelta = timedelta(0)
    lock: threading.RLock = field(default_factory=threading.RLock)
    accounts: dict[str, Account] = field(default_factory=dict)
    installations: dict[int, Installation] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    repositories: dict[int, Repository] = field(default_factory=dict)
    # Old names of renamed repositories, for the redirects.
    moved: dict[str, int] = field(default_factory=dict)
    # Codes of apps that somebody is about to make from a manifest.
    manifests: dict[str, dict[str, Any]] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(10_001))

    def now(self) -> datetime:
        """Return the time, with the shift, in whole seconds as GitHub shows it."""
        return (self.clock() + self.shift).replace(microsecond=0)

    def new_id(self) -> int:
        """Return an id that was never given before."""
        return next(self.ids)

    def account(self, login: str, kind: str = "User") -> Account:
        """Return the account of that login, made on its first use."""
        key = login.lower()
        if key not in self.accounts:
            kind = "Bot" if login.endswith("[bot]") else kind
            made = Account(id=self.new_id(), login=login, type=kind)
            self.accounts[key] = made
        return self.accounts[key]

    def repository(self, owner: str, name: str) -> Repository | None:
        """Return a repository by its name, whose case does not matter."""
        wanted = f"{owner}/{name}".lower()
        for each in self.repositories.values():
            if each.full_name.lower() == wanted:
                return each
        return None

    def installation_of(self, repository: Repository) -> Installation | None:
        """Return the installation that sees a repository."""
        for each in self.installations.values():
            if repository.id in each.repositories:
                return each
        return None
