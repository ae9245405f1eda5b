"""The whole on PostgreSQL: one process, many processes, a killed one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import psycopg
import pytest

from tests.e2e.conftest import Stage
from tests.postgres import Postgres, postgres
from tests.processes.app_process import AppProcess, free_port

__all__ = ["postgres"]

GOOD = """
acts:
  - steps:
      - wait: 2s
      - publish: {path: app.py, line: 1, body: Fine.}
    summary: Good.
"""
EVERY_EFFECT = """
acts:
  - steps:
      - wait: 2s
      - publish: {path: app.py, line: 1, severity: high, body: This is wrong.}
    summary: It should not be merged.
"""
ONE: dict[str, str | None] = {"app.py": "def one():\n    return 1\n"}
CONFIG = {".github/recloser.yml": "breaker: {stakes: normal}\n"}

pytestmark = pytest.mark.e2e


@pytest.fixture
def url(postgres: Postgres) -> str:
    """Return the address of an empty database."""
    return postgres.new_database()


def ask(url: str, query: str) -> list[tuple[object, ...]]:
    """Return what the database says."""
    address = url.replace("postgresql+psycopg", "postgresql", 1)
    with psycopg.connect(address) as connection:
        return connection.execute(query.encode()).fetchall()


def worker(stage: Stage, url: str, name: str) -> AppProcess:
    """Return a worker that is not started yet."""
    return stage.app(
        RECLOSER_DATABASE_URL=url,
        RECLOSER_ROLE="worker",
        RECLOSER_PORT=str(free_port()),
        RECLOSER_EXECUTOR_ID=name,
    )


def assert_reviewed_once(stage: Stage, number: int, conclusion: str) -> None:
    """Fail unless the pull request got one check and one review."""
    pull = stage.pull(number)
    assert [each.conclusion for each in pull.check_runs] == [conclusion]
    assert len(pull.reviews) == 1
    assert list(pull.duplicates) == []


def assert_quiet(stage: Stage) -> None:
    """Fail when a process has told of a fault."""
    log = stage.processes[0].log.read_text()
    assert "Traceback" not in log
    assert '"level": "error"' not in log


def test_a_pull_request_is_reviewed(make_stage: Callable[..., Stage], url: str) -> None:
    """Inbox, workflow and result are in one database, and nothing is on the disk."""
    stage = make_stage(GOOD, CONFIG)
    stage.app(RECLOSER_DATABASE_URL=url).start()
    number = stage.open("one", ONE)

    assert stage.completed(number).conclusion == "success"

    assert_reviewed_once(stage, number, "success")
    stage.wait(lambda: ask(url, "select 1 from reviews"))
    assert ask(url, "select conclusion from reviews") == [("success",)]
    assert ask(url, "select text from configs") == [tuple(CONFIG.values())]
    stage.wait(
        lambda: ask(url, "select status from dbos.workflow_status") == [("SUCCESS",)]
    )
    assert not list(stage.folder.rglob("*.db"))
    assert_quiet(stage)


def test_two_workers_share_the_work(make_stage: Callable[..., Stage], url: str) -> None:
    """Three processes start at once on an empty database; nothing is doubled."""
    stage = make_stage(GOOD, CONFIG)
    web = stage.app(RECLOSER_DATABASE_URL=url, RECLOSER_ROLE="web")
    workers = [worker(stage, url, name) for name in ("one", "two")]
    for each in (web, *workers):
        each.start(wait=False)
    for each in (web, *workers):
        each.wait_until_ready()

    files: list[dict[str, str | None]] = [
        {"app.py": f"def number():\n    return {each}\n"} for each in range(6)
    ]
    numbers = [stage.open(f"branch-{n}", each) for n, each in enumerate(files)]
    for number in numbers:
        stage.completed(number)

    for number in numbers:
        assert_reviewed_once(stage, number, "success")
    stage.wait(lambda: ask(url, "select count(*) from reviews") == [(6,)])
    rows = ask(url, "select executor_id from dbos.workflow_status")
    shares = Counter(name for (name,) in rows)
    assert set(shares) == {"one", "two"}
    assert shares.total() == 6
    assert_quiet(stage)


@pytest.mark.chaos
@pytest.mark.parametrize("moment", ["review:begins", "review:ends", "post_review:ends"])
def test_a_killed_worker_goes_on_where_it_was(
    moment: str, make_stage: Callable[..., Stage], url: str
) -> None:
    """Beside a worker that lives: one check, one review, one label, one handoff."""
    stage = make_stage(EVERY_EFFECT, CONFIG)
    mark = stage.folder / "died"
    stage.app(RECLOSER_DATABASE_URL=url, RECLOSER_ROLE="web").start()
    victim = stage.app(
        module="tests.processes.victim",
        RECLOSER_DATABASE_URL=url,
        RECLOSER_ROLE="worker",
        RECLOSER_PORT=str(free_port()),
        RECLOSER_EXECUTOR_ID="one",
        VICTIM_DIES_AT=moment,
        VICTIM_MARK=str(mark),
    )
    victim.start()
    number = stage.open("one", ONE)
    assert victim.wait_for_end(60) == -9
    assert mark.exists()
    worker(stage, url, "two").start()

    victim.start()

    assert stage.completed(number).conclusion == "action_required"
    assert_reviewed_once(stage, number, "action_required")
    pull = stage.pull(number)
    assert list(pull.labels) == ["needs-human-review"]
    assert len(pull.comments) == 1


@pytest.mark.chaos
def test_a_server_that_restarts_costs_no_review(
    make_stage: Callable[..., Stage],
    postgres: Postgres,  # the fixture
    url: str,
) -> None:
    """The database is away in the middle of a review: it waits and goes on."""
    stage = make_stage(GOOD.replace("2s", "4s"), CONFIG)
    stage.app(RECLOSER_DATABASE_URL=url).start()
    number = stage.open("one", ONE)
    steps = "select 1 from dbos.operation_outputs where function_name = 'admit'"
    stage.wait(lambda: ask(url, steps))
    time.sleep(1)  # the agent works now

    postgres.stop()
    try:
        time.sleep(2)  # longer than the agent needs to find that it is away
    finally:
        postgres.start()

    assert stage.completed(number).conclusion == "success"
    assert_reviewed_once(stage, number, "success")
    after = stage.open("two", ONE)
    assert stage.completed(after).conclusion == "success"
