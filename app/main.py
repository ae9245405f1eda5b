"""The composition root: the only file that knows all the others.

``build`` makes the parts from the settings and puts them together, ``run`` serves
them until the process is told to stop. Nothing here decides anything.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
import uvicorn
from sqlalchemy import Engine, text
from starlette.applications import Starlette

from app.agents import choose_agent, choose_scripted
from app.breaker import DETECTORS, State
from app.clock import SystemClock, stopwatch
from app.config.model import Enforcement
from app.github.hub import GitHubApp, GitHubHubFactory
from app.jobs.dispatcher import Dispatcher
from app.jobs.engine import DurableEngine, StepRunner, Watcher
from app.jobs.inbox import Inbox, open_inbox
from app.jobs.review_steps import GitHubReviewSteps
from app.jobs.services import AgentMaker, Services
from app.jobs.workflow import review_pull_request
from app.review.decide import Situation, conclusion_of
from app.settings import Role, Settings
from app.store.circuits import CircuitStore
from app.store.database import open_database
from app.store.reviews import ReviewStore
from app.store.spending import SpendingStore
from app.telemetry.log import configure_logging
from app.telemetry.metrics import Metrics
from app.version import VERSION
from app.web.app import create_app
from app.web.health import Check, Health
from guardrails.scanners import default_scanners, describe

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """The parts of one process; ``None`` where its role does not need them."""

    settings: Settings
    inbox: Inbox
    web: Starlette
    engine: DurableEngine | None
    dispatcher: Dispatcher | None
    steps: GitHubReviewSteps | None

    def start(self) -> None:
        """Start what runs beside the web server."""
        self.inbox.start()
        if self.engine is not None and self.steps is not None:
            self.engine.start(partial(_workflow, self.steps))
        if self.dispatcher is not None:
            self.dispatcher.start()

    def stop(self) -> None:
        """Stop it again; what was begun goes on at the next start."""
        if self.dispatcher is not None:
            self.dispatcher.stop()
        if self.engine is not None:
            self.engine.stop()
        self.inbox.stop()


def build(settings: Settings, *, watcher: Watcher | None = None) -> Application:
    """Make all parts from ``settings`` and put them together."""
    metrics = Metrics()
    clock = SystemClock()
    inbox = open_inbox(settings.inbox_url)
    database = open_database(settings.database_url)
    engine: DurableEngine | None = None
    dispatcher: Dispatcher | None = None
    steps: GitHubReviewSteps | None = None
    if settings.role is not Role.WEB:
        identity = GitHubApp(
            app_id=settings.app_id,
            private_key=settings.private_key.get_secret_value(),
            base_url=settings.github_url,
            git_url=settings.git_url,
        )
        hubs = GitHubHubFactory(identity, clock, time.sleep)
        reviews = ReviewStore(database)
        circuits = CircuitStore(database)
        metrics.circuits(partial(_circuits, circuits))
        metrics.expect(
            conclusions=[
                (conclusion_of(each, Enforcement.ENFORCE), each.value)
                for each in Situation
            ],
            detectors=[each.name for each in DETECTORS],
        )
        engine = DurableEngine(
            settings.engine_url,
            executor_id=settings.executor_id,
            watcher=watcher,
            timed=metrics.step,
            stopwatch=stopwatch,
        )
        steps = GitHubReviewSteps(
            Services(
                hubs=hubs,
                circuits=circuits,
                reviews=reviews,
                spending=SpendingStore(database),
                clock=clock,
                scanners=default_scanners(),
                make_agent=_agent_maker(settings),
                elapsed=stopwatch,
                metrics=metrics,
            )
        )
        dispatcher = Dispatcher(
            inbox, engine, reviews, hubs, clock, app_id=settings.app_id
        )
    web = create_app(
        inbox=inbox,
        secrets=settings.webhook_secret_bytes,
        readiness=_readiness(database),
        metrics=metrics,
        max_body_bytes=settings.max_body_bytes,
        on_stored=dispatcher.wake if dispatcher is not None else _nothing,
    )
    return Application(
        settings=settings,
        inbox=inbox,
        web=web,
        engine=engine,
        dispatcher=dispatcher,
        steps=steps,
    )


def run(settings: Settings, *, watcher: Watcher | None = None) -> None:
    """Serve until the process is told to stop."""
    configure_logging(settings.log_format)
    application = build(settings, watcher=watcher)
    application.start()
    log.info("started", version=VERSION, role=settings.role.value)
    for each in describe() if application.steps is not None else ():
        say = log.info if each.is_ready else log.warning
        say("scanner", name=each.name, ready=each.is_ready, what=each.words)
    try:
        _Server(
            uvicorn.Config(
                application.web,
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=10,
            )
        ).run()
    finally:
        application.stop()
        log.info("stopped")


class _Server(uvicorn.Server):
    """A server that ends in peace on a signal.

    uvicorn's own would raise the signal once more after it has ended, and so kill
    the process before reviews and inbox are stopped.
    """

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let SIGINT and SIGTERM end the server, and nothing else."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


def _workflow(steps: GitHubReviewSteps, job: dict[str, Any], step: StepRunner) -> str:
    return review_pull_request(job, step, steps)


def _agent_maker(settings: Settings) -> AgentMaker:
    if settings.scenario is None:
        return choose_agent
    return choose_scripted(settings.scenario)


def _readiness(database: Engine) -> Mapping[str, Check]:
    def can_query() -> Health:
        with database.connect() as connection:
            connection.execute(text("select 1"))
        return Health(ok=True)

    return {"database": can_query}


def _circuits(store: CircuitStore) -> Iterator[tuple[str, str, State]]:
    for key, circuit in store.all():
        yield key.repository, key.agent, circuit.state


def _nothing() -> None:
    """Ignore that a delivery was stored: another process looks for it."""
