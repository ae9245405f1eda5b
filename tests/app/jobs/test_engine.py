"""The durable engine: real DBOS on SQLite."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.errors import GitHubLimited
from app.jobs.engine import DurableEngine, StepRunner, Workflow

pytestmark = pytest.mark.xdist_group("dbos")  # one DBOS a process


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[Workflow], DurableEngine]]:
    """Return a function that starts an engine with a workflow."""
    engines = list[DurableEngine]()

    def start(workflow: Workflow) -> DurableEngine:
        engine = DurableEngine(
            f"sqlite:///{tmp_path}/engine.db",
            executor_id="test",
            timed=lambda name, seconds: None,
            stopwatch=lambda: lambda: 0.0,
            patience=(0.05, 0.05, 0.05, 0.05),
            longest_wait=0.05,
        )
        engines.append(engine)
        engine.start(workflow)
        return engine

    yield start
    for engine in engines:
        engine.stop(wait=5)


def wait_for(predicate: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is true."""
    until = time.monotonic() + seconds
    while not predicate():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_workflow_that_is_queued_twice_runs_once(
    start: Callable[[Workflow], DurableEngine],
) -> None:
    """The id decides; dispatching again is harmless."""
    ran = list[int]()

    def workflow(data: dict[str, Any], step: StepRunner) -> str:
        step("note", lambda: ran.append(data["n"]))
        return "done"

    engine = start(workflow)
    engine.enqueue("a", "p", {"n": 1})
    engine.enqueue("a", "p", {"n": 1})
    engine.enqueue("b", "p", {"n": 2})
    wait_for(lambda: 2 in ran)

    assert ran == [1, 2]


def test_a_limit_is_waited_for(start: Callable[[Workflow], DurableEngine]) -> None:
    """A step that GitHub limits is tried again after the wait, and then goes on."""
    tries = list[str]()

    def limited() -> str:
        tries.append("x")
        if len(tries) < 3:
            raise GitHubLimited("wait", status=403, retry_after=1_800)
        return "written"

    said = list[str]()

    def workflow(data: dict[str, Any], step: StepRunner) -> str:
        said.append(step("write", limited))
        return "done"

    start(workflow).enqueue("a", "p", {})
    wait_for(lambda: said == ["written"])

    assert len(tries) == 3


def test_a_workflow_that_ends_by_an_error_is_told(
    start: Callable[[Workflow], DurableEngine],
) -> None:
    """Its id will not run again: somebody has to give it a new one."""

    def workflow(data: dict[str, Any], step: StepRunner) -> str:
        raise ZeroDivisionError

    engine = start(workflow)
    assert not engine.has_failed("a")
    engine.enqueue("a", "p", {})
    wait_for(lambda: engine.has_failed("a"))
