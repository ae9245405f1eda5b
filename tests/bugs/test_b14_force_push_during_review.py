"""B14: a push while a review runs; nothing of the old review lands on the new head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import pytest

from app.jobs.workflow import review_pull_request
from tests.app.jobs.fakes import KeptSteps, PowerCut
from tests.app.jobs.stage import KEY, LOOP, Stage, make_stage

__all__ = ["make_stage"]  # a fixture, found by its name

OTHER = "def add(a, b):\n    return b + a\n"


def test_a_head_that_moved_meanwhile_gets_nothing_of_the_old_review(
    make_stage: Callable[..., Stage],
) -> None:
    """The old check is cancelled; no review, label or comment is written (B14)."""
    stage = make_stage(LOOP)
    run = KeptSteps(cut_after="tell_circuit")
    job = asdict(stage.want())
    with pytest.raises(PowerCut):
        review_pull_request(job, run, stage.steps)
    stage.push("def add(a, b):\n    return b + a\n")

    assert review_pull_request(job, run, stage.steps) == "superseded"
    assert stage.hub.report.conclusion == "cancelled"
    assert stage.hub.labels == []
    assert stage.hub.comments == {}


def test_a_newer_generation_ends_the_old_review_before_it_begins(
    make_stage: Callable[..., Stage],
) -> None:
    """The job of the old head sees the newer one and writes nothing at all."""
    stage = make_stage(LOOP)
    old = asdict(stage.want())
    stage.push(OTHER)
    stage.want()

    assert review_pull_request(old, KeptSteps(), stage.steps) == "superseded"
    assert stage.hub.writes == []


def test_the_outcome_of_a_superseded_review_does_not_count(
    make_stage: Callable[..., Stage],
) -> None:
    """It was stopped for a newer head, not for what it did."""
    stage = make_stage(LOOP)
    old = asdict(stage.want())
    run = KeptSteps(cut_after="admit")
    with pytest.raises(PowerCut):
        review_pull_request(old, run, stage.steps)
    stage.push(OTHER)
    stage.want()

    assert review_pull_request(old, run, stage.steps) == "superseded"
    assert stage.circuits.get(KEY).recent == ()
    assert stage.hub.report.conclusion == "cancelled"
