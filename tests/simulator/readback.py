"""The state as JSON, for tests and people."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.simulator.state import CheckRun, Pull, Repository, Review, ReviewComment

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator

Json = dict[str, Any]


def pull_state(sim: Simulator, body: Json) -> Any:
    """Return everything about one pull request."""
    known = sim.world.repository(body["owner"], body["name"])
    if known is None or body["number"] not in known.pulls:
        raise ValueError("no such pull request")
    pull = known.pulls[body["number"]]
    runs = [_run(each) for each in runs_of(known, pull)]
    return {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "author": pull.author.login,
        "state": pull.state,
        "is_draft": pull.is_draft,
        "base_ref": pull.base_ref,
        "base_sha": pull.base_sha,
        "head_ref": pull.head_ref,
        "head_sha": pull.head_sha,
        "reviewers": [*(each.login for each in pull.reviewers), *pull.teams],
        "labels": [known.labels[each].name for each in pull.labels],
        "check_runs": runs,
        "reviews": [_review(pull, each) for each in pull.reviews],
        "comments": [
            {
                "id": each.id,
                "author": each.author.login,
                "body": each.body,
                "reactions": [one.content for one in each.reactions],
            }
            for each in pull.comments
        ],
        "duplicates": duplicates(known, pull),
    }


def runs_of(known: Repository, pull: Pull) -> list[CheckRun]:
    """Return the check runs of all commits that were ever a pull request's."""
    mine = {pull.head_sha}
    mine |= {each.commit_id for each in pull.reviews}
    if pull.head_repository_id == known.id:
        mine |= {s.head_sha for s in known.suites if s.head_branch == pull.head_ref}
    found = (each for each in known.runs.values() if each.head_sha in mine)
    return sorted(found, key=lambda each: each.id)


def duplicates(known: Repository, pull: Pull) -> list[str]:
    """Return what stands there twice and should not."""
    made = []
    runs = Counter(
        (each.name, each.head_sha, each.external_id) for each in runs_of(known, pull)
    )
    for (name, sha, _), count in runs.items():
        if count > 1:
            made.append(f"check run {name} on {sha[:12]}: {count}")
    reviews = Counter(
        (each.author.login, each.commit_id, each.body) for each in pull.reviews
    )
    for (login, sha, _), count in reviews.items():
        if count > 1:
            made.append(f"review of {login} on {sha[:12]}: {count}")
    for (login, _), count in Counter(
        (each.author.login, each.body) for each in pull.comments
    ).items():
        if count > 1:
            made.append(f"comment of {login}: {count}")
    for run in runs_of(known, pull):
        seen = Counter(
            (each["path"], each["start_line"], each["message"])
            for each in run.annotations
        )
        made += [
            f"annotation {path}:{line} of check run {run.id}: {count}"
            for (path, line, _), count in seen.items()
            if count > 1
        ]
    return made


def deliveries(sim: Simulator, body: Json) -> Any:
    """Return the webhook deliveries, oldest first."""
    return [
        {
            "id": each.id,
            "guid": each.guid,
            "event": each.event,
            "action": each.action,
            "status": each.status,
            "status_code": each.status_code,
            "is_redelivery": each.is_redelivery,
            "payload": json.loads(each.body),
        }
        for each in sim.hooks.deliveries
    ]


def requests(sim: Simulator, body: Json) -> Any:
    """Return how often each operation was asked for."""
    return dict(sim.rest.counts())


def violations(sim: Simulator, body: Json) -> Any:
    """Return where an exchange broke the contract."""
    return [str(each) for each in sim.contract.violations]


def repositories(sim: Simulator, body: Json) -> Any:
    """Return all repositories with their pull requests."""
    return [
        {
            "id": each.id,
            "full_name": each.full_name,
            "pulls": sorted(each.pulls),
            "installation_id": installed.id
            if (installed := sim.world.installation_of(each))
            else None,
        }
        for each in sim.world.repositories.values()
    ]


def _run(each: CheckRun) -> Json:
    return {
        "id": each.id,
        "name": each.name,
        "head_sha": each.head_sha,
        "external_id": each.external_id,
        "status": each.status,
        "conclusion": each.conclusion,
        "title": each.title,
        "summary": each.summary,
        "text": each.text,
        "annotations": each.annotations,
        "actions": each.actions,
    }


def _review(pull: Pull, each: Review) -> Json:
    return {
        "id": each.id,
        "author": each.author.login,
        "state": each.state,
        "body": each.body,
        "commit_id": each.commit_id,
        "comments": [
            _comment(one) for one in pull.review_comments if one.review_id == each.id
        ],
    }


def _comment(one: ReviewComment) -> Json:
    return {
        "id": one.id,
        "path": one.path,
        "line": one.line,
        "side": one.side,
        "start_line": one.start_line,
        "body": one.body,
        "diff_hunk": one.diff_hunk,
    }


COMMANDS: tuple[Callable[[Simulator, Json], Any], ...] = (
    pull_state, deliveries, requests, violations, repositories,
)  # fmt: skip
