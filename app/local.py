"""Review a real git repository from the command line, without GitHub.

The same parts as the app, put together for one run: git instead of a checkout, the
terminal instead of a check run. The circuit of the repository is kept inside its
``.git`` folder, so that an agent that went wrong stays out next time, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.agents.base import AgentChoice
from app.breaker import Admission, Circuit, Step, admit, record
from app.breaker.status import state_sentence, vouches
from app.clock import SystemClock, stopwatch
from app.config.keys import CONFIG_PATH
from app.config.load import Effective, LoadAnswer, choose
from app.config.model import RepositoryConfig
from app.errors import RepositoryError
from app.github.git import GitTree
from app.github.local import LocalRepository
from app.ports import CheckReport
from app.review.changes import load
from app.review.decide import Decision, Denial, Facts, decide
from app.review.model import ReviewResult, Subject
from app.review.plan import make_plan
from app.review.report import Setting, check_report
from app.review.rules import rules_of
from app.review.run import Workbench, run_review
from app.review.trees import HeadTree
from app.store.circuits import CircuitKey, CircuitStore
from app.store.database import open_database
from guardrails import Scanner, Severity

BASES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalReview:
    """What a local review found out and what the check run would say."""

    subject: Subject
    result: ReviewResult
    decision: Decision
    report: CheckReport
    circuit: Circuit
    circuit_sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRequest:
    """What shall be reviewed, and how."""

    repository: Path
    base: str | None
    head: str
    make_agent: Callable[[RepositoryConfig], AgentChoice]
    scanners: Sequence[Scanner]
    progress: Callable[[str], None]
    state: Path | None = None  # folder for the circuit; default: inside .git


def review_locally(request: LocalRequest) -> LocalReview:
    """Review ``base...head`` of a local repository."""
    repository = LocalRepository(request.repository)
    head = repository.resolve(request.head)
    base = repository.resolve(request.base or _default_base(repository, head))
    request.progress(f"reading {base[:12]}...{head[:12]}")
    with repository.tree() as tree:
        return _review(request, repository, tree, base, head)


def _review(
    request: LocalRequest,
    repository: LocalRepository,
    tree: GitTree,
    base: str,
    head: str,
) -> LocalReview:
    change_set = load(tree, base, head)
    effective = _config(tree, tree.merge_base(base, head))
    config = effective.config
    choice = request.make_agent(config)
    clock = SystemClock()
    store = CircuitStore(open_database(f"sqlite:///{_state(request, repository)}"))
    key = CircuitKey(repository="local", agent=choice.name)
    subject = Subject(
        review_id=f"local@{head}#{clock.now():%Y%m%dT%H%M%S%f}",
        repository=str(request.repository),
        base_sha=base,
        head_sha=head,
    )
    rules = rules_of(config)
    asked = Step(circuit=store.get(key), admission=Admission.FULL)
    if choice.agent is not None:
        ask = partial(admit, review_id=subject.review_id, now=clock.now(), rules=rules)
        asked = store.change(key, ask, now=clock.now())
    denied = Denial.CIRCUIT if asked.admission is Admission.DENIED else Denial.NONE
    reason = "" if denied is Denial.NONE else state_sentence(asked.circuit, rules)
    if choice.agent is None:
        denied, reason = Denial.NO_AGENT, choice.why_not
    plan = make_plan(
        change_set,
        admission=asked.admission,
        reason=reason,
        can_run=choice.agent is not None,
    )
    bench = Workbench(
        config=config,
        scanners=request.scanners,
        elapsed=stopwatch,
        progress=request.progress,
    )
    result = run_review(
        subject,
        change_set,
        HeadTree(tree, head),
        plan,
        bench,
        agent=choice.agent,
        generation=asked.circuit.generation,
    )
    if result.outcome is not None:
        told = partial(
            record, outcome=result.outcome, now=clock.now(), rules=rules, jitter=0.5
        )
        store.tell(key, result.outcome, told, now=clock.now())
    circuit = store.get(key)
    decision = decide(
        Facts(
            result=result,
            enforcement=config.enforcement,
            block=Severity[config.guardrails.block.upper()],
            head_sha=head,
            config_is_readable=effective.is_readable,
            denied=denied,
            circuit_vouches=vouches(circuit.state),
        )
    )
    setting = Setting(
        circuit_sentence=state_sentence(circuit, rules_of(config)),
        config_source=effective.source,
        config_problems=tuple(str(each) for each in effective.problems),
    )
    return LocalReview(
        subject=subject,
        result=result,
        decision=decision,
        report=check_report(subject, result, decision, setting),
        circuit=circuit,
        circuit_sentence=setting.circuit_sentence,
    )


def _default_base(repository: LocalRepository, head: str) -> str:
    for name in BASES:
        if (known := _known(repository, name)) is not None and known != head:
            return name
    if _known(repository, f"{head}~1") is not None:
        return f"{head}~1"
    raise RepositoryError(
        "there is nothing to compare with: the head has no parent and no main "
        "branch was found; name one with --base"
    )


def _known(repository: LocalRepository, revision: str) -> str | None:
    try:
        return repository.resolve(revision)
    except RepositoryError:
        return None


def _config(tree: GitTree, base: str) -> Effective:
    """Return the configuration as the base has it: never that of the head (B21)."""
    source = f"{base[:12]}:{CONFIG_PATH}"
    return choose(LoadAnswer(source=source, text=tree.read(base, CONFIG_PATH)), None)


def _state(request: LocalRequest, repository: LocalRepository) -> Path:
    folder = request.state or repository.git_dir / "recloser"
    return folder / "recloser.db"
