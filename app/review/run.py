"""Run one review: guardrails over the change, then the agent behind its gate.

The one place where the parts meet. It gets everything as arguments, writes nothing
and returns a ReviewResult; who runs it (a workflow or the command line) decides
what becomes of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from app.agents.base import ReadTree, ReviewAgent, Task
from app.breaker import DETECTORS, Fuse, Publication
from app.breaker.history import Record
from app.config.load import policy_of
from app.config.model import RepositoryConfig
from app.fallback.linters import run_linters
from app.review.bounded import Bounds, run_bounded
from app.review.gate import ReviewGate
from app.review.model import AgentWork, Mode, Plan, ReviewResult, Subject
from app.review.outcome import outcome_of
from app.review.rules import limits_of
from guardrails import ChangeSet, Scanner, evaluate
from guardrails.context.firewall import clean

LAST_ACTIONS = 12  # that a human gets to see
GRACE = 5.0  # seconds after the deadline in which an agent may end by itself


def _say_nothing(_: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What a review works with.

    ``elapsed`` starts a stop-watch and returns a function that reads it, in
    seconds; ``stop`` gives a reason to end the review early.
    """

    config: RepositoryConfig
    scanners: Sequence[Scanner]
    elapsed: Callable[[], Callable[[], float]]
    stop: Callable[[], str | None] = lambda: None
    progress: Callable[[str], None] = field(default=_say_nothing)


def run_review(
    subject: Subject,
    change_set: ChangeSet,
    tree: ReadTree,
    plan: Plan,
    bench: Workbench,
    *,
    agent: ReviewAgent | None,
    generation: int,
) -> ReviewResult:
    """Review one change as ``plan`` says."""
    config = bench.config
    own = policy_of(config, author_is_agent=subject.author_is_agent)
    files = len(change_set.files)
    if plan.mode is Mode.FALLBACK or agent is None:
        bench.progress(f"linters look at {files} files")
        verdict = run_linters(
            change_set, own, names=config.fallback.linters, scanners=bench.scanners
        )
        return ReviewResult(plan=plan, verdict=verdict, files=files)
    bench.progress(f"guardrails look at {files} files")
    verdict = evaluate(change_set, own, scanners=bench.scanners)
    bench.progress(f"{agent.name} reviews {len(plan.scope)} files")
    work = _run_agent(subject, change_set, tree, plan, bench, agent)
    outcome = outcome_of(
        work,
        review_id=subject.review_id,
        generation=generation,
        confidence_floor=config.fuse.confidence_floor,
    )
    result = ReviewResult(
        plan=plan, verdict=verdict, agent=work, outcome=outcome, files=files
    )
    if result.was_reviewed:
        return result
    bench.progress("linters look at what the agent did not")
    linted = run_linters(
        change_set, own, names=config.fallback.linters, scanners=bench.scanners
    )
    return replace(result, verdict=linted)


def _run_agent(
    subject: Subject,
    change_set: ChangeSet,
    tree: ReadTree,
    plan: Plan,
    bench: Workbench,
    agent: ReviewAgent,
) -> AgentWork:
    fuse = Fuse(limits_of(bench.config), DETECTORS)
    elapsed = bench.elapsed()
    gate = ReviewGate(
        fuse,
        tree=tree,
        scope=plan.scope,
        policy=policy_of(bench.config, author_is_agent=True),
        scanners=bench.scanners,
        elapsed=elapsed,
        stop=bench.stop,
    )
    task = Task(
        review_id=subject.review_id,
        change_set=_within(change_set, plan.scope),
        scope=plan.scope,
        tree=tree,
        title=clean(subject.title).text,
        body=clean(subject.body).text,
        model=bench.config.agent.model,
        is_probe=plan.mode is Mode.PROBE,
    )
    bounds = Bounds(
        seconds=bench.config.fuse.deadline + GRACE, elapsed=elapsed, stop=bench.stop
    )
    report = run_bounded(lambda: agent.review(task, gate, bench.progress), bounds)
    if report.summary and not gate.is_blown:
        # What it says at the end is a Publication like any other.
        gate.judge(Publication(body=report.summary, confidence=report.confidence))
    gate.close()
    history = fuse.history
    return AgentWork(
        name=agent.name,
        publications=tuple(gate.publications),
        proposals=tuple(gate.proposals),
        blocked=tuple(gate.blocked),
        refusals=tuple(gate.refusals),
        blown=fuse.blown,
        soft=tuple(history.soft),
        did_review=report.did_review and fuse.blown is None,
        failure=report.failure,
        is_infrastructure=report.is_infrastructure,
        confidence=report.confidence,
        tokens=history.tokens,
        cost_usd=history.cost_usd,
        seconds=elapsed(),
        last_actions=tuple(describe(each) for each in history.records[-LAST_ACTIONS:]),
    )


def describe(record: Record) -> str:
    """Say in one short line what an agent wanted and what it was told."""
    kind, _, rest = record.signature.partition(":")
    name = rest.split(":", 1)[0] if kind in ("tool", "model", "delegation") else ""
    path = getattr(record.action, "path", "")
    what = " ".join(part for part in (kind or "model", name, path) if part)
    objection = record.objection
    said = "ok" if objection is None else f"refused by {objection.detector}"
    return f"{record.at:7.1f} s  {what}: {said}"


def _within(change_set: ChangeSet, scope: Sequence[str]) -> ChangeSet:
    wanted = frozenset(scope)
    files = tuple(each for each in change_set.files if each.path in wanted)
    return ChangeSet(files=files)
