"""Check runs and suites."""

from __future__ import annotations

from urllib.parse import quote

from tests.simulator.bodies.common import Json, app, time
from tests.simulator.bodies.pulls import minimal
from tests.simulator.bodies.repositories import api, html, repository, simple_commit
from tests.simulator.state import CheckRun, CheckSuite, Repository, World

_ANNOTATION = ("start_column", "end_column", "title", "raw_details")


def pulls_of(world: World, known: Repository, sha: str) -> list[Json]:
    """Return the open pull requests of a head; never those of forks."""
    return [
        minimal(world, known, each)
        for each in known.pulls.values()
        if each.head_sha == sha
        and each.state == "open"
        and each.head_repository_id == known.id
    ]


def run(world: World, known: Repository, each: CheckRun) -> Json:
    """Return a check run."""
    url = f"{api(world, known)}/check-runs/{each.id}"
    page = f"{html(world, known)}/runs/{each.id}"
    return {
        "id": each.id,
        "node_id": f"CR_{each.id}",
        "head_sha": each.head_sha,
        "name": each.name,
        "external_id": each.external_id,
        "url": url,
        "html_url": page,
        "details_url": each.details_url or page,
        "status": each.status,
        "conclusion": each.conclusion,
        "started_at": time(each.started_at),
        "completed_at": time(each.completed_at),
        "output": {
            "title": each.title,
            "summary": each.summary,
            "text": each.text,
            "annotations_count": len(each.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": each.suite.id},
        "app": app(world),
        "pull_requests": pulls_of(world, known, each.head_sha),
    }


def annotation(world: World, known: Repository, each: CheckRun, one: Json) -> Json:
    """Return one annotation."""
    path = quote(one["path"])
    return {
        **dict.fromkeys(_ANNOTATION),
        **one,
        "blob_href": f"{html(world, known)}/blob/{each.head_sha}/{path}",
    }


def state_of(known: Repository, suite: CheckSuite) -> tuple[str, str | None]:
    """Return status and conclusion of a suite, from its runs."""
    runs = [each for each in known.runs.values() if each.suite is suite]
    if not runs:
        return "queued", None
    if any(each.status != "completed" for each in runs):
        return "in_progress", None
    found = {each.conclusion for each in runs}
    order = ("failure", "timed_out", "cancelled", "action_required", "stale", "success")
    for conclusion in order:
        if conclusion in found:
            return "completed", conclusion
    return "completed", "skipped" if found == {"skipped"} else "neutral"


def suite(world: World, known: Repository, each: CheckSuite) -> Json:
    """Return a check suite."""
    status, conclusion = state_of(known, each)
    url = f"{api(world, known)}/check-suites/{each.id}"
    return {
        "id": each.id,
        "node_id": f"CS_{each.id}",
        "head_branch": each.head_branch,
        "head_sha": each.head_sha,
        "status": status,
        "conclusion": conclusion,
        "url": url,
        "before": each.before,
        "after": each.head_sha,
        "pull_requests": pulls_of(world, known, each.head_sha),
        "app": app(world),
        "repository": repository(world, known),
        "created_at": time(each.created_at),
        "updated_at": time(each.updated_at),
        "head_commit": simple_commit(known.git.show(each.head_sha)),
        "latest_check_runs_count": sum(
            run.suite is each for run in known.runs.values()
        ),
        "check_runs_url": f"{url}/check-runs",
    }
