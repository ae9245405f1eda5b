"""The stage for tests of the workflow: real parts, GitHub at the port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from app.agents import AgentChoice
from app.agents.scenario_file import parse_scenario
from app.agents.scripted import ScriptedAgent
from app.config.model import RepositoryConfig
from app.jobs.review_steps import GitHubReviewSteps
from app.jobs.services import Services
from app.jobs.workflow import review_pull_request
from app.ports import PullRequest
from app.store.circuits import CircuitKey, CircuitStore
from app.store.database import open_database
from app.store.reviews import ReviewStore, Wanted
from app.store.spending import SpendingStore
from app.telemetry.metrics import Metrics
from guardrails import Scanner
from tests.app.jobs.fakes import FakeHub, FixedClock, KeptSteps, OneHub
from tests.guardrails.real_git import Repository

GOOD = """
acts:
  - steps:
      - call_model: {prompt_tokens: 1000, output_tokens: 200, usd: 0.01}
      - propose:
          path: app.py
          start_line: 2
          end_line: 2
          replacement: "    return a + b  # both are numbers"
          reason: Say what is added.
      - publish: {path: app.py, line: 1, body: Fine.}
    summary: Looks good.
    confidence: 0.9
"""
HARM = """
acts:
  - steps:
      - propose:
          path: app.py
          start_line: 2
          end_line: 2
          replacement: "    import subprocess\\n    subprocess.call(a, shell=True)"
          reason: More flexible.
    summary: Better now.
"""
LOOP = """
acts:
  - steps:
      - repeat:
          times: 50
          steps:
            - call_tool: {tool: read_file, arguments: {path: app.py}}
    summary: Still reading.
"""
KEY = CircuitKey(repository="o/r", agent="scripted")


@dataclass
class Stage:
    """One pull request with everything a review needs."""

    hub: FakeHub
    steps: GitHubReviewSteps
    reviews: ReviewStore
    spending: SpendingStore
    circuits: CircuitStore
    clock: FixedClock
    repository: Repository

    def want(self, *, asked_by: str = "") -> Wanted:
        """Want the head of the pull request."""
        pull = self.hub.pull_request
        self.reviews.want(
            repository="o/r",
            number=pull.number,
            installation_id=1,
            head_sha=pull.head_sha,
            reason="opened",
            asked_by=asked_by,
            now=self.clock.now(),
        )
        wanted = self.reviews.wanted(f"o/r#{pull.number}")
        assert wanted is not None
        return wanted

    def review(self, run: KeptSteps | None = None) -> str:
        """Review the head of the pull request."""
        job = asdict(self.want(asked_by=str(uuid4()) if run is None else ""))
        return review_pull_request(job, run or KeptSteps(), self.steps)

    @property
    def spent_usd(self) -> float:
        """Return what the pull request has cost."""
        number = self.hub.pull_request.number
        return self.spending.spent("o/r", number, now=self.clock.now()).pull_usd

    def push(self, text: str) -> str:
        """Push a new head."""
        self.repository.write("app.py", text.encode())
        sha = self.repository.commit()
        self.hub.push(sha)
        return sha


@pytest.fixture
def make_stage(tmp_path: Path) -> Callable[..., Stage]:
    """Return a function that sets the stage for a scenario."""

    def make(scenario: str, scanners: tuple[Scanner, ...] = ()) -> Stage:
        repository = Repository(tmp_path / "repository")
        repository.write("README.md", b"hello\n")
        base = repository.commit()
        repository.write("app.py", b"def add(a, b):\n    return a + b\n")
        head = repository.commit()
        hub = FakeHub(repository.folder, pull_request(base, head))
        database = open_database(f"sqlite:///{tmp_path}/recloser.db")
        agent = ScriptedAgent(parse_scenario(scenario, source="test"))

        def choose(_: RepositoryConfig) -> AgentChoice:
            return AgentChoice(name=agent.name, agent=agent)

        clock = FixedClock()
        services = Services(
            hubs=OneHub(hub),
            circuits=CircuitStore(database),
            reviews=ReviewStore(database),
            spending=SpendingStore(database),
            clock=clock,
            scanners=scanners,
            make_agent=choose,
            elapsed=lambda: lambda: 1.0,
            metrics=Metrics(),
            jitter=lambda: 0.0,
        )
        return Stage(
            hub,
            GitHubReviewSteps(services),
            services.reviews,
            services.spending,
            services.circuits,
            clock,
            repository,
        )

    return make


def pull_request(base: str, head: str) -> PullRequest:
    """Return pull request 7."""
    return PullRequest(
        number=7,
        state="open",
        is_draft=False,
        title="Add",
        body="",
        author="kim",
        author_is_bot=False,
        base_ref="main",
        base_sha=base,
        head_ref="feature",
        head_sha=head,
        labels=(),
        changed_files=1,
        default_branch="main",
    )
