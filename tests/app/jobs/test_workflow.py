"""The review workflow, step by step, with real parts and GitHub at the port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from app.errors import GitHubRefused, RepositoryError
from guardrails.scanners import BanditScanner
from tests.app.jobs.fakes import KeptSteps, PowerCut
from tests.app.jobs.stage import GOOD, HARM, KEY, LOOP, Stage, make_stage

__all__ = ["make_stage"]  # a fixture, found by its name


def test_a_good_review_is_posted_and_green(
    make_stage: Callable[..., Stage],
) -> None:
    """Check, review with a suggestion, no label, no handoff."""
    stage = make_stage(GOOD)

    assert stage.review() == "success"
    assert stage.hub.report.conclusion == "success"
    ((body, comments),) = stage.hub.reviews.values()
    assert "Looks good." in body
    assert any("```suggestion" in each.body for each in comments)
    assert stage.hub.labels == []


def test_a_loop_is_stopped_and_a_human_is_called(
    make_stage: Callable[..., Stage],
) -> None:
    """The fuse ends the review: action required, label, handoff."""
    stage = make_stage(LOOP)

    assert stage.review() == "action_required"
    assert stage.hub.labels == ["needs-human-review"]
    (handoff,) = stage.hub.comments.values()
    assert "structural-loop" in handoff
    assert stage.hub.reviews == {}


def test_proposed_harm_opens_the_circuit_and_the_next_review_is_linted(
    make_stage: Callable[..., Stage],
) -> None:
    """A fatal outcome trips at once; then linters and a human take over."""
    stage = make_stage(HARM, scanners=(BanditScanner(),))

    stage.review()
    assert stage.circuits.get(KEY).state == "open"
    stage.clock.time += timedelta(seconds=60)
    stage.push("def add(a, b):\n    return b + a\n")

    assert stage.review() == "action_required"
    latest = stage.reviews.latest()[0]
    assert latest.situation == "circuit_open"
    assert latest.mode == "fallback"


STEPS = [
    "read_facts",
    "is_newest",
    "open_check",
    "admit",
    "review",
    "tell_circuit",
    "confirm_head",
    "decide",
    "post_review",
    "add_label",
    "hand_off",
    "keep",
    "complete_check",
]


@pytest.mark.parametrize("step", STEPS)
def test_a_power_cut_in_any_step_doubles_nothing(
    step: str, make_stage: Callable[..., Stage]
) -> None:
    """The step had its effect and was not kept: it runs again and changes nothing."""
    stage = make_stage(LOOP)
    run = KeptSteps(cut_after=step)

    with pytest.raises(PowerCut):
        stage.review(run)
    stage.review(run)

    assert list(dict.fromkeys(run.order)) == STEPS
    assert len(stage.hub.checks) == 1
    assert stage.hub.labels == ["needs-human-review"]
    assert len(stage.hub.comments) == 1
    assert stage.circuits.get(KEY).recent == (1.0,)
    assert len(stage.reviews.latest()) == 1


def test_a_closed_pull_request_is_left_alone(
    make_stage: Callable[..., Stage],
) -> None:
    """Nothing is written to it (B13)."""
    stage = make_stage(GOOD)
    stage.hub.pull_request = replace(stage.hub.pull_request, state="closed")

    assert stage.review() == "closed"
    assert stage.hub.writes == []


def test_a_locked_conversation_does_not_keep_the_check_from_completing(
    make_stage: Callable[..., Stage],
) -> None:
    """What GitHub refuses for good is left out; the check says the rest (B30)."""
    stage = make_stage(LOOP)
    stage.hub.fails["upsert_comment"] = GitHubRefused("locked", status=403)

    assert stage.review() == "action_required"
    assert stage.hub.labels == ["needs-human-review"]


def test_a_change_that_cannot_be_fetched_is_not_green(
    make_stage: Callable[..., Stage],
) -> None:
    """Our own fault is a gap, and it does not count against the agent."""
    stage = make_stage(GOOD)
    stage.hub.fails["checkout"] = RepositoryError("no such commit")

    assert stage.review() == "action_required"
    assert stage.circuits.get(KEY).recent == ()


def test_unreadable_configuration_is_not_green_and_not_off(
    make_stage: Callable[..., Stage],
) -> None:
    """The defaults stay in force, and the check names the line (B19)."""
    stage = make_stage(GOOD)
    stage.hub.config = "fuse:\n  treshold: 5\n"

    assert stage.review() == "action_required"
    assert "treshold" in stage.hub.report.summary


def test_the_last_good_configuration_stays_in_force(
    make_stage: Callable[..., Stage],
) -> None:
    """A broken edit does not loosen what was tightened before."""
    stage = make_stage(LOOP)
    stage.hub.config = "escalation:\n  label: call-a-human\n"
    stage.review()
    stage.hub.config = "escalation: ["
    stage.review()

    assert stage.hub.labels == ["call-a-human"]


def test_a_spent_budget_keeps_the_agent_out(
    make_stage: Callable[..., Stage],
) -> None:
    """Money of earlier reviews counts: many cheap runs are stopped, too (A05)."""
    stage = make_stage(GOOD)
    stage.hub.config = "budget:\n  per_pr_usd: 0.01\n"

    assert stage.review() == "success"
    assert stage.review() == "action_required"
    assert "budget" in next(iter(stage.hub.comments.values()))


def test_advice_only_tells(make_stage: Callable[..., Stage]) -> None:
    """Under ``advise`` nothing holds up a merge."""
    stage = make_stage(LOOP)
    stage.hub.config = "enforcement: advise\n"

    assert stage.review() == "neutral"


def test_publish_check_writes_no_review(make_stage: Callable[..., Stage]) -> None:
    """Nothing is published that the configuration does not allow (A12)."""
    stage = make_stage(GOOD)
    stage.hub.config = "agent:\n  publish: check\n"

    assert stage.review() == "success"
    assert stage.hub.reviews == {}


def test_what_a_killed_review_may_have_cost_stays_counted(
    make_stage: Callable[..., Stage],
) -> None:
    """The reservation is made before the agent runs, and settled after it."""
    stage = make_stage(GOOD)
    run = KeptSteps(cut_after="review")

    with pytest.raises(PowerCut):
        stage.review(run)
    assert stage.spent_usd == 2.0

    stage.review(run)
    assert stage.spent_usd == 0.01


def test_a_fault_of_ours_completes_the_check_and_frees_the_probe(
    make_stage: Callable[..., Stage],
) -> None:
    """Whatever goes wrong, no check stays in progress and no lease is held."""
    stage = make_stage(GOOD)
    stage.hub.fails["checkout"] = ZeroDivisionError("a bug")

    assert stage.review() == "gave up"
    assert stage.hub.report.conclusion == "action_required"
    assert stage.circuits.get(KEY).recent == ()
    assert stage.circuits.get(KEY).lease is None


def test_a_fault_of_ours_is_neutral_under_advise(
    make_stage: Callable[..., Stage],
) -> None:
    """Advice never holds up a merge."""
    stage = make_stage(GOOD)
    stage.hub.config = "enforcement: advise\n"
    stage.hub.fails["checkout"] = ZeroDivisionError("a bug")

    stage.review()

    assert stage.hub.report.conclusion == "neutral"


def test_a_probe_is_a_shadow_review(make_stage: Callable[..., Stage]) -> None:
    """It is not published and vouches for nothing until the circuit has closed."""
    first = HARM.replace("- steps:", "- when: {review: 1}\n    steps:")
    script = first + GOOD.replace("acts:\n", "")
    stage = make_stage(script, scanners=(BanditScanner(),))
    stage.review()
    said = list[str]()
    for _ in range(5):
        stage.clock.time += timedelta(hours=2)
        said.append(stage.review())

    assert said == ["action_required"] * 4 + ["success"]
    assert len(stage.hub.reviews) == 1


def test_publish_check_shows_the_words_in_the_check(
    make_stage: Callable[..., Stage],
) -> None:
    """No word of the agent is lost by not posting a review."""
    stage = make_stage(GOOD)
    stage.hub.config = "agent:\n  publish: check\n"
    stage.review()

    assert "Say what is added." in stage.hub.report.text
    assert "Fine." in stage.hub.report.text


def test_an_archive_is_not_reviewed_by_anybody(
    make_stage: Callable[..., Stage],
) -> None:
    """A binary that may run is no part of a green review; a picture is."""
    stage = make_stage(GOOD)
    stage.repository.write("logo.png", b"\x89PNG\0")
    stage.push("def add(a, b):\n    return a + b\n")
    assert stage.review() == "success"

    stage.repository.write("tool.jar", b"PK\0\0")
    stage.push("def add(a, b):\n    return a + b  # same\n")
    assert stage.review() == "action_required"
