"""The contract is GitHub's own description, and it goes red when somebody departs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.simulator import cut
from tests.simulator.access import needs
from tests.simulator.builders import NAME, OWNER, Shop, as_app
from tests.simulator.contract import Contract, load_deviations
from tests.simulator.rest.operations import OPERATIONS

Break = Callable[[Any], None]


def drop(*path: str | int) -> Break:
    """Return what takes a field away."""

    def change(body: Any) -> None:
        for part in path[:-1]:
            body = body[part]
        del body[path[-1]]

    return change


def put(value: Any, *path: str | int) -> Break:
    """Return what gives a field another value."""

    def change(body: Any) -> None:
        for part in path[:-1]:
            body = body[part]
        body[path[-1]] = value

    return change


BROKEN: dict[str, tuple[str, str, Break]] = {
    "a check run without a status": (
        "checks/list-for-ref", "commits/feature/check-runs",
        drop("check_runs", 0, "status"),
    ),
    "a conclusion that GitHub does not know": (
        "checks/list-for-ref", "commits/feature/check-runs",
        put("done", "check_runs", 0, "conclusion"),
    ),
    "a misspelt conclusion": (
        "checks/list-for-ref", "commits/feature/check-runs",
        put("success", "check_runs", 0, "conclussion"),
    ),
    "annotations in an object": (
        "checks/list-for-ref", "commits/feature/check-runs",
        put({}, "check_runs", 0, "output", "annotations_count"),
    ),
    "a pull request without a head": ("pulls/get", "pulls/1", drop("head")),
    "a head whose sha is a number": ("pulls/get", "pulls/1", put(7, "head", "sha")),
    "labels that are only names": ("pulls/get", "pulls/1", put(["a"], "labels")),
    "a raw [bot] in an address": (
        "pulls/get", "pulls/1", put("https://x/apps/a[bot]", "user", "html_url"),
    ),
    "a time without a zone": (
        "pulls/get", "pulls/1", put("2026-01-01 10:00", "created_at"),
    ),
    "a file with an unknown status": (
        "pulls/list-files", "pulls/1/files", put("deleted", 0, "status"),
    ),
    "a repository without an owner": ("repos/get", "", drop("owner")),
    "a list where an object belongs": (
        "repos/get", "", put([], "owner"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_is_a_violation(shop: Shop, name: str) -> None:
    """An answer that is broken on purpose makes the tests red."""
    operation, path, broken = BROKEN[name]
    run = {"name": "Recloser", "head_sha": shop.head}
    assert shop.api.post("/{repo}/check-runs", run).status_code == 201
    place = f"/{{repo}}/{path}".rstrip("/")
    assert shop.api.send("GET", place).status_code == 200
    assert shop.github.violations == []

    def mutate(answered: str, body: Any) -> Any:
        if answered == operation:
            body = json.loads(json.dumps(body))
            broken(body)
        return body

    shop.github.simulator.rest.mutation = mutate
    shop.api.send("GET", place)
    shop.github.simulator.rest.mutation = None
    assert {each.operation for each in shop.github.violations} == {operation}
    shop.sim.clear_violations()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/{repo}/issues/1/comments", {"body": "a", "bodi": "b"}),
        ("POST", "/{repo}/issues/1/comments", {"text": "a"}),
        ("POST", "/{repo}/issues/1/labels", {"labels": []}),
        ("POST", "/{repo}/issues/1/labels", []),
        ("GET", "/{repo}/pulls?stat=open", None),
        ("GET", "/{repo}/pulls", {"state": "open"}),
    ],
)
def test_a_strange_request_is_a_violation(
    shop: Shop, method: str, path: str, body: Any
) -> None:
    """Unknown fields and parameters of a request are noted."""
    shop.api.send(method, path, body)
    assert shop.github.violations[0].side == "request"
    shop.sim.clear_violations()


def test_an_unknown_operation_is_501(shop: Shop) -> None:
    """What the description does not have is not answered by luck."""
    answer = shop.api.send("GET", "/{repo}/commits/main/status")
    assert answer.status_code == 501
    assert len(shop.github.violations) == 1
    shop.sim.clear_violations()


def test_a_forged_webhook_is_a_violation(shop: Shop) -> None:
    """Payloads are held to the official webhook schemas."""
    contract = shop.github.simulator.contract
    payload = shop.sim.deliveries()[-1].payload
    contract.check_webhook("pull_request", "opened", payload)
    assert contract.violations == []
    del payload["pull_request"]["head"]
    contract.check_webhook("pull_request", "opened", payload)
    contract.check_webhook("pull_request", "exploded", payload)
    assert len(contract.violations) == 2
    shop.sim.clear_violations()


def test_every_operation_of_the_contract_is_carried_out() -> None:
    """Neither more nor fewer operations than GitHub describes, each with its need."""
    described = {each.id for each in Contract().operations}
    assert described == set(OPERATIONS) | {"rate-limit/get"}
    assert all(needs(each) for each in described)


def test_the_cut_holds_together() -> None:
    """Cutting the cut again changes nothing: no reference is lost, no prose is left."""
    known = json.loads(cut.CUT.read_text(encoding="utf-8"))
    fresh = cut.cut(known, *cut.names(known))
    assert {key: fresh[key] == known[key] for key in fresh} == {
        "paths": True,
        "x-webhooks": True,
        "components": True,
    }


def hit_fork_gone(shop: Shop) -> None:
    """Let a fork vanish."""
    number = shop.sim.open_pull(
        OWNER, NAME, "theirs", {"f.py": "1\n"}, "T", "", "eve", fork="eve"
    )
    shop.sim.delete_fork(OWNER, NAME, number)
    shop.api.get(f"/{{repo}}/pulls/{number}")
    shop.api.get("/{repo}/pulls")
    shop.sim.close_pull(OWNER, NAME, number)


def hit_outdated(shop: Shop) -> None:
    """Comment on a line, then push."""
    place = f"/{{repo}}/pulls/{shop.number}/reviews"
    line = {"path": "shop/cart.py", "line": 10, "body": "c"}
    made = shop.api.post(place, {"event": "COMMENT", "comments": [line]}).json()
    shop.sim.push_commit(OWNER, NAME, shop.number, {"x.py": "1\n"})
    shop.api.get(f"/{{repo}}/pulls/{shop.number}/comments")
    shop.api.get(f"{place}/{made['id']}/comments")


def hit_checks(shop: Shop) -> None:
    """Ask for a check run on no commit."""
    shop.api.post("/{repo}/check-runs", {"name": "a", "head_sha": "0" * 40})


def hit_labels(shop: Shop) -> None:
    """Send labels as PyGithub does."""
    shop.api.post("/{repo}/issues/1/labels", ["a"])


def hit_reviewers(shop: Shop) -> None:
    """Ask a stranger for a review."""
    shop.api.post("/{repo}/pulls/1/requested_reviewers", {"reviewers": ["nobody"]})


def hit_installations(shop: Shop) -> None:
    """List the installations."""
    as_app(shop.github).get("/app/installations")


def hit_suite(shop: Shop) -> None:
    """Ask for all checks of the head again."""
    shop.sim.rerequest_suite(OWNER, NAME, shop.head)


HITS: dict[str, Callable[[Shop], None]] = {
    "fork-gone": hit_fork_gone,
    "fork-gone-list": hit_fork_gone,
    "fork-gone-webhook": hit_fork_gone,
    "outdated-comment": hit_outdated,
    "outdated-comment-of-review": hit_outdated,
    "422-checks": hit_checks,
    "label-array": hit_labels,
    "422-reviewers": hit_reviewers,
    "installation-list": hit_installations,
    "suite-app-events": hit_suite,
}


@pytest.mark.parametrize(
    "deviation",
    [each for each in load_deviations() if not each.general],
    ids=lambda each: each.id,
)
def test_every_deviation_is_still_needed(shop: Shop, deviation: Any) -> None:
    """An entry that nothing hits any more has to go."""
    HITS[deviation.id](shop)
    assert shop.github.simulator.contract.hits[deviation.id] > 0


def test_every_deviation_has_a_reason_and_a_source() -> None:
    """Nothing is allowed without saying why and who says so."""
    for each in load_deviations():
        assert each.reason
        assert each.source.startswith("https://")
        assert sum(map(bool, (each.status, each.at, each.wrap))) == 1
        assert not each.general or each.status
