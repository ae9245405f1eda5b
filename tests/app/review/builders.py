"""Builders for results of reviews."""

from __future__ import annotations

from app.breaker import Objection, Proposal
from app.config.model import Enforcement
from app.review.decide import Facts
from app.review.model import AgentWork, Blocked, Mode, Plan, ReviewResult, Subject
from guardrails import Category, Finding, Severity, Verdict

SHA = "c" * 40


def subject(**changes: object) -> Subject:
    """Return a subject."""
    values: dict[str, object] = {
        "review_id": "o/r#7@c#1",
        "repository": "o/r",
        "number": 7,
        "base_sha": "b" * 40,
        "head_sha": SHA,
    }
    return Subject(**(values | changes))  # type: ignore[arg-type]  # test builder


def finding(severity: Severity = Severity.HIGH, **changes: object) -> Finding:
    """Return a finding."""
    values: dict[str, object] = {
        "rule": "some-rule",
        "severity": severity,
        "category": Category.SECURITY,
        "path": "a.py",
        "line": 3,
        "message": "it is bad",
    }
    return Finding(**(values | changes))  # type: ignore[arg-type]  # test builder


def work(**changes: object) -> AgentWork:
    """Return the work of an agent that did its part."""
    values: dict[str, object] = {"name": "builtin", "did_review": True}
    return AgentWork(**(values | changes))  # type: ignore[arg-type]  # test builder


def proposal(**changes: object) -> Proposal:
    """Return a proposal for one line."""
    values: dict[str, object] = {
        "path": "a.py",
        "start_line": 3,
        "end_line": 3,
        "replacement": "x = 1",
        "reason": "clearer",
    }
    return Proposal(**(values | changes))  # type: ignore[arg-type]  # test builder


def blocked(category: Category, severity: Severity = Severity.HIGH) -> Blocked:
    """Return a blocked proposal with one finding."""
    return Blocked(
        proposal=proposal(), findings=(finding(severity, category=category),)
    )


def blown(detector: str = "budget") -> Objection:
    """Return what blew a fuse."""
    return Objection(detector=detector, reason="too much")


def reviewed(**changes: object) -> ReviewResult:
    """Return a result of a review that was really done and found nothing."""
    values: dict[str, object] = {
        "plan": Plan(mode=Mode.AGENT, reason="", scope=("a.py",)),
        "verdict": Verdict(),
        "agent": work(),
        "files": 1,
    }
    return ReviewResult(**(values | changes))  # type: ignore[arg-type]  # test builder


def linted(**changes: object) -> ReviewResult:
    """Return a result of the fallback."""
    plan = Plan(mode=Mode.FALLBACK, reason="open", left_out=("a.py",))
    return reviewed(**({"plan": plan, "agent": None} | changes))


def facts(result: ReviewResult, **changes: object) -> Facts:
    """Return facts under ``enforce``."""
    values: dict[str, object] = {
        "result": result,
        "enforcement": Enforcement.ENFORCE,
        "block": Severity.HIGH,
        "head_sha": SHA,
    }
    return Facts(**(values | changes))  # type: ignore[arg-type]  # test builder
