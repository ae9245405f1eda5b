"""The steps of the review workflow on GitHub: the review itself, and what follows.

Every method takes and returns plain JSON data, because DBOS keeps it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import partial
from typing import Any

import structlog

from app.agents.base import AgentChoice
from app.breaker import Admission
from app.breaker.status import state_sentence, vouches
from app.config.model import RepositoryConfig
from app.errors import RepositoryError
from app.jobs.review_facts import FactSteps
from app.jobs.review_job import config_of, pull_of, subject_of
from app.jobs.review_writes import WriteSteps
from app.ports import PullRequest
from app.review.changes import load
from app.review.decide import Denial, Facts, decide
from app.review.model import Mode, Plan, ReviewResult
from app.review.plan import make_plan
from app.review.report import Setting, check_report, handoff, review_comments
from app.review.rules import rules_of
from app.review.run import Workbench, run_review
from app.review.trees import HeadTree
from app.store.circuits import CircuitKey
from app.store.reviews import Wanted
from guardrails import ChangeSet, Gap, Severity, Verdict

log = structlog.get_logger(__name__)


class GitHubReviewSteps(FactSteps, WriteSteps):
    """All steps of a review of a pull request on GitHub."""

    def review(
        self, job: dict[str, Any], facts: dict[str, Any], admission: dict[str, Any]
    ) -> dict[str, Any]:
        """Review; return the result."""
        wanted = Wanted(**job)
        pull = pull_of(facts)
        config = config_of(facts)
        choice = self._at.make_agent(config)
        hub = self._hub(wanted)
        try:
            checkout = hub.checkout(wanted.number, pull.base_sha, wanted.head_sha)
            return self._review(wanted, pull, config, choice, admission, checkout)
        except RepositoryError as error:
            gap = Gap(reason=f"the change could not be fetched: {error}", source="git")
            verdict = Verdict(gaps=(gap,))
            plan = Plan(mode=Mode.FALLBACK, reason="")
            return ReviewResult(plan=plan, verdict=verdict).dump()

    def decide(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any],
    ) -> dict[str, Any]:
        """Return what will be written: report, review, label, handoff."""
        wanted = Wanted(**job)
        config = config_of(facts)
        found = ReviewResult.load(result)
        key = CircuitKey(repository=wanted.repository, agent=admission["agent"])
        circuit = self._at.circuits.get(key)
        twins = self._at.reviews.red_twins(
            wanted.repository, wanted.head_sha, wanted.number
        )
        decision = decide(
            Facts(
                result=found,
                enforcement=config.enforcement,
                block=Severity[config.guardrails.block.upper()],
                head_sha=wanted.head_sha,
                config_is_readable=facts["is_readable"],
                denied=Denial(admission["denied"]),
                circuit_vouches=vouches(circuit.state),
                red_twins=tuple(twins),
            )
        )
        setting = Setting(
            circuit_sentence=state_sentence(circuit, rules_of(config)),
            config_source=facts["source"],
            config_problems=tuple(facts["problems"]),
        )
        subject = subject_of(wanted, pull_of(facts), config)
        shows_words = decision.publishes and config.agent.publish == "check"
        report = check_report(
            subject, found, decision, setting, shows_words=shows_words
        )
        work = found.agent
        review = None
        posts = decision.publishes and config.agent.publish == "review"
        if posts and work is not None and (work.publications or work.proposals):
            lines = {path: frozenset(each) for path, each in result["lines"].items()}
            body, comments = review_comments(work, lines, wanted.review_id)
            review = {"body": body, "comments": [asdict(each) for each in comments]}
        calls = decision.needs_human
        return {
            "conclusion": decision.conclusion,
            "situation": decision.situation.value,
            "report": asdict(report),
            "agent": admission["agent"],
            "review": review,
            "label": config.escalation.label if calls else None,
            "handoff": handoff(subject, found, setting) if calls else None,
        }

    def _review(
        self,
        wanted: Wanted,
        pull: PullRequest,
        config: RepositoryConfig,
        choice: AgentChoice,
        admission: dict[str, Any],
        checkout: AbstractContextManager[Any],
    ) -> dict[str, Any]:
        with checkout as tree:
            change_set = load(tree, pull.base_sha, wanted.head_sha)
            plan = make_plan(
                change_set,
                admission=Admission(admission["admission"]),
                reason=admission["reason"],
                can_run=choice.agent is not None,
            )
            bench = Workbench(
                config=config,
                scanners=self._at.scanners,
                elapsed=self._at.elapsed,
                stop=partial(self._stop, wanted),
            )
            result = run_review(
                subject_of(wanted, pull, config),
                _counted(change_set, pull.changed_files),
                HeadTree(tree, wanted.head_sha),
                plan,
                bench,
                agent=choice.agent,
                generation=admission["generation"],
            )
        lines = {each.path: sorted(each.right_lines()) for each in change_set.files}
        return {**result.dump(), "lines": lines}

    def _stop(self, wanted: Wanted) -> str | None:
        """Return why the review shall end now; a store that hiccups is no reason."""
        try:
            return self._superseded(wanted)
        except Exception:  # whatever the database says; the next look is near
            log.warning("could not ask for a newer head", review=wanted.review_id)
            return None


def _counted(change_set: ChangeSet, expected: int) -> ChangeSet:
    """Return the change set, with a gap when GitHub counts more files (B03)."""
    if len(change_set.files) >= expected:
        return change_set
    reason = f"{expected} files changed, only {len(change_set.files)} were seen"
    gap = Gap(reason=reason, source="github")
    return ChangeSet(files=change_set.files, gaps=(*change_set.gaps, gap))
