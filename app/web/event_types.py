"""The events that we know, as frozen values with only the fields that we use. Pure.

Nothing in them is null that is not marked so: a deleted account is the login ``""``,
which no list and no pattern matches (B10). The repository of a fork is no field of
theirs, so it may be gone (B09).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

MOST_PATHS = 10_000  # of one push


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an event comes from and who caused it."""

    action: str
    installation_id: int | None
    repository_id: int
    repository: str  # owner/name
    sender: str  # "" for a deleted account
    sender_is_bot: bool  # by its type: a user may be called anything (B18)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullEvent(Origin):
    """Something happened to a pull request."""

    number: int
    head_sha: str
    base_ref: str
    updated_at: datetime | None
    label: str | None
    changes_base: bool
    is_closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckEvent(Origin):
    """Something happened to a check run or a check suite.

    ``pulls`` are those of this very repository (B17); for forks there are none.
    ``identifier`` is the button that was pressed.
    """

    kind: Literal["check_run", "check_suite"]
    app_id: int | None
    app_slug: str
    head_sha: str
    external_id: str
    identifier: str | None
    pulls: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentEvent(Origin):
    """Somebody wrote a comment; edits are no commands and are not read."""

    number: int
    is_pull: bool
    comment_id: int
    body: str
    via_app_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEvent(Origin):
    """A review was submitted or dismissed."""

    number: int
    review_id: int
    head_sha: str  # what was reviewed; "" when GitHub no longer knows
    state: str
    author: str
    author_is_bot: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeGroupEvent(Origin):
    """The merge queue asks for checks of a group, or gave it up."""

    head_sha: str
    head_ref: str
    base_ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushEvent(Origin):
    """A branch moved. ``paths`` are those the payload names, at most MOST_PATHS."""

    ref: str
    head_sha: str
    is_default_branch: bool
    paths: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationEvent:
    """The app was installed, removed or given other repositories."""

    action: str
    installation_id: int
    account: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryEvent(Origin):
    """A repository was renamed, moved or deleted; its id stays."""

    old_name: str | None


@dataclass(frozen=True, slots=True)
class Ignored:
    """An event that means nothing to us."""

    reason: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """An event of a known name that lacks what makes it one."""

    reason: str


Known = (
    PullEvent
    | CheckEvent
    | CommentEvent
    | ReviewEvent
    | MergeGroupEvent
    | PushEvent
    | InstallationEvent
    | RepositoryEvent
)
Event = Known | Ignored | Malformed
