"""The values of one review: what it is about, what happened, what came of it. Pure.

``ReviewResult`` is stored and survives a restart, so everything in it is plain
data; ``dump`` and ``load`` are its one serialisation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

from app.breaker import Objection, Outcome, Proposal, Publication
from guardrails import Category, Finding, Gap, Verdict

#: What an agent must never propose: one such finding trips the circuit at once.
FATAL = frozenset({Category.SECURITY, Category.SECRET})


class Mode(StrEnum):
    """How a change is looked at."""

    AGENT = "agent"
    PROBE = "probe"  # the agent, on a reduced scope, while half-open
    FALLBACK = "fallback"  # linters instead of the agent


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is reviewed: one head of one pull request, branch or merge group."""

    review_id: str
    repository: str
    base_sha: str
    head_sha: str
    number: int | None = None
    title: str = ""
    body: str = ""
    author: str = ""
    author_is_agent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the review will do, fixed before any token is spent.

    ``scope`` are the paths that the agent gets, ``left_out`` those that it does
    not get although they could be reviewed.
    """

    mode: Mode
    reason: str
    scope: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A proposal that the guardrails did not let through, and why."""

    proposal: Proposal
    findings: tuple[Finding, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWork:
    """What the agent did, as the gate saw it."""

    name: str
    publications: tuple[Publication, ...] = ()
    proposals: tuple[Proposal, ...] = ()  # those that passed
    blocked: tuple[Blocked, ...] = ()
    refusals: tuple[Objection, ...] = ()
    blown: Objection | None = None
    soft: tuple[Objection, ...] = ()  # what was let happen, and noted
    did_review: bool = False
    failure: str = ""
    is_infrastructure: bool = False
    confidence: float = 1.0
    tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    last_actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewResult:
    """Everything that one review found out."""

    plan: Plan
    verdict: Verdict = field(default_factory=Verdict)
    agent: AgentWork | None = None
    outcome: Outcome | None = None
    files: int = 0

    @property
    def was_reviewed(self) -> bool:
        """Tell whether the agent really reviewed all that it should have."""
        work = self.agent
        return (
            work is not None
            and work.did_review
            and work.blown is None
            and bool(self.plan.scope)
            and not self.plan.left_out
        )

    def dump(self) -> dict[str, Any]:
        """Return the result as plain JSON data."""
        plain: dict[str, Any] = _ADAPTER.dump_python(self, mode="json")
        return plain

    @staticmethod
    def load(data: dict[str, Any]) -> ReviewResult:
        """Return the result that ``dump`` made."""
        return _ADAPTER.validate_python(data)


_ADAPTER: TypeAdapter[ReviewResult] = TypeAdapter(ReviewResult)
