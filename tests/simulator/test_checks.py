"""Check runs keep GitHub's limits and remember what was added."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulator.builders import NAME, OWNER, Shop

RUN = {"name": "Recloser"}


def annotation(line: int) -> dict[str, Any]:
    """Return one annotation."""
    return {
        "path": "shop/cart.py",
        "start_line": line,
        "end_line": line,
        "annotation_level": "warning",
        "message": f"about line {line}",
    }


def open_run(shop: Shop, **more: Any) -> dict[str, Any]:
    """Make a check run on the head."""
    body = {**RUN, "head_sha": shop.head, "status": "in_progress", **more}
    answer = shop.api.post("/{repo}/check-runs", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def output(count: int, start: int = 1) -> dict[str, Any]:
    """Return an output with ``count`` annotations."""
    lines = range(start, start + count)
    return {"title": "T", "summary": "S", "annotations": [annotation(x) for x in lines]}


def test_every_patch_adds_its_annotations(shop: Shop) -> None:
    """Two PATCHes of 50 leave 100 annotations, in pages of at most 100."""
    run = open_run(shop)
    place = f"/{{repo}}/check-runs/{run['id']}"
    for start in (1, 51):
        answer = shop.api.patch(place, {"output": output(50, start)})
        assert answer.status_code == 200
    assert answer.json()["output"]["annotations_count"] == 100
    assert len(shop.api.get(f"{place}/annotations?per_page=100")) == 100
    assert len(shop.api.get(f"{place}/annotations")) == 30


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"output": output(51)}, id="51 annotations"),
        pytest.param(
            {"output": {"title": "T", "summary": "S", "text": "x" * 65_536}},
            id="65536 characters",
        ),
        pytest.param(
            {
                "actions": [
                    {"label": "a", "description": "b", "identifier": str(number)}
                    for number in range(4)
                ]
            },
            id="four actions",
        ),
        pytest.param(
            {"actions": [{"label": "x" * 21, "description": "b", "identifier": "c"}]},
            id="a label of 21 characters",
        ),
        pytest.param({"status": "done"}, id="an unknown status"),
    ],
)
def test_more_than_the_limit_is_refused(shop: Shop, change: dict[str, Any]) -> None:
    """Above a limit nothing is stored, the answer is 422 and a violation is noted."""
    run = open_run(shop)
    answer = shop.api.patch(f"/{{repo}}/check-runs/{run['id']}", change)
    assert answer.status_code == 422
    assert shop.state.check_runs[0].annotations == []
    assert {each.side for each in shop.github.violations} == {"request"}
    shop.sim.clear_violations()


def test_a_text_at_the_limit_is_taken(shop: Shop) -> None:
    """65535 characters fit."""
    text = {"title": "T", "summary": "S", "text": "é" * 65_535}
    run = open_run(shop, output=text)
    assert len(run["output"]["text"]) == 65_535


def test_columns_need_a_single_line(shop: Shop) -> None:
    """Columns on an annotation of several lines are refused."""
    wrong = {**annotation(3), "end_line": 4, "start_column": 1, "end_column": 2}
    body = {"title": "T", "summary": "S", "annotations": [wrong]}
    run = open_run(shop)
    answer = shop.api.patch(f"/{{repo}}/check-runs/{run['id']}", {"output": body})
    assert answer.status_code == 422


def test_completed_needs_a_conclusion(shop: Shop) -> None:
    """A run cannot be completed without saying how it ended."""
    body = {**RUN, "head_sha": shop.head, "status": "completed"}
    assert shop.api.post("/{repo}/check-runs", body).status_code == 422


def test_a_run_on_an_unknown_commit_is_refused(shop: Shop) -> None:
    """The head must exist in this repository."""
    body = {**RUN, "head_sha": "0" * 39 + "1"}
    assert shop.api.post("/{repo}/check-runs", body).status_code == 422


def test_the_newest_run_of_a_name_is_listed(shop: Shop) -> None:
    """``filter=latest`` is the default; ``filter=all`` shows both."""
    open_run(shop)
    second = open_run(shop)
    place = f"/{{repo}}/commits/{shop.head}/check-runs"
    latest = shop.api.get(place)
    assert [each["id"] for each in latest["check_runs"]] == [second["id"]]
    assert shop.api.get(f"{place}?filter=all")["total_count"] == 2
    assert shop.api.get(f"{place}?app_id=999")["total_count"] == 0
    assert shop.api.get("/{repo}/commits/feature/check-runs")["total_count"] == 1


def test_a_run_asked_for_again_is_queued(shop: Shop) -> None:
    """Asking again puts the run back and tells the app."""
    run = open_run(shop, status="completed", conclusion="success")
    shop.sim.rerequest_check(OWNER, NAME, run["id"])
    assert shop.state.check_runs[0].status == "queued"
    last = shop.sim.deliveries()[-1]
    assert (last.event, last.action) == ("check_run", "rerequested")
    assert last.payload["check_run"]["id"] == run["id"]


def test_a_button_carries_its_identifier(shop: Shop) -> None:
    """Pressing a button sends ``requested_action``."""
    button = {"label": "Run again", "description": "d", "identifier": "again"}
    run = open_run(
        shop, status="completed", conclusion="action_required", actions=[button]
    )
    shop.sim.press_button(OWNER, NAME, run["id"], "again", by="eve")
    payload = shop.sim.deliveries()[-1].payload
    assert payload["requested_action"] == {"identifier": "again"}
    assert payload["sender"]["login"] == "eve"


def test_a_suite_is_completed_with_its_last_run(shop: Shop) -> None:
    """The suite's conclusion comes from its runs and is told to the app."""
    open_run(shop, status="completed", conclusion="success")
    last = shop.sim.deliveries()[-1]
    assert (last.event, last.action) == ("check_suite", "completed")
    assert last.payload["check_suite"]["conclusion"] == "success"
    place = f"/{{repo}}/commits/{shop.head}/check-suites"
    assert shop.api.get(place)["check_suites"][0]["status"] == "completed"
