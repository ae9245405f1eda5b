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
from guardrails import Category, Severity


class Situation(StrEnum):
    """The rows of the table, in the order in which they are tried."""

    APPROVED = "approved"
    BLOCKING = "blocking"
    UNREADABLE_CONFIG = "unreadable_config"
    GAP = "gap"
    FUSE_BLOWN = "fuse_blown"
    BUDGET_SPENT = "budget_spent"
    CIRCUIT_OPEN = "circuit_open"
    NOT_REVIEWED = "not_reviewed"
    PARTLY_REVIEWED = "partly_reviewed"
    ON_PROBATION = "on_probation"
    AGENT_OBJECTS = "agent_objects"
    SHARED_HEAD = "shared_head"
    REVIEWED = "reviewed"


GREEN = frozenset({Situation.APPROVED, Situation.REVIEWED})


class Denial(StrEnum):
    """What kept the agent out."""

    NONE = "none"
    CIRCUIT = "circuit"
    BUDGET = "budget"
    NO_AGENT = "no_agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """An entitled human took over: who, and for which head."""

    actor: str
    head_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the decision rests on.

    ``circuit_vouches``: the circuit is closed after this review. While it is
    half-open the agent is on probation, and its word makes nothing green.
    ``red_twins``: other pull requests with the same head that are not green; a
    check belongs to a head, so that one green run would vouch for all of them.
    """

    result: ReviewResult
    enforcement: Enforcement
    block: Severity
    head_sha: str
    config_is_readable: bool = True
    denied: Denial = Denial.NONE
    circuit_vouches: bool = True
    red_twins: tuple[int, ...] = ()
    approval: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the check says, whether a human is called, whether the agent is heard."""

    situation: Situation
    conclusion: Conclusion
    needs_human: bool
    publishes: bool


def decide(facts: Facts) -> Decision:
    """Return the decision for ``facts``."""
    situation = _situation(facts)
    return Decision(
        situation=situation,
        conclusion=conclusion_of(situation, facts.enforcement),
        needs_human=_needs_human(facts, situation),
        publishes=_is_heard(facts),
    )


def conclusion_of(situation: Situation, enforcement: Enforcement) -> Conclusion:
    """Return the conclusion: the table of the documentation."""
    if situation in GREEN:
        return "success"
    if enforcement is Enforcement.ADVISE:
        return "neutral"
    return "failure" if situation is Situation.BLOCKING else "action_required"


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
    if facts.denied is Denial.BUDGET:
        return Situation.BUDGET_SPENT
    if facts.denied is Denial.CIRCUIT:
        return Situation.CIRCUIT_OPEN
    if result.agent is None or not result.agent.did_review or not result.plan.scope:
        return Situation.NOT_REVIEWED
    if result.plan.left_out or result.plan.mode is Mode.FALLBACK:
        return Situation.PARTLY_REVIEWED
    if not facts.circuit_vouches:
        return Situation.ON_PROBATION
    if _objects(facts):
        return Situation.AGENT_OBJECTS
    if facts.red_twins:
        return Situation.SHARED_HEAD
    return Situation.REVIEWED


def _needs_human(facts: Facts, situation: Situation) -> bool:
    """Tell whether a human is called by label.

    A blocking finding is the author's to mend; a human is called when the agent or
    the guard could not do their part, and when a protected path is touched.
    """
    findings = facts.result.verdict.findings
    if any(each.category is Category.PROTECTED for each in findings):
        return True
    if situation is Situation.BLOCKING:
        return not facts.result.was_reviewed
    return situation not in GREEN


def _objects(facts: Facts) -> bool:
    """Tell whether the agent itself calls something as severe as what blocks."""
    work = facts.result.agent
    if work is None:
        return False
    severe = {each.label for each in Severity if each >= facts.block}
    said = {each.severity for each in work.publications}
    said |= {each.severity for each in work.proposals}
    return not severe.isdisjoint(said)


def _is_heard(facts: Facts) -> bool:
    """Tell whether the agent's words are published.

    Not those of an agent that was stopped, and not those of a probe: that is a
    shadow review until the circuit has closed.
    """
    work = facts.result.agent
    if work is None or not work.did_review or work.blown is not None:
        return False
    return facts.circuit_vouches
