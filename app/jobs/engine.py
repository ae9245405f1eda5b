"""A thin port round DBOS: queue a review, run its steps durably, go on after a crash.

Everything of DBOS stays in this file. A workflow is a plain function of its input
and a StepRunner; each step is checkpointed and at-least-once, so a step has one
visible effect and looks before it writes. Reviews of one pull request run one at a
time (the partition of the queue), those of different ones side by side.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar

import structlog
from dbos import DBOS, DBOSConfig, SetEnqueueOptions, SetWorkflowID, StepOptions
from dbos import error as dbos_error
from sqlalchemy import make_url
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as DatabaseTimeout

from app.errors import GitHubLimited, GitHubUnavailable, StoreError
from app.jobs.slot import Slot

log = structlog.get_logger(__name__)

T = TypeVar("T")

#: Bump by hand when the order of a workflow's steps changes: workflows in flight
#: are only recovered by the version that began them.
APPLICATION_VERSION = "2"
QUEUE = "reviews"
CHORES = "chores"  # what nobody waits for: it never takes the place of a review
#: Seconds between the tries of a step while GitHub is away or limits us: some three
#: hours in all. A limit that says how long it lasts is waited for, up to an hour.
PATIENCE = (15.0, 30.0, 60.0, 120.0, 300.0, *(900.0,) * 11)
LONGEST_WAIT = 3_600.0
FAILED = frozenset({"ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"})
POLL_SECONDS = 0.25
REVIEW = "review"


class StepRunner(Protocol):
    """Runs one step of a workflow; after a crash its kept result is returned."""

    def __call__(self, name: str, work: Callable[[], T]) -> T:
        """Run ``work`` under ``name`` unless its result is kept already."""


#: What a workflow is: its input (plain data) and the runner of its steps.
Workflow = Callable[[dict[str, Any], StepRunner], str]


class Watcher(Protocol):
    """Is told when a step begins and ends (timing; tests that kill the process)."""

    def begins(self, workflow_id: str, step: str) -> None:
        """Be told that a step begins."""

    def ends(self, workflow_id: str, step: str) -> None:
        """Be told that a step has had its effect, just before it is kept."""


class DurableEngine:
    """Runs workflows durably.

    Args:
        database_url: a SQLAlchemy URL; a SQLite file is made in WAL mode, which
            DBOS itself never sets.
        executor_id: stable name of this worker slot; a process that starts with
            it takes up what an earlier one left.
        concurrency: reviews that run at the same time in this process.
        watcher: is told of steps.
        timed: is told how long a step took, in seconds.
        stopwatch: starts a stop-watch and returns what reads it.
        patience: seconds between the tries of a step while GitHub is away.
        longest_wait: the most seconds that a limit is waited for at once.
    """

    def __init__(
        self,
        database_url: str,
        *,
        executor_id: str,
        concurrency: int = 4,
        watcher: Watcher | None = None,
        timed: Callable[[str, float], None],
        stopwatch: Callable[[], Callable[[], float]],
        patience: Sequence[float] = PATIENCE,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        self._patience = tuple(patience)
        self._longest_wait = longest_wait
        self._watcher = watcher
        self._timed = timed
        self._stopwatch = stopwatch
        self._concurrency = concurrency
        self._slot = Slot(database_url, executor_id)
        _make_wal(database_url)
        config: DBOSConfig = {
            "name": "recloser",
            "system_database_url": database_url,
            "application_version": APPLICATION_VERSION,
            "executor_id": executor_id,
            "log_level": "WARNING",
            "enable_otlp": False,
        }
        logging.getLogger("dbos").setLevel(logging.WARNING)
        DBOS(config=config)
        self._registered: dict[str, Callable[[dict[str, Any]], str]] = {}

    def start(
        self, review: Workflow, chores: Mapping[str, Workflow] | None = None
    ) -> None:
        """Register the workflows, take up what was left, listen to the queues.

        Args:
            review: the workflow of a review.
            chores: the other workflows by name.
        """
        for name, workflow in {REVIEW: review, **(chores or {})}.items():
            self._registered[name] = self._register(name, workflow)
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            worker_concurrency=self._concurrency,
            partition_concurrency=1,
            polling_interval_sec=POLL_SECONDS,
        )
        DBOS.register_queue(
            CHORES, worker_concurrency=1, polling_interval_sec=POLL_SECONDS
        )

    def enqueue(self, workflow_id: str, partition: str, data: dict[str, Any]) -> None:
        """Queue one review; an id that is known already changes nothing."""
        with (
            SetWorkflowID(workflow_id),
            SetEnqueueOptions(queue_partition_key=partition),
        ):
            DBOS.enqueue_workflow(QUEUE, self._workflow(REVIEW), data)

    def enqueue_chore(self, name: str, workflow_id: str, data: dict[str, Any]) -> None:
        """Queue one chore; an id that is known already changes nothing."""
        with SetWorkflowID(workflow_id):
            DBOS.enqueue_workflow(CHORES, self._workflow(name), data)

    def has_failed(self, workflow_id: str) -> bool:
        """Tell whether a workflow ended by an error: it will not run again."""
        found = DBOS.get_workflow_status(workflow_id)
        return found is not None and str(found.status) in FAILED

    def stop(self, *, wait: int = 0) -> None:
        """Stop; running workflows get ``wait`` seconds and go on at the next start."""
        DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=wait)
        self._slot.let_go()

    def _register(
        self, name: str, workflow: Workflow
    ) -> Callable[[dict[str, Any]], str]:
        def run(data: dict[str, Any]) -> str:
            return workflow(data, self._run_step)

        run.__qualname__ = run.__name__ = name
        registered: Callable[[dict[str, Any]], str] = DBOS.workflow(name=name)(run)
        return registered

    def _workflow(self, name: str) -> Callable[[dict[str, Any]], str]:
        if name not in self._registered:
            raise RuntimeError(f"the engine was not started, or has no {name}")
        return self._registered[name]

    def _run_step(self, name: str, work: Callable[[], T]) -> T:
        options: StepOptions = {
            "name": name,
            "retries_allowed": True,
            "max_attempts": 5,
            "interval_seconds": 1.0,
            "backoff_rate": 2.0,
            "should_retry": _is_passing,
        }
        workflow_id = DBOS.workflow_id or ""

        def watched() -> T:
            if self._watcher is not None:
                self._watcher.begins(workflow_id, name)
            elapsed = self._stopwatch()
            result = _with_our_errors(name, work)
            self._timed(name, elapsed())
            if self._watcher is not None:
                self._watcher.ends(workflow_id, name)
            return result

        for wait in self._patience:
            try:
                return DBOS.run_step(options, watched)
            except GitHubLimited as error:
                wait = max(wait, min(error.retry_after, self._longest_wait))
            except (GitHubUnavailable, dbos_error.DBOSMaxStepRetriesExceeded):
                pass
            # Durable: a process that dies meanwhile goes on waiting afterwards.
            DBOS.sleep(wait)
        raise GitHubUnavailable(f"{name}: GitHub did not answer for hours")


class _DatabaseAway(StoreError):
    """Our database is away; it comes back."""


def _with_our_errors(name: str, work: Callable[[], T]) -> T:
    """Run a step; what a database says stays here, for it quotes what it was given."""
    try:
        return work()
    except SQLAlchemyError as error:
        log.warning("the database failed", step=name, why=str(error))
        kind = _DatabaseAway if isinstance(error, _PASSING) else StoreError
        raise kind(f"{name}: {type(error).__name__} of our database") from None


#: Restart, failover, deadlock, or no connection free.
_PASSING = (OperationalError, InterfaceError, DatabaseTimeout)


def _is_passing(error: BaseException) -> bool:
    """Tell whether trying again in a few seconds may help."""
    if isinstance(error, _DatabaseAway):
        return True
    if isinstance(error, GitHubLimited):
        return error.retry_after <= 30
    return isinstance(error, GitHubUnavailable)


def _make_wal(database_url: str) -> None:
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    path = Path(url.database)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
