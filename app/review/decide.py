"""Decide what the check says: one table, one function. Pure.

Never false green: under ``enforce`` only a review that was really done, of all of
the change, with nothing blocking, is ``success``. ``neutral`` and ``skipped`` would
satisfy a required check, so what was not reviewed is ``action_required``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.config.model import Enforcement
from app.ports import Conclusion
from app.review.model import Mode, ReviewResult
from guardrails import Severity


class Situation(StrEnum):
    """The rows of the table, in the order in which they are tried."""

    APPROVED = "approved"
    BLOCKING = "blocking"
    UNREADABLE_CONFIG = "unreadable_config"
    GAP = "gap"
    FUSE_BLOWN = "fuse_blown"
    NOT_REVIEWED = "not_reviewed"
    CIRCUIT_OPEN = "circuit_open"
    PARTLY_REVIEWED = "partly_reviewed"
    REVIEWED = "reviewed"


#: The conclusion under ``enforce``.
TABLE: dict[Situation, Conclusion] = {
    Situation.APPROVED: "success",
    Situation.BLOCKING: "failure",
    Situation.UNREADABLE_CONFIG: "action_required",
    Situation.GAP: "action_required",
    Situation.FUSE_BLOWN: "action_required",
    Situation.NOT_REVIEWED: "action_required",
    Situation.CIRCUIT_OPEN: "action_required",
    Situation.PARTLY_REVIEWED: "action_required",
    Situation.REVIEWED: "success",
}

GREEN = frozenset({Situation.APPROVED, Situation.REVIEWED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """An entitled human took over: who, and for which head."""

    actor: str
    head_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the decision rests on."""

    result: ReviewResult
    enforcement: Enforcement
    block: Severity
    head_sha: str
    config_is_readable: bool = True
    circuit_denied: bool = False
    approval: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the check says and whether a human is called."""

    situation: Situation
    conclusion: Conclusion
    needs_human: bool


def decide(facts: Facts) -> Decision:
    """Return the decision for ``facts``."""
    situation = _situation(facts)
    conclusion = TABLE[situation]
    if facts.enforcement is Enforcement.ADVISE and situation not in GREEN:
        conclusion = "neutral"
    # A blocking finding is the author's to mend; a human is called when the agent
    # or the guard could not do their part, whatever else was found.
    stood_down = _agent_stood_down(facts)
    needs_human = situation not in GREEN and (
        situation is not Situation.BLOCKING or stood_down
    )
    return Decision(situation=situation, conclusion=conclusion, needs_human=needs_human)


def _situation(facts: Facts) -> Situation:
    result = facts.result
    approval = facts.approval
    if approval is not None and approval.head_sha == facts.head_sha:
        return Situation.APPROVED
    if result.verdict.blocking(facts.block):
        return Situation.BLOCKING
    if not facts.config_is_readable:
        return Situation.UNREADABLE_CONFIG
    if result.verdict.gaps or result.files == 0:
        return Situation.GAP
    if result.agent is not None and result.agent.blown is not None:
        return Situation.FUSE_BLOWN
    if facts.circuit_denied:
        return Situation.CIRCUIT_OPEN
    if result.agent is None or not result.agent.did_review:
        return Situation.NOT_REVIEWED
    if result.plan.left_out or result.plan.mode is Mode.FALLBACK:
        return Situation.PARTLY_REVIEWED
    return Situation.REVIEWED


def _agent_stood_down(facts: Facts) -> bool:
    return facts.circuit_denied or not facts.result.was_reviewed
