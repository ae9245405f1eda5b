"""The table of conclusions: never false green."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.breaker import Publication
from app.config.model import Enforcement
from app.review.decide import Approval, Denial, Situation, decide
from app.review.model import Mode, Plan
from guardrails import Category, Gap, Severity, Verdict
from tests.app.review.builders import (
    SHA,
    blown,
    facts,
    finding,
    linted,
    reviewed,
    work,
)

BLOCKING = Verdict(findings=(finding(),))
GAP = Verdict(gaps=(Gap(reason="too large", path="a.py"),))
PROTECTED = Verdict(findings=(finding(Severity.MEDIUM, category=Category.PROTECTED),))
SEVERE = Publication(body="anybody can log in", path="a.py", severity="critical")
PART = Plan(mode=Mode.PROBE, reason="", scope=("a.py",), left_out=("b.py",))


@pytest.mark.parametrize(
    ("given_facts", "situation", "conclusion", "needs_human"),
    [
        (facts(reviewed()), "reviewed", "success", False),
        (facts(reviewed(verdict=BLOCKING)), "blocking", "failure", False),
        (
            facts(linted(verdict=BLOCKING), denied=Denial.CIRCUIT),
            "blocking",
            "failure",
            True,
        ),
        (
            facts(linted(), denied=Denial.CIRCUIT),
            "circuit_open",
            "action_required",
            True,
        ),
        (
            facts(reviewed(agent=work(blown=blown(), did_review=False))),
            "fuse_blown",
            "action_required",
            True,
        ),
        (facts(reviewed(verdict=GAP)), "gap", "action_required", True),
        (facts(reviewed(files=0)), "gap", "action_required", True),
        (facts(linted()), "not_reviewed", "action_required", True),
        (
            facts(reviewed(agent=work(did_review=False))),
            "not_reviewed",
            "action_required",
            True,
        ),
        (facts(reviewed(plan=PART)), "partly_reviewed", "action_required", True),
        (
            facts(linted(), denied=Denial.BUDGET),
            "budget_spent",
            "action_required",
            True,
        ),
        (
            facts(reviewed(), circuit_vouches=False),
            "on_probation",
            "action_required",
            True,
        ),
        (
            facts(reviewed(agent=work(publications=(SEVERE,)))),
            "agent_objects",
            "action_required",
            True,
        ),
        (
            facts(reviewed(), red_twins=(8,)),
            "shared_head",
            "action_required",
            True,
        ),
        (
            facts(reviewed(verdict=PROTECTED)),
            "reviewed",
            "success",
            True,
        ),
        (
            facts(reviewed(), config_is_readable=False),
            "unreadable_config",
            "action_required",
            True,
        ),
        (
            facts(
                linted(verdict=BLOCKING), approval=Approval(actor="kim", head_sha=SHA)
            ),
            "approved",
            "success",
            False,
        ),
    ],
)
def test_each_situation_has_its_conclusion(
    given_facts: object, situation: str, conclusion: str, needs_human: bool
) -> None:
    """Under ``enforce`` the table of the documentation holds."""
    decision = decide(given_facts)  # type: ignore[arg-type]  # parametrised

    assert situation == decision.situation
    assert conclusion == decision.conclusion
    assert needs_human is decision.needs_human


def test_an_approval_of_another_head_is_nothing() -> None:
    """A human vouches for one SHA, not for a pull request."""
    approval = Approval(actor="kim", head_sha="d" * 40)

    decision = decide(facts(linted(), denied=Denial.CIRCUIT, approval=approval))

    assert decision.conclusion == "action_required"


def test_advice_never_holds_up_a_merge() -> None:
    """Under ``advise`` everything that is not green is neutral."""
    for result in (reviewed(verdict=BLOCKING), linted(), reviewed(verdict=GAP)):
        decision = decide(facts(result, enforcement=Enforcement.ADVISE))
        assert decision.conclusion == "neutral"


@given(
    has_gap=st.booleans(),
    has_finding=st.booleans(),
    did_review=st.booleans(),
    is_blown=st.booleans(),
    denied=st.booleans(),
    readable=st.booleans(),
    partly=st.booleans(),
    files=st.integers(0, 2),
)
def test_success_means_all_of_it_was_really_reviewed(
    has_gap: bool,
    has_finding: bool,
    did_review: bool,
    is_blown: bool,
    denied: bool,
    readable: bool,
    partly: bool,
    files: int,
) -> None:
    """No combination of facts but the whole and clean one is green."""
    verdict = Verdict(
        gaps=GAP.gaps if has_gap else (),
        findings=BLOCKING.findings if has_finding else (),
    )
    agent = work(did_review=did_review, blown=blown() if is_blown else None)
    result = reviewed(verdict=verdict, agent=agent, files=files)
    if partly:
        result = reviewed(verdict=verdict, agent=agent, files=files, plan=PART)
    decision = decide(
        facts(
            result,
            denied=Denial.CIRCUIT if denied else Denial.NONE,
            config_is_readable=readable,
        )
    )

    bad = has_gap or has_finding or is_blown or denied or partly
    is_whole = did_review and readable and files > 0 and not bad
    assert is_whole == (decision.conclusion == "success")


def test_every_situation_has_words() -> None:
    """Title and advice exist for each row of the table."""
    from app import messages

    assert {each.value for each in Situation} == set(messages.TITLES)
    assert {each.value for each in Situation} == set(messages.WHAT_TO_DO)


def test_an_agent_that_was_given_nothing_has_reviewed_nothing() -> None:
    """A change of pictures or links alone is for a human, whatever the agent says."""
    empty = reviewed(plan=Plan(mode=Mode.AGENT, reason=""))

    assert decide(facts(empty)).situation == Situation.NOT_REVIEWED


def test_the_threshold_is_the_repositorys() -> None:
    """A medium finding blocks where the repository says so."""
    verdict = Verdict(findings=(finding(Severity.MEDIUM),))

    assert decide(facts(reviewed(verdict=verdict))).conclusion == "success"
    strict = facts(reviewed(verdict=verdict), block=Severity.MEDIUM)
    assert decide(strict).conclusion == "failure"


def test_an_agent_that_was_stopped_or_is_on_probation_is_not_heard() -> None:
    """Its words are published only when it reviewed and the circuit vouches."""
    assert decide(facts(reviewed())).publishes
    assert not decide(facts(reviewed(), circuit_vouches=False)).publishes
    assert not decide(facts(reviewed(agent=work(did_review=False)))).publishes
    assert not decide(facts(reviewed(agent=work(blown=blown())))).publishes
    assert not decide(facts(linted())).publishes
