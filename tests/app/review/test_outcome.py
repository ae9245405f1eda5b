"""What a review tells its circuit."""

from __future__ import annotations

import pytest

from app.breaker import Objection, Outcome
from app.review.model import AgentWork
from app.review.outcome import outcome_of
from guardrails import Category
from tests.app.review.builders import blocked, blown, work


def told(agent: AgentWork) -> Outcome:
    """Return the outcome of some work."""
    return outcome_of(agent, review_id="r", generation=3, confidence_floor=0.6)


def test_a_review_that_was_done_is_clean() -> None:
    """No failure, under the generation that admitted it."""
    outcome = told(work())

    assert (
        outcome.hard,
        outcome.soft,
        outcome.fatal,
        outcome.counts,
    ) == (0.0, 0.0, False, True)
    assert outcome.generation == 3


@pytest.mark.parametrize("category", [Category.SECURITY, Category.SECRET])
def test_proposed_harm_is_fatal(category: Category) -> None:
    """A vulnerability or a secret in a proposal trips at once."""
    assert told(work(blocked=(blocked(category),))).fatal


def test_a_destructive_proposal_is_a_hard_failure() -> None:
    """It counts fully but does not trip by itself."""
    outcome = told(work(blocked=(blocked(Category.DESTRUCTIVE),)))

    assert (outcome.hard, outcome.fatal) == (1.0, False)


def test_a_proposal_blocked_for_style_is_soft() -> None:
    """It counts in the second channel."""
    outcome = told(work(blocked=(blocked(Category.STYLE),)))

    assert (outcome.hard, outcome.soft) == (0.0, 1.0)


def test_a_blown_fuse_is_a_hard_failure() -> None:
    """Whatever the agent said about it."""
    assert told(work(blown=blown("structural-loop"))).hard == 1.0


def test_an_end_without_a_review_is_a_failure() -> None:
    """Exit 0 and nothing said is no success (B29)."""
    assert told(work(did_review=False)).hard == 1.0


def test_a_provider_that_was_down_does_not_count() -> None:
    """Infrastructure never counts against the agent."""
    assert not told(work(did_review=False, is_infrastructure=True)).counts


def test_a_newer_head_does_not_count() -> None:
    """A review that was ended for a newer head says nothing (B14)."""
    assert not told(work(blown=blown("superseded"))).counts


def test_a_soft_objection_of_a_detector_is_soft() -> None:
    """What was let happen and noted reaches the circuit."""
    noted = Objection(detector="drift", reason="half of it exists", hard=False)

    assert told(work(soft=(noted,))).soft == 1.0


def test_low_confidence_is_soft() -> None:
    """Under the floor the agent itself is not sure."""
    assert told(work(confidence=0.5)).soft == 1.0
