"""Turn what an agent did into the outcome that its circuit is told. Pure.

Only what says something about the agent counts: a provider that was down, a newer
head or a fault of our own is no failure of the agent's. An agent that ended without
a review is never a success (B29).
"""

from __future__ import annotations

from app.breaker import Outcome
from app.review.model import FATAL, AgentWork, Blocked
from guardrails import Category, Severity

HARMFUL = frozenset({Category.DESTRUCTIVE, Category.PROTECTED, Category.DECEPTION})


def outcome_of(
    work: AgentWork, *, review_id: str, generation: int, confidence_floor: float
) -> Outcome:
    """Return the outcome of one review.

    Args:
        work: what the agent did.
        review_id: the id under which the circuit admitted it.
        generation: the circuit's generation at that time.
        confidence_floor: mean confidence under which it is a soft failure.
    """

    def outcome(
        reason: str,
        *,
        hard: float = 0.0,
        soft: float = 0.0,
        fatal: bool = False,
        counts: bool = True,
    ) -> Outcome:
        return Outcome(
            review_id=review_id,
            generation=generation,
            reason=reason,
            hard=hard,
            soft=soft,
            fatal=fatal,
            counts=counts,
        )

    if work.blown is not None and work.blown.detector == "superseded":
        return outcome(work.blown.reason, counts=False)
    for blocked in work.blocked:
        if _is_fatal(blocked):
            rule = blocked.findings[0].rule
            return outcome(f"the agent proposed harm ({rule})", hard=1.0, fatal=True)
    if work.blown is not None:
        reason = f"{work.blown.detector}: {work.blown.reason}"
        return outcome(reason, hard=1.0, fatal=work.blown.fatal)
    if not work.did_review:
        reason = work.failure or "the agent ended without a review"
        hard = 0.0 if work.is_infrastructure else 1.0
        return outcome(reason, hard=hard, counts=not work.is_infrastructure)
    if any(_is_harmful(blocked) for blocked in work.blocked):
        return outcome("a proposal was blocked as harmful", hard=1.0)
    if work.blocked:
        return outcome("a proposal was blocked", soft=1.0)
    if work.soft:
        noted = work.soft[0]
        return outcome(f"{noted.detector}: {noted.reason}", soft=1.0)
    if work.confidence < confidence_floor:
        reason = f"confidence {work.confidence:.2f} is under {confidence_floor:.2f}"
        return outcome(reason, soft=1.0)
    return outcome("reviewed")


def _is_fatal(blocked: Blocked) -> bool:
    return any(
        each.category in FATAL and each.severity >= Severity.HIGH
        for each in blocked.findings
    )


def _is_harmful(blocked: Blocked) -> bool:
    return any(each.category in HARMFUL for each in blocked.findings)
