"""The steps that write: to GitHub, and to the store at the end.

One visible effect a step. Each looks first and may run again after a crash; words
for people are written only while the job is the newest of its pull request.
"""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from app import messages
from app.config.model import Enforcement
from app.jobs.review_job import JobSteps, config_of
from app.ports import CheckReport, ReviewComment
from app.review.model import ReviewResult
from app.review.report import marker
from app.store.reviews import ReviewRow, Wanted

_REPORT: TypeAdapter[CheckReport] = TypeAdapter(CheckReport)


class WriteSteps(JobSteps):
    """Open and complete the check; post review, label and handoff; keep the result."""

    def open_check(self, job: dict[str, Any]) -> int:
        """Return the id of the check run, in progress."""
        wanted = Wanted(**job)
        return self._hub(wanted).open_check(
            wanted.head_sha, wanted.review_id, messages.IN_PROGRESS
        )

    def post_review(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Post the agent's remarks that passed."""
        wanted = Wanted(**job)
        review = writing["review"]
        if review is None or self._superseded(wanted) is not None:
            return
        self._hub(wanted).post_review(
            wanted.number,
            wanted.head_sha,
            review["body"],
            [ReviewComment(**each) for each in review["comments"]],
            marker("review", wanted.review_id),
        )

    def add_label(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Call a human by label."""
        wanted = Wanted(**job)
        if writing["label"] is None or self._superseded(wanted) is not None:
            return
        self._hub(wanted).add_label(
            wanted.number,
            writing["label"],
            messages.LABEL_COLOR,
            messages.LABEL_DESCRIPTION,
        )

    def hand_off(self, job: dict[str, Any], writing: dict[str, Any]) -> None:
        """Write or edit the handoff comment."""
        wanted = Wanted(**job)
        if writing["handoff"] is None or self._superseded(wanted) is not None:
            return
        self._hub(wanted).upsert_comment(
            wanted.number, marker("handoff", str(wanted.number)), writing["handoff"]
        )

    def complete_check(
        self, job: dict[str, Any], check_id: int, writing: dict[str, Any]
    ) -> None:
        """Complete the check run."""
        report = _REPORT.validate_python(writing["report"])
        self._hub(Wanted(**job)).complete_check(check_id, report)

    def cancel_check(self, job: dict[str, Any], check_id: int) -> None:
        """Complete the check run of a head that is no longer the newest."""
        report = CheckReport(
            conclusion="cancelled",
            title=messages.SUPERSEDED,
            summary=messages.CANCELLED,
        )
        self._hub(Wanted(**job)).complete_check(check_id, report)

    def give_up(
        self, job: dict[str, Any], facts: dict[str, Any], check_id: int, reason: str
    ) -> None:
        """Complete the check run: we could not do our part, so it is not green."""
        is_advice = config_of(facts).enforcement is Enforcement.ADVISE
        report = CheckReport(
            conclusion="neutral" if is_advice else "action_required",
            title=messages.GAVE_UP,
            summary=f"{messages.GAVE_UP_WHY} {messages.quote(reason, 600)}",
        )
        self._hub(Wanted(**job)).complete_check(check_id, report)

    def keep(
        self, job: dict[str, Any], result: dict[str, Any], writing: dict[str, Any]
    ) -> None:
        """Keep the finished review."""
        wanted = Wanted(**job)
        found = ReviewResult.load(result)
        work = found.agent
        self._at.reviews.keep(
            ReviewRow(
                review_id=wanted.review_id,
                repository=wanted.repository,
                number=wanted.number,
                head_sha=wanted.head_sha,
                agent=writing["agent"],
                mode=found.plan.mode.value,
                conclusion=writing["conclusion"],
                situation=writing["situation"],
                tokens=work.tokens if work else 0,
                cost_usd=work.cost_usd if work else 0.0,
                finished_at=self._at.clock.now(),
                result=result,
            )
        )
        self._at.metrics.reviewed(
            writing["conclusion"],
            writing["situation"],
            [each.detector for each in work.refusals] if work else [],
        )
