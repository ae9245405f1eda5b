"""What the steps of the review workflow do, with the real parts put in.

Every method takes and returns plain JSON data, because DBOS keeps it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import structlog
from pydantic import TypeAdapter

from app import messages
from app.agents.base import AgentChoice
from app.breaker import Admission, Circuit, Outcome, Step, admit, record
from app.breaker.status import state_sentence, vouches
from app.config.keys import CONFIG_PATH
from app.config.load import Effective, LoadAnswer, choose
from app.config.model import Enforcement, RepositoryConfig
from app.config.parser import parse
from app.errors import (
    GitHubError,
    GitHubLimited,
    GitHubUnavailable,
    RepositoryError,
)
from app.ports import CheckReport, Clock, Hub, HubFactory, PullRequest, ReviewComment
from app.review import budget
from app.review.authors import is_agent
from app.review.changes import load
from app.review.decide import Denial, Facts, decide
from app.review.model import Mode, Plan, ReviewResult, Subject
from app.review.plan import make_plan
from app.review.report import (
    Setting,
    check_report,
    handoff,
    marker,
    review_comments,
)
from app.review.rules import rules_of
from app.review.run import Workbench, run_review
from app.review.trees import HeadTree
from app.store.circuits import CircuitKey, CircuitStore
from app.store.reviews import ReviewRow, ReviewStore, Wanted
from app.store.spending import SpendingStore
from app.telemetry.metrics import Metrics
from guardrails import ChangeSet, Gap, Scanner, Severity, Verdict

CHECK_TITLE = messages.IN_PROGRESS

log = structlog.get_logger(__name__)


AgentMaker = Callable[[RepositoryConfig], AgentChoice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that the steps work with."""

    hubs: HubFactory
    circuits: CircuitStore
    reviews: ReviewStore
    spending: SpendingStore
    clock: Clock
    scanners: Sequence[Scanner]
    make_agent: AgentMaker
    elapsed: Callable[[], Callable[[], float]]
    metrics: Metrics
    jitter: Callable[[], float] = field(default=random.random)


