"""Check runs: annotations are added by every PATCH, at most 50 at a time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.simulator import forge
from tests.simulator.bodies import checks
from tests.simulator.rest.call import ApiError, Call, Reply
from tests.simulator.state import CheckRun, Repository


def create_run(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/check-runs."""
    known, body = call.repository, call.body
    sha = body["head_sha"]
    if len(sha) != 40 or known.git.find(sha) != sha:
        raise _invalid("head_sha", f"No commit found for SHA: {sha}")
    _check(body)
    suite = forge.suite_of(call.world, known, sha)
    status = "completed" if "conclusion" in body else body.get("status", "queued")
    if status == "completed" and "conclusion" not in body:
        raise _invalid("conclusion", "conclusion is missing for a completed check run")
    run = CheckRun(
        id=call.world.new_id(),
        suite=suite,
        name=body["name"],
        head_sha=sha,
        external_id=body.get("external_id", ""),
        details_url=body.get("details_url", ""),
        status=status,
        conclusion=body.get("conclusion"),
        started_at=_time(call, body.get("started_at")),
        completed_at=None,
        actions=body.get("actions", []),
    )
    if status == "completed":
        run.completed_at = _time(call, body.get("completed_at"))
    _set_output(run, body)
    known.runs[run.id] = run
    actor = call.principal.actor
    call.events.check_run(known, run, "created", actor)
    if status == "completed":
        _completed(call, known, run)
    url = f"{call.url}/{run.id}"
    shown = checks.run(call.world, known, run)
    return Reply(status=201, body=shown, headers={"Location": url})


def update_run(call: Call) -> Reply:
    """PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}."""
    known, run, body = call.repository, call.check_run, call.body or {}
    _check(body)
    was_completed = run.status == "completed"
    status = "completed" if "conclusion" in body else body.get("status", run.status)
    if status == "completed" and not ("conclusion" in body or run.conclusion):
        raise _invalid("conclusion", "conclusion is missing for a completed check run")
    run.status = status
    for name in ("name", "details_url", "external_id", "actions"):
        if name in body:
            setattr(run, name, body[name])
    if "started_at" in body:
        run.started_at = _time(call, body["started_at"])
    _set_output(run, body)
    run.suite.updated_at = call.world.now()
    if status == "completed":
        run.conclusion = body.get("conclusion", run.conclusion)
        if "completed_at" in body or not was_completed:
            run.completed_at = _time(call, body.get("completed_at"))
        if not was_completed:
            _completed(call, known, run)
    else:
        run.conclusion = run.completed_at = None
    return Reply(body=checks.run(call.world, known, run))


def get_run(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/check-runs/{check_run_id}."""
    return Reply(body=checks.run(call.world, call.repository, call.check_run))


def list_annotations(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations."""
    known, run = call.repository, call.check_run
    return call.page(
        run.annotations, lambda each: checks.annotation(call.world, known, run, each)
    )


def rerequest_run(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest."""
    run = call.check_run
    forge.rerequest(call.events, call.repository, run, call.principal.actor)
    return Reply(status=201, body={})


def list_for_ref(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/commits/{ref}/check-runs."""
    known = call.repository
    sha = known.git.find(call.path["ref"])
    if sha is None:
        raise ApiError(404, "Not Found")
    return _runs(call, [each for each in known.runs.values() if each.head_sha == sha])


def list_for_suite(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs."""
    wanted = int(call.path["check_suite_id"])
    if all(each.id != wanted for each in call.repository.suites):
        raise ApiError(404, "Not Found")
    runs = call.repository.runs.values()
    return _runs(call, [each for each in runs if each.suite.id == wanted])


def list_suites(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/commits/{ref}/check-suites."""
    known = call.repository
    sha = known.git.find(call.path["ref"])
    found = [each for each in known.suites if each.head_sha == sha]
    if call.number("app_id", call.world.app.id) != call.world.app.id:
        found = []
    return call.page(
        found, lambda each: checks.suite(call.world, known, each), key="check_suites"
    )


def _runs(call: Call, runs: list[CheckRun]) -> Reply:
    known, query = call.repository, call.query
    if call.number("app_id", call.world.app.id) != call.world.app.id:
        runs = []
    for key, name in (("check_name", "name"), ("status", "status")):
        if key in query:
            runs = [each for each in runs if getattr(each, name) == query[key]]
    runs = sorted(runs, key=lambda each: -each.id)
    if query.get("filter", "latest") == "latest":
        newest: dict[tuple[int, str], CheckRun] = {}
        for each in runs:
            newest.setdefault((each.suite.id, each.name), each)
        runs = list(newest.values())
    return call.page(
        runs, lambda each: checks.run(call.world, known, each), key="check_runs"
    )


def _completed(call: Call, known: Repository, run: CheckRun) -> None:
    actor = call.principal.actor
    call.events.check_run(known, run, "completed", actor)
    if checks.state_of(known, run.suite)[0] == "completed":
        call.events.check_suite(known, run.suite, "completed", actor)


def _check(body: dict[str, Any]) -> None:
    # How many and how long is in the description, and was checked already.
    output = body.get("output", {})
    for each in output.get("annotations", ()):
        has_columns = "start_column" in each or "end_column" in each
        if each["end_line"] < each["start_line"]:
            raise _invalid("annotations", "end_line must not precede start_line")
        if has_columns and each["start_line"] != each["end_line"]:
            message = "columns are only allowed on a single line"
            raise _invalid("annotations", message)


def _set_output(run: CheckRun, body: dict[str, Any]) -> None:
    output = body.get("output")
    if output is None:
        return
    for name in ("title", "summary", "text"):
        if name in output:
            setattr(run, name, output[name])
    run.annotations += output.get("annotations", [])


def _time(call: Call, value: str | None) -> datetime:
    return datetime.fromisoformat(value) if value else call.world.now()


def _invalid(field: str, message: str) -> ApiError:
    error = {
        "resource": "CheckRun",
        "code": "invalid",
        "field": field,
        "message": message,
    }
    return ApiError(422, "Validation Failed", [error])
