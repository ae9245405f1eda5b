"""What an agent is to Recloser: it gets a Task and a Gate, it returns a Report.

The agent asks the gate before everything it does. The gate is the fuse and the
guardrails of this review; a final refusal ends the review whether or not the
agent accepts it, since the gate then refuses everything that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.breaker.actions import (
    Action,
    Permit,
    Proposal,
    Publication,
    Ruling,
    Settlement,
)
from guardrails import ChangeSet


class ReadTree(Protocol):
    """The head of the change, to read and never to write."""

    def read(self, path: str) -> str | None:
        """Return the text of ``path``, ``None`` where there is none."""

    def paths(self) -> Sequence[str]:
        """Return all file paths, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the agent shall review.

    ``scope`` are the paths of this step; a probe gets fewer than the change
    has. ``title`` and ``body`` are untrusted words of the pull request's
    author, already cleaned by the context firewall.
    """

    review_id: str
    change_set: ChangeSet
    scope: tuple[str, ...]
    tree: ReadTree
    title: str = ""
    body: str = ""
    model: str = ""
    max_output_tokens: int = 4_000
    is_probe: bool = False


class Refused(Exception):
    """Raised by ``Gate.demand`` so that an agent's own control flow ends."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final


class Gate(Protocol):
    """The one door. Safe to call from several tasks of one event loop."""

    def judge(self, action: Action) -> Ruling:
        """Say whether ``action`` may happen. Never blocks on I/O but scanners."""

    def demand(self, action: Action) -> Permit:
        """Return a Permit or raise Refused."""

    def settle(self, permit: Permit, settlement: Settlement) -> None:
        """Tell what a permitted action really did."""

    @property
    def is_blown(self) -> bool:
        """Tell whether this review is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an agent says when it is done. Judged, never believed.

    ``publications`` and ``proposals`` are those that it wanted; only what the
    gate permitted is ever shown. ``did_review`` is False for every kind of
    "exited 0 without a review" (B29); ``failure`` then says why, and
    ``is_infrastructure`` whether it was the provider's fault or ours.
    """

    summary: str = ""
    publications: tuple[Publication, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    confidence: float = 1.0
    did_review: bool = True
    failure: str = ""
    is_infrastructure: bool = False
    details: Mapping[str, str] = field(default_factory=dict)


class ReviewAgent(Protocol):
    """Whoever reviews: built-in, scripted, a command, a bot that we observe."""

    @property
    def name(self) -> str:
        """Return the stable name that keys the circuit, such as ``builtin``."""

    async def review(
        self, task: Task, gate: Gate, progress: Callable[[str], None]
    ) -> Report:
        """Review ``task``; ask ``gate`` before each action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChoice:
    """The agent of a repository, or why there is none.

    ``name`` keys the circuit, also while there is no agent: such as
    ``builtin:openai:gpt-5-mini``.
    """

    name: str
    agent: ReviewAgent | None
    why_not: str = ""