class GitHubReviewSteps:
    """The steps of a review of a pull request on GitHub."""

    def __init__(self, services: Services) -> None:
        self._at = services

    def read_facts(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """Return pull request and configuration; ``None`` when it is closed."""
        wanted = Wanted(**job)
        hub = self._hub(wanted)
        pull = hub.pull(wanted.number)
        if pull.state == "closed":
            return None
        effective = self._config(hub, wanted.repository)
        return {
            "pull": asdict(pull),
            "config": effective.config.model_dump_json(),
            "source": effective.source,
            "problems": [str(problem) for problem in effective.problems],
            "is_readable": effective.is_readable,
        }

    def is_newest(self, job: dict[str, Any]) -> bool:
        """Tell whether this job is what its pull request still wants."""
        return self._superseded(Wanted(**job)) is None

    def open_check(self, job: dict[str, Any]) -> int:
        """Return the id of the check run, in progress."""
        wanted = Wanted(**job)
        return self._hub(wanted).open_check(
            wanted.head_sha, wanted.review_id, CHECK_TITLE
        )

    def admit(self, job: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
        """Ask the budget and the circuit; reserve what the agent may cost."""
        wanted = Wanted(**job)
        config = _config_of(facts)
        choice = self._at.make_agent(config)
        now = self._at.clock.now()
        key = CircuitKey(repository=wanted.repository, agent=choice.name)
        if choice.agent is None:
            circuit = self._at.circuits.get(key)
            return _admission(circuit, choice, Denial.NO_AGENT, choice.why_not)
        refused = budget.refusal(config.budget, self._spent(wanted, now))
        if refused is not None:
            circuit = self._at.circuits.get(key)
            return _admission(circuit, choice, Denial.BUDGET, refused)
        ask = partial(
            admit, review_id=wanted.review_id, now=now, rules=rules_of(config)
        )
        made = self._at.circuits.change(key, ask, now=now)
        self._note(key, made)
        if made.admission is Admission.DENIED:
            sentence = state_sentence(made.circuit)
            return _admission(made.circuit, choice, Denial.CIRCUIT, sentence)
        self._at.spending.reserve(
            wanted.review_id,
            repository=wanted.repository,
            number=wanted.number,
            most_usd=config.fuse.cost_usd,
            now=now,
        )
        return _admission(made.circuit, choice, Denial.NONE, "", made.admission)

    def review(
        self, job: dict[str, Any], facts: dict[str, Any], admission: dict[str, Any]
    ) -> dict[str, Any]:
        """Review; return the result."""
        wanted = Wanted(**job)
        pull = _pull_of(facts)
        config = _config_of(facts)
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

    def tell_circuit(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any] | None,
    ) -> None:
        """Tell circuit and purse how it went; ``None`` when there is no result."""
        wanted = Wanted(**job)
        if admission["denied"] != Denial.NONE.value:
            return
        found = None if result is None else ReviewResult.load(result)
        work = None if found is None else found.agent
        if work is not None:
            self._at.spending.settle(wanted.review_id, work.cost_usd)
        elif found is not None:
            self._at.spending.release(wanted.review_id)
        # Without a result nobody knows how far it came: the reservation stays.
        outcome = None if found is None else found.outcome
        if outcome is None:
            # Our own fault says nothing about the agent; a probe's lease ends here.
            outcome = Outcome(
                review_id=wanted.review_id,
                generation=admission["generation"],
                reason="it could not be reviewed",
                counts=False,
            )
        now = self._at.clock.now()
        key = CircuitKey(repository=wanted.repository, agent=admission["agent"])
        told = partial(
            record,
            outcome=outcome,
            now=now,
            rules=rules_of(_config_of(facts)),
            jitter=self._at.jitter(),
        )
        self._note(key, self._at.circuits.tell(key, outcome, told, now=now))

    def confirm_head(self, job: dict[str, Any], facts: dict[str, Any]) -> bool:
        """Ask GitHub whether head and base are still ours (B14, B15)."""
        wanted = Wanted(**job)
        if self._superseded(wanted) is not None:
            return False
        pull = self._hub(wanted).pull(wanted.number)
        is_same = (pull.head_sha, pull.base_ref) == (
            wanted.head_sha,
            facts["pull"]["base_ref"],
        )
        return pull.state == "open" and is_same

    def decide(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any],
    ) -> dict[str, Any]:
        """Return what will be written: report, review, label, handoff."""
        wanted = Wanted(**job)
        config = _config_of(facts)
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
            circuit_sentence=state_sentence(circuit),
            config_source=facts["source"],
            config_problems=tuple(facts["problems"]),
        )
        subject = _subject(wanted, _pull_of(facts), config)
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
        is_advice = _config_of(facts).enforcement is Enforcement.ADVISE
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
                _subject(wanted, pull, config),
                _counted(change_set, pull.changed_files),
                HeadTree(tree, wanted.head_sha),
                plan,
                bench,
                agent=choice.agent,
                generation=admission["generation"],
            )
        lines = {each.path: sorted(each.right_lines()) for each in change_set.files}
        return {**result.dump(), "lines": lines}

    def _config(self, hub: Hub, repository: str) -> Effective:
        kept = self._at.reviews.last_config(repository)
        last_good = parse(kept, source="last good").config if kept else None
        try:
            remote = hub.file_on_default_branch(CONFIG_PATH)
        except (GitHubUnavailable, GitHubLimited):
            raise
        except GitHubError as error:
            answer = LoadAnswer(source=CONFIG_PATH, text=None, failure=str(error))
            return choose(answer, last_good)
        effective = choose(
            LoadAnswer(source=remote.source, text=remote.text), last_good
        )
        if remote.text is None:
            self._at.reviews.forget_config(repository)
        elif effective.is_readable:
            self._at.reviews.keep_config(
                repository,
                source=remote.source,
                text=remote.text,
                now=self._at.clock.now(),
            )
        return effective

    def _spent(self, wanted: Wanted, now: datetime) -> budget.Spent:
        month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        spending, repository = self._at.spending, wanted.repository
        return budget.Spent(
            pull_usd=spending.usd(repository, since=EVER, number=wanted.number),
            month_usd=spending.usd(repository, since=month),
            runs_last_hour=spending.runs(repository, since=now - timedelta(hours=1)),
        )

    def _note(self, key: CircuitKey, step: Step) -> None:
        if step.transition is not None:
            self._at.metrics.transition(key.repository, key.agent, step.transition)

    def _stop(self, wanted: Wanted) -> str | None:
        """Return why the review shall end now; a store that hiccups is no reason."""
        try:
            return self._superseded(wanted)
        except Exception:  # whatever the database says; the next look is near
            log.warning("could not ask for a newer head", review=wanted.review_id)
            return None

    def _superseded(self, wanted: Wanted) -> str | None:
        current = self._at.reviews.wanted(wanted.key)
        if current is not None and current.generation == wanted.generation:
            return None
        return messages.SUPERSEDED

    def _hub(self, wanted: Wanted) -> Hub:
        return self._at.hubs.hub(wanted.installation_id, wanted.repository)


EVER = datetime(2000, 1, 1, tzinfo=UTC)

_PULL: TypeAdapter[PullRequest] = TypeAdapter(PullRequest)
_REPORT: TypeAdapter[CheckReport] = TypeAdapter(CheckReport)


def _admission(
    circuit: Circuit,
    choice: AgentChoice,
    denied: Denial,
    reason: str,
    admission: Admission = Admission.DENIED,
) -> dict[str, Any]:
    return {
        "admission": admission.value,
        "denied": denied.value,
        "generation": circuit.generation,
        "reason": reason,
        "agent": choice.name,
    }


def _config_of(facts: dict[str, Any]) -> RepositoryConfig:
    return RepositoryConfig.model_validate_json(facts["config"])


def _pull_of(facts: dict[str, Any]) -> PullRequest:
    return _PULL.validate_python(facts["pull"])


def _subject(wanted: Wanted, pull: PullRequest, config: RepositoryConfig) -> Subject:
    return Subject(
        review_id=wanted.review_id,
        repository=wanted.repository,
        number=wanted.number,
        base_sha=pull.base_sha,
        head_sha=wanted.head_sha,
        title=pull.title,
        body=pull.body,
        author=pull.author,
        author_is_agent=is_agent(pull.author, config.agent.observe),
    )


def _counted(change_set: ChangeSet, expected: int) -> ChangeSet:
    """Return the change set, with a gap when GitHub counts more files (B03)."""
    if len(change_set.files) >= expected:
        return change_set
    reason = f"{expected} files changed, only {len(change_set.files)} were seen"
    gap = Gap(reason=reason, source="github")
    return ChangeSet(files=change_set.files, gaps=(*change_set.gaps, gap))
