"""What happens on GitHub, seen from GitHub: the app is a real process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from ruamel.yaml import YAML

from tests.e2e.conftest import NAME, OWNER, Stage

GOOD = """
acts:
  - steps:
      - publish: {path: app.py, line: 1, body: Fine.}
    summary: Good.
"""
SLOW = """
acts:
  - when: {review: 1}
    steps:
      - wait: 3s
      - publish: {path: app.py, line: 1, body: About the first head.}
    summary: Slow.
  - steps:
      - publish: {path: app.py, line: 1, body: About the second head.}
    summary: Quick.
"""
ONE = {"app.py": "def one():\n    return 1\n"}
TWO = {"app.py": "def two():\n    return 2\n"}

pytestmark = pytest.mark.e2e


def test_a_force_push_during_a_review_gets_nothing_of_the_old_head(
    make_stage: Callable[..., Stage],
) -> None:
    """The old check is cancelled, the new head is reviewed once (B14)."""
    stage = make_stage(SLOW)
    stage.app().start()
    number = stage.open("one", ONE)
    stage.wait(lambda: stage.pull(number).check())
    old = stage.pull(number).head_sha

    stage.github.push_commit(OWNER, NAME, number, TWO, force=True)
    new = stage.completed(number)

    assert new.conclusion == "success"
    pull = stage.pull(number)
    (review,) = pull.reviews
    assert review.commit_id == pull.head_sha
    assert "second head" in review.comments[0].body
    checks = stage.github.command("pull_state", owner=OWNER, name=NAME, number=number)
    assert old not in {each["commit_id"] for each in checks["reviews"]}


def test_a_head_that_comes_back_is_reviewed_again(
    make_stage: Callable[..., Stage],
) -> None:
    """A -> B -> A are three reviews, each with a check of its own."""
    stage = make_stage(GOOD)
    stage.app().start()
    number = stage.open("one", ONE)
    first = stage.completed(number)
    sha = stage.pull(number).head_sha
    stage.push(number, TWO)
    stage.completed(number)

    stage.github.reset_pull(OWNER, NAME, number, sha)

    def third() -> bool:
        found = [each for each in stage.pull(number).check_runs if each.head_sha == sha]
        return len(found) == 2 and all(each.status == "completed" for each in found)

    stage.wait(third)
    assert first.head_sha == sha


def test_an_edit_of_the_title_is_no_reason_to_review_and_a_new_base_is(
    make_stage: Callable[..., Stage],
) -> None:
    """Retargeting changes the diff of the same head (B15)."""
    stage = make_stage(GOOD)
    stage.app().start()
    stage.github.push_branch(OWNER, NAME, {"other.txt": "x\n"}, branch="develop")
    number = stage.open("one", ONE)
    stage.completed(number)

    stage.github.edit_pull(OWNER, NAME, number, title="Another title")
    stage.github.edit_pull(OWNER, NAME, number, base="develop")

    stage.wait(
        lambda: (
            [each.status for each in stage.pull(number).check_runs]
            == ["completed", "completed"]
        )
    )


def test_a_deleted_fork_is_reviewed_through_the_base_repository(
    make_stage: Callable[..., Stage],
) -> None:
    """``head.repo`` is null; content comes by ``refs/pull/N/head`` (B09)."""
    stage = make_stage(GOOD)
    number = stage.github.open_pull(
        OWNER, NAME, "one", ONE, "From a fork", author="eve", fork="eve"
    )
    stage.github.delete_fork(OWNER, NAME, number)
    stage.app().start()

    stage.github.edit_pull(OWNER, NAME, number, state="closed")
    stage.github.edit_pull(OWNER, NAME, number, state="open")

    assert stage.completed(number).conclusion == "success"


def test_a_rerun_makes_a_new_check(make_stage: Callable[..., Stage]) -> None:
    """A completed run is not patched; the new one belongs to the same head."""
    stage = make_stage(GOOD)
    stage.app().start()
    number = stage.open("one", ONE)
    first = stage.completed(number)

    stage.github.rerequest_check(OWNER, NAME, first.id)

    stage.wait(lambda: len(stage.pull(number).check_runs) == 2)
    second = stage.completed(number)
    assert second.id != first.id
    assert second.conclusion == "success"
    assert stage.pull(number).duplicates == []


def test_a_delivery_that_comes_twice_is_handled_once(
    make_stage: Callable[..., Stage],
) -> None:
    """Also after a restart of the app (B12)."""
    stage = make_stage(GOOD)
    stage.github.set_hook_rules({"kind": "duplicate", "event": "pull_request"})
    app = stage.app()
    app.start()
    number = stage.open("one", ONE)
    stage.completed(number)
    app.stop()
    app.start()

    opened = next(
        each
        for each in stage.github.deliveries()
        if each.event == "pull_request" and each.action == "opened"
    )
    stage.github.redeliver(opened.id)
    httpx.get(f"{app.base_url}/readyz").raise_for_status()

    pull = stage.pull(number)
    assert len(pull.check_runs) == 1
    assert len(pull.reviews) == 1


def test_two_processes_share_the_work(make_stage: Callable[..., Stage]) -> None:
    """One receives webhooks, the other reviews; SQLite holds both."""
    stage = make_stage(GOOD)
    worker_port = str(int(stage.settings["RECLOSER_PORT"]) + 1)
    web = stage.app(RECLOSER_ROLE="web")
    worker = stage.app(RECLOSER_ROLE="worker", RECLOSER_PORT=worker_port)
    web.start()
    worker.start()

    number = stage.open("one", ONE)

    assert stage.completed(number).conclusion == "success"


def test_configuration_of_the_head_is_not_obeyed(
    make_stage: Callable[..., Stage],
) -> None:
    """A pull request cannot switch its own guard off (B21)."""
    stage = make_stage(GOOD)
    stage.app().start()
    number = stage.open(
        "off",
        {**ONE, ".github/recloser.yml": "enforcement: advise\n"},
    )

    check = stage.completed(number)

    assert check.conclusion != "neutral"
    rules = {each["title"].split(" ")[0] for each in check.annotations}
    assert "protected-path" in rules or "protected" in str(check.text)


def test_metrics_and_logs_tell_what_happened(make_stage: Callable[..., Stage]) -> None:
    """Prometheus counts the review; each log line is JSON with a delivery id."""
    stage = make_stage(GOOD)
    app = stage.app()
    app.start()
    number = stage.open("one", ONE)
    stage.completed(number)

    stage.wait(
        lambda: (
            'recloser_reviews_total{conclusion="success"'
            in httpx.get(f"{app.base_url}/metrics").text
        )
    )
    lines = [json.loads(line) for line in app.log.read_text().splitlines() if line]
    assert any(line.get("delivery") for line in lines)


def test_a_normal_pull_request_takes_few_requests(
    make_stage: Callable[..., Stage],
) -> None:
    """The budget of calls per pull request is kept (token and look-ups included)."""
    stage = make_stage(GOOD)
    stage.app().start()
    stage.completed(stage.open("one", ONE))
    before = sum(stage.github.requests().values())

    stage.completed(stage.open("two", {"app.py": TWO["app.py"]}))

    assert sum(stage.github.requests().values()) - before <= 12


def test_every_event_of_the_manifest_is_taken(make_stage: Callable[..., Stage]) -> None:
    """Each event that ``app.yml`` asks for is really sent, and answered with 2xx."""
    manifest = YAML(typ="safe").load(Path("app.yml"))
    stage = make_stage(GOOD)
    stage.app().start()
    number = stage.open("one", ONE)
    check = stage.completed(number)
    github = stage.github
    github.add_comment(OWNER, NAME, number, "Thank you.")
    github.add_review(OWNER, NAME, number, by="ada", body="Fine.")
    github.rerequest_suite(OWNER, NAME, check.head_sha)
    github.queue_merge(OWNER, NAME, number)
    github.push_branch(OWNER, NAME, {"x.txt": "x\n"})
    github.rename_repository(OWNER, NAME, "shop-two")

    def answers() -> dict[str, set[int]] | None:
        found = dict[str, set[int]]()
        sent = (each for each in github.deliveries() if each.status_code)
        for each in sent:
            found.setdefault(each.event, set()).add(each.status_code)
        return found if set(manifest["default_events"]) <= set(found) else None

    found = github.wait_until(answers, timeout=30)
    refused = {
        event: found[event]
        for event in manifest["default_events"]
        if not found[event] <= {200, 202}
    }
    assert refused == {}
