"""What the core needs from the outside, as the core says it (Protocols and values).

The edges (``github``, ``store``, ``telemetry``) implement these; the core never
imports them. Everything here is synchronous: it runs on worker threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

Conclusion = Literal[
    "success", "failure", "neutral", "action_required", "cancelled", "timed_out"
]
Level = Literal["notice", "warning", "failure"]


class Clock(Protocol):
    """Time as an argument."""

    def now(self) -> datetime:
        """Return the current time, in UTC and aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request as it is now. Words of its author are untrusted."""

    number: int
    state: Literal["open", "closed"]
    is_draft: bool
    title: str
    body: str
    author: str  # "" for a deleted account: matches no list and no pattern (B10)
    author_is_bot: bool
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    labels: tuple[str, ...]
    changed_files: int
    default_branch: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteFile:
    """A file read from the default branch. ``text is None``: there is none."""

    text: str | None
    source: str  # such as "owner/repo@main:.github/recloser.yml", for messages


class Tree(Protocol):
    """Commits of one repository, read through git and never checked out."""

    def diff(self, base: str, head: str) -> bytes:
        """Return the raw diff from the merge base of the two to ``head``."""

    def merge_base(self, base: str, head: str) -> str:
        """Return the SHA of the merge base."""

    def read(self, commit: str, path: str) -> bytes | None:
        """Return the blob at ``path``, ``None`` where there is no such file."""

    def paths(self, commit: str) -> Sequence[str]:
        """Return the paths of all regular files at ``commit``, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One line of a check run's report; ``line`` counts from 1 on the head side."""

    path: str
    line: int
    end_line: int
    level: Level
    title: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a completed check run says. Texts are already within GitHub's limits."""

    conclusion: Conclusion
    title: str
    summary: str
    text: str = ""
    annotations: tuple[Annotation, ...] = ()
    actions: tuple[tuple[str, str, str], ...] = ()  # (identifier, label, description)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewComment:
    """One comment of a posted review; ``start_line`` only when it spans lines."""

    path: str
    line: int
    body: str
    start_line: int | None = None


class Hub(Protocol):
    """GitHub, bound to one repository of one installation.

    Every write looks first and is safe to repeat: a check run is found by its
    ``external_id``, comments and reviews by the hidden ``marker`` in their body.
    All calls raise GitHubError (or a subclass) and nothing else.
    """

    def pull(self, number: int) -> PullRequest:
        """Return the pull request as it is now."""

    def pulls_for_commit(self, sha: str) -> Sequence[int]:
        """Return the open pull requests of this repository whose head is ``sha``."""

    def file_on_default_branch(self, path: str) -> RemoteFile:
        """Return a file of the default branch; a 304 costs nothing."""

    def checkout(
        self, number: int, base_sha: str, head_sha: str
    ) -> AbstractContextManager[Tree]:
        """Fetch both commits and their merge base; the tree ends with the block."""

    def open_check(self, head_sha: str, external_id: str, title: str) -> int:
        """Return the id of our in-progress check run, made if there was none."""

    def complete_check(self, check_id: int, report: CheckReport) -> None:
        """Complete a check run; annotations go in pages of at most 50."""

    def post_review(
        self,
        number: int,
        head_sha: str,
        body: str,
        comments: Sequence[ReviewComment],
        marker: str,
    ) -> None:
        """Post one COMMENT review unless one with ``marker`` stands already."""

    def add_label(self, number: int, label: str, color: str, description: str) -> None:
        """Put a label on a pull request; names are equal when case-folded (B24)."""

    def upsert_comment(self, number: int, marker: str, body: str) -> None:
        """Edit our sticky comment that carries ``marker``, or write it."""


class HubFactory(Protocol):
    """Makes hubs; keeps tokens and caches."""

    def hub(self, installation_id: int, repository: str) -> Hub:
        """Return the hub of ``owner/name`` as that installation sees it."""
