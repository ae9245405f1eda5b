"""Fakes at the ports: a hub that remembers, a clock that stands, steps kept in a dict.

The hub keeps the promises that ``ports.Hub`` makes (look first, then write); the
real one is held to them against the local GitHub.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from app.github.local import LocalRepository
from app.ports import (
    CheckReport,
    Hub,
    PullRequest,
    RemoteFile,
    ReviewComment,
    Tree,
)
from tests.app.breaker.builders import NOON

T = TypeVar("T")


@dataclass
class FixedClock:
    """A clock that a test moves."""

    time: datetime = NOON

    def now(self) -> datetime:
        """Return the time."""
        return self.time


@dataclass
class FakeHub:
    """GitHub in memory, over a real git repository."""

    folder: Path
    pull_request: PullRequest
    config: str | None = None
    checks: dict[str, CheckReport | None] = field(default_factory=dict)
    reviews: dict[str, tuple[str, Sequence[ReviewComment]]] = field(
        default_factory=dict
    )
    labels: list[str] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    writes: list[str] = field(default_factory=list)
    fails: dict[str, Exception] = field(default_factory=dict)

    def pull(self, number: int) -> PullRequest:
        """Return the pull request."""
        self._maybe_fail("pull")
        return self.pull_request

    def pulls_for_commit(self, sha: str) -> Sequence[int]:
        """Return the pull request when it has that head."""
        return [self.pull_request.number] if sha == self.pull_request.head_sha else []

    def file_on_default_branch(self, path: str) -> RemoteFile:
        """Return the configuration."""
        self._maybe_fail("file")
        return RemoteFile(text=self.config, source=f"o/r@main:{path}")

    def checkout(
        self, number: int, base_sha: str, head_sha: str
    ) -> AbstractContextManager[Tree]:
        """Return the repository's commits."""
        self._maybe_fail("checkout")
        return LocalRepository(self.folder).tree()

    def open_check(self, head_sha: str, external_id: str, title: str) -> int:
        """Open a check once for each external id."""
        self._maybe_fail("open_check")
        if external_id not in self.checks:
            self.checks[external_id] = None
            self.writes.append("open_check")
        return list(self.checks).index(external_id)

    def complete_check(self, check_id: int, report: CheckReport) -> None:
        """Complete a check."""
        self._maybe_fail("complete_check")
        self.writes.append("complete_check")
        self.checks[list(self.checks)[check_id]] = report

    def post_review(
        self,
        number: int,
        head_sha: str,
        body: str,
        comments: Sequence[ReviewComment],
        marker: str,
    ) -> None:
        """Post a review once for each marker."""
        self._maybe_fail("post_review")
        if marker not in self.reviews:
            self.writes.append("post_review")
            self.reviews[marker] = (body, comments)

    def add_label(self, number: int, label: str, color: str, description: str) -> None:
        """Add a label once."""
        self._maybe_fail("add_label")
        if label not in self.labels:
            self.writes.append("add_label")
            self.labels.append(label)

    def upsert_comment(self, number: int, marker: str, body: str) -> None:
        """Write or edit the comment with that marker."""
        self._maybe_fail("upsert_comment")
        self.writes.append("upsert_comment")
        self.comments[marker] = body

    @property
    def report(self) -> CheckReport:
        """Return the report of the only completed check."""
        (report,) = [each for each in self.checks.values() if each is not None]
        return report

    def push(self, head_sha: str) -> None:
        """Move the head of the pull request."""
        self.pull_request = replace(self.pull_request, head_sha=head_sha)

    def _maybe_fail(self, call: str) -> None:
        if call in self.fails:
            raise self.fails[call]


@dataclass
class OneHub:
    """A factory that knows one hub."""

    only: FakeHub

    def hub(self, installation_id: int, repository: str) -> Hub:
        """Return it."""
        return self.only


class PowerCut(BaseException):
    """The process is gone: nothing but the kept steps is left."""


@dataclass
class KeptSteps:
    """Runs steps and keeps their results; can lose power before keeping one."""

    cut_after: str | None = None
    kept: dict[str, Any] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    def __call__(self, name: str, work: Callable[[], T]) -> T:
        """Run a step unless its result is kept."""
        if name not in self.kept:
            result = work()
            self.order.append(name)
            if name == self.cut_after:
                self.cut_after = None
                raise PowerCut
            self.kept[name] = result
        value: T = self.kept[name]
        return value
