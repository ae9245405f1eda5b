"""The review of one head of one pull request, as durable steps.

Facts -> check in progress -> circuit -> review -> outcome -> is the head still the
newest? -> review, label, handoff -> check completed. Each step has one visible
effect and looks before it writes; a crash at any point goes on at the last kept
step, so that nothing is doubled and nothing is lost. What cannot be done ends in
``action_required``, never in silence and never in green.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from app.errors import GitHubRefused
from app.jobs.engine import StepRunner

CLOSED, SUPERSEDED, GAVE_UP = "closed", "superseded", "gave up"


class ReviewSteps(Protocol):
    """What the steps do; everything that is handed on is plain JSON data."""

    def read_facts(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """Return pull request and configuration; ``None`` when it is closed."""

    def is_newest(self, job: dict[str, Any]) -> bool:
        """Tell whether this job is what its pull request still wants."""

    def open_check(self, job: dict[str, Any]) -> int:
        """Return the id of the check run, in progress."""

    def admit(self, job: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
        """Ask the circuit and the budget."""

    def review(
        self, job: dict[str, Any], facts: dict[str, Any], admission: dict[str, Any]
    ) -> dict[str, Any]:
        """Review; return the result."""

    def tell_circuit(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any] | None,
    ) -> None:
        """Tell circuit and purse how it went; ``None`` when there is no result."""

    def confirm_head(self, job: dict[str, Any], facts: dict[str, Any]) -> bool:
        """Ask GitHub whether head and base are still ours."""

    def decide(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any],
    ) -> dict[str, Any]:
        """Return what will be written: report, review, label, handoff."""

    def post_review(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Post the agent's remarks that passed."""

    def add_label(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Call a human by label."""

    def hand_off(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Write or edit the handoff comment."""

    def complete_check(
        self, job: dict[str, Any], check_id: int, writing: dict[str, Any]
    ) -> None:
        """Complete the check run."""

    def cancel_check(self, job: dict[str, Any], check_id: int) -> None:
        """Complete the check run of a head that is no longer the newest."""

    def give_up(
        self, job: dict[str, Any], facts: dict[str, Any], check_id: int, reason: str
    ) -> None:
        """Complete the check run: we could not do our part, so it is not green."""

    def keep(
        self,
        job: dict[str, Any],
        result: dict[str, Any],
        writing: dict[str, Any],
    ) -> None:
        """Keep the finished review."""


def review_pull_request(
    job: dict[str, Any], step: StepRunner, steps: ReviewSteps
) -> str:
    """Run the review that ``job`` asks for; return how it ended."""
    facts = step("read_facts", lambda: steps.read_facts(job))
    if facts is None:
        return CLOSED
    if not step("is_newest", lambda: steps.is_newest(job)):
        return SUPERSEDED
    check_id = step("open_check", lambda: steps.open_check(job))
    try:
        return _guarded(job, step, steps, facts, check_id)
    except Exception as error:  # whatever it is: no check may stay in progress for ever
        reason = f"{type(error).__name__}: {error}"
        step("give_up", lambda: steps.give_up(job, facts, check_id, reason))
        return GAVE_UP


def _guarded(
    job: dict[str, Any],
    step: StepRunner,
    steps: ReviewSteps,
    facts: dict[str, Any],
    check_id: int,
) -> str:
    admission = step("admit", lambda: steps.admit(job, facts))
    try:
        result = step("review", lambda: steps.review(job, facts, admission))
    except Exception:  # the probe's lease and the reservation end with the review
        step("release", lambda: steps.tell_circuit(job, facts, admission, None))
        raise
    step("tell_circuit", lambda: steps.tell_circuit(job, facts, admission, result))
    if not step("confirm_head", lambda: steps.confirm_head(job, facts)):
        step("cancel_check", lambda: steps.cancel_check(job, check_id))
        return SUPERSEDED
    writing = step("decide", lambda: steps.decide(job, facts, admission, result))
    # The check is what a merge waits for: words that GitHub refuses for good (a
    # locked conversation, a missing permission) must not keep it from completing.
    step("post_review", lambda: _best_effort(steps.post_review, job, writing))
    step("add_label", lambda: _best_effort(steps.add_label, job, writing))
    step("hand_off", lambda: _best_effort(steps.hand_off, job, writing))
    step("keep", lambda: steps.keep(job, result, writing))
    step("complete_check", lambda: steps.complete_check(job, check_id, writing))
    return str(writing["conclusion"])


def _best_effort(
    effect: Callable[[dict[str, Any], dict[str, Any]], None],
    job: dict[str, Any],
    writing: dict[str, Any],
) -> str:
    """Have an effect; return why not when GitHub refuses it for good."""
    try:
        effect(job, writing)
    except GitHubRefused as error:
        return str(error)
    return ""
