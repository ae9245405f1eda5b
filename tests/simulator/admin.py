"""The simulator's own commands under ``/_sim/``: what people do, and what goes wrong.

Every command is a POST with a JSON body; ``client.py`` is its typed other side.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.simulator import forge, readback
from tests.simulator.bodies.repositories import simple_commit
from tests.simulator.faults import KINDS, Fault
from tests.simulator.hooks import HookRule
from tests.simulator.repo import File
from tests.simulator.state import Pull, Repository

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator

Json = dict[str, Any]


class BadCommand(Exception):
    """The command cannot be carried out."""


async def serve(simulator: Simulator, request: Request) -> Response:
    """Carry out one command."""
    name = request.url.path.removeprefix("/_sim/")
    command = COMMANDS.get(name)
    if command is None:
        return JSONResponse({"error": f"no command {name!r}"}, 404)
    body = await request.json() if await request.body() else {}
    try:
        made = await run_in_threadpool(_run, simulator, command, body)
    except (BadCommand, KeyError, TypeError, ValueError) as error:
        return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 400)
    return JSONResponse(made)


def _run(
    simulator: Simulator, command: Callable[[Simulator, Json], Any], body: Json
) -> Any:
    with simulator.world.lock:
        return command(simulator, body)


def create_repository(sim: Simulator, body: Json) -> Any:
    """Make a repository with a first commit, and install the app on it."""
    world = sim.world
    if world.repository(body["owner"], body["name"]) is not None:
        raise BadCommand(f"{body['owner']}/{body['name']} exists")
    known = forge.create_repository(
        world,
        body["owner"],
        body["name"],
        is_private=body.get("private", True),
        default_branch=body.get("default_branch", "main"),
    )
    author = world.account(body.get("author", "ada"))
    known.roles[author.login.lower()] = "admin"
    sha = forge.push(
        world,
        sim.events,
        known,
        known.default_branch,
        _files(body["files"]),
        author=author,
        message="Initial commit",
        is_quiet=True,
    )
    installation_id = None
    if body.get("install", True):
        installed = forge.install(world, sim.events, known, by=author)
        installation_id = installed.id
    return {
        "id": known.id,
        "full_name": known.full_name,
        "sha": sha,
        "installation_id": installation_id,
    }


def open_pull(sim: Simulator, body: Json) -> Any:
    """Push a branch, here or in a fork, and open a pull request from it."""
    world, known = sim.world, _repository(sim, body)
    author = world.account(body["author"])
    base = body.get("base") or known.default_branch
    fork = forge.fork(world, known, body["fork"]) if body.get("fork") else None
    place = fork or known
    if body.get("files") is not None:
        is_new = place.git.find(f"refs/heads/{body['branch']}") is None
        forge.push(
            world,
            sim.events,
            place,
            body["branch"],
            _files(body["files"]),
            author=author,
            message=body.get("message") or body["title"],
            parent=place.git.tip(base) if is_new else None,
        )
    wanted = forge.Proposal(
        title=body["title"],
        body=body.get("body"),
        base=base,
        branch=body["branch"],
        author=author,
        is_draft=body.get("draft", False),
        fork=fork,
    )
    return {"number": forge.open_pull(world, sim.events, known, wanted).number}


def push_commit(sim: Simulator, body: Json) -> Any:
    """Push to a pull request's head; by force it replaces all its commits."""
    known, pull = _pull(sim, body)
    head = sim.world.repositories.get(pull.head_repository_id or 0)
    if head is None:
        raise BadCommand("the head repository is gone")
    sha = forge.push(
        sim.world,
        sim.events,
        head,
        pull.head_ref,
        _files(body["files"]),
        author=sim.world.account(body.get("author") or pull.author.login),
        message=body.get("message") or "Update",
        parent=known.git.merge_base(known.git.tip(pull.base_ref), pull.head_sha)
        if body.get("force")
        else None,
    )
    return {"sha": sha}


def push_branch(sim: Simulator, body: Json) -> Any:
    """Push a commit to a branch, by default the default branch."""
    known = _repository(sim, body)
    sha = forge.push(
        sim.world,
        sim.events,
        known,
        body.get("branch") or known.default_branch,
        _files(body["files"]),
        author=sim.world.account(body.get("author") or "ada"),
        message=body.get("message") or "Update",
    )
    return {"sha": sha}


def reset_pull(sim: Simulator, body: Json) -> Any:
    """Force the head of a pull request back to a commit that exists."""
    _, pull = _pull(sim, body)
    head = sim.world.repositories[pull.head_repository_id or 0]
    before = head.git.tip(pull.head_ref)
    head.git.set_ref(f"refs/heads/{pull.head_ref}", body["sha"])
    sender = sim.world.account(body.get("author") or pull.author.login)
    forge.moved(sim.world, sim.events, head, pull.head_ref, before, sender)
    return {"sha": pull.head_sha}


def delete_fork(sim: Simulator, body: Json) -> Any:
    """Delete the repository of a pull request's head; its commits stay here."""
    known, pull = _pull(sim, body)
    if pull.head_repository_id == known.id:
        raise BadCommand("the head is no fork")
    gone = sim.world.repositories.pop(pull.head_repository_id or 0)
    gone.git.delete()
    for each in known.pulls.values():
        if each.head_repository_id == gone.id:
            each.head_repository_id = None
    return {}


def edit_pull(sim: Simulator, body: Json) -> Any:
    """Close, reopen, retarget, rename, or change whether it is a draft."""
    world, (known, pull) = sim.world, _pull(sim, body)
    sender = world.account(body.get("by") or pull.author.login)
    pull.updated_at = world.now()
    if "state" in body and body["state"] != pull.state:
        pull.state = body["state"]
        is_closed = pull.state == "closed"
        pull.closed_at = world.now() if is_closed else None
        action = "closed" if is_closed else "reopened"
        sim.events.pull_request(known, pull, action, sender)
    if "draft" in body and body["draft"] != pull.is_draft:
        pull.is_draft = body["draft"]
        action = "converted_to_draft" if pull.is_draft else "ready_for_review"
        sim.events.pull_request(known, pull, action, sender)
    changes: Json = {}
    if "base" in body:
        changes["base"] = {
            "ref": {"from": pull.base_ref},
            "sha": {"from": pull.base_sha},
        }
        pull.base_ref, pull.base_sha = body["base"], known.git.tip(body["base"])
    for name in ("title", "body"):
        if name in body:
            changes[name] = {"from": getattr(pull, name) or ""}
            setattr(pull, name, body[name])
    if changes:
        sim.events.pull_request(known, pull, "edited", sender, changes=changes)
    return {}


def add_label(sim: Simulator, body: Json) -> Any:
    """Put a label on a pull request as a person."""
    known, pull = _pull(sim, body)
    sender = sim.world.account(body["by"])
    forge.add_label(sim.world, sim.events, known, pull, body["label"], sender)
    return {}


def remove_label(sim: Simulator, body: Json) -> Any:
    """Take a label off a pull request as a person."""
    known, pull = _pull(sim, body)
    sender = sim.world.account(body["by"])
    done = forge.remove_label(sim.events, known, pull, body["label"], sender)
    return {"removed": done}


def add_comment(sim: Simulator, body: Json) -> Any:
    """Comment on a pull request as a person."""
    known, pull = _pull(sim, body)
    sender = sim.world.account(body["by"])
    made = forge.add_comment(sim.world, sim.events, known, pull, body["body"], sender)
    return {"id": made.id}


def add_review(sim: Simulator, body: Json) -> Any:
    """Review a pull request as a person or another bot."""
    known, pull = _pull(sim, body)
    author = sim.world.account(body["by"])
    review = forge.add_review(
        sim.world,
        pull,
        author=author,
        body=body.get("body", ""),
        state=body.get("state", "COMMENTED"),
        commit_id=body.get("commit_id") or pull.head_sha,
    )
    sim.events.review(known, pull, review, "submitted", author)
    return {"id": review.id}


def set_role(sim: Simulator, body: Json) -> Any:
    """Give somebody a role in a repository."""
    sim.world.account(body["login"])
    _repository(sim, body).roles[body["login"].lower()] = body["role"]
    return {}


def press_button(sim: Simulator, body: Json) -> Any:
    """Press a button of a check run."""
    known, run = _check_run(sim, body)
    if all(each["identifier"] != body["identifier"] for each in run.actions):
        raise BadCommand(f"the check run has no button {body['identifier']!r}")
    sender = sim.world.account(body["by"])
    name = body["identifier"]
    sim.events.check_run(known, run, "requested_action", sender, identifier=name)
    return {}


def rerequest(sim: Simulator, body: Json) -> Any:
    """Ask to run a check run again, or all checks of a commit."""
    known = _repository(sim, body)
    sender = sim.world.account(body["by"])
    if "check_run_id" in body:
        forge.rerequest(sim.events, known, _check_run(sim, body)[1], sender)
    else:
        suite = forge.suite_of(sim.world, known, body["sha"])
        sim.events.check_suite(known, suite, "rerequested", sender)
    return {}


def merge_group(sim: Simulator, body: Json) -> Any:
    """Put a pull request into the merge queue, or take it out."""
    known, pull = _pull(sim, body)
    base = known.git.tip(pull.base_ref)
    ref = f"gh-readonly-queue/{pull.base_ref}/pr-{pull.number}-{base}"
    known.git.set_ref(f"refs/heads/{ref}", pull.head_sha)
    group = {
        "head_sha": pull.head_sha,
        "head_ref": f"refs/heads/{ref}",
        "base_sha": base,
        "base_ref": f"refs/heads/{pull.base_ref}",
        "head_commit": simple_commit(known.git.show(pull.head_sha)),
    }
    sim.events.merge_group(known, group, body.get("action", "checks_requested"))
    return {"head_sha": pull.head_sha, "head_ref": group["head_ref"]}


def installation(sim: Simulator, body: Json) -> Any:
    """Suspend, unsuspend or delete an installation, or change its repositories."""
    world = sim.world
    installed = world.installations[body["installation_id"]]
    sender, action = world.account(body.get("by", "ada")), body["action"]
    if action in ("suspend", "unsuspend"):
        is_suspended = action == "suspend"
        installed.suspended_at = world.now() if is_suspended else None
        sim.events.installation(installed, action, sender)
    elif action == "deleted":
        sim.events.installation(installed, action, sender)
        del world.installations[installed.id]
        for value, token in list(world.tokens.items()):
            if token.installation is installed:
                del world.tokens[value]
    elif action in ("added", "removed"):
        known = _repository(sim, body)
        change = installed.repositories.add if action == "added" else None
        (change or installed.repositories.discard)(known.id)
        sim.events.repositories(installed, {known.id}, action, sender)
    elif action == "permissions":
        installed.permissions = body["permissions"]
        sim.events.installation(installed, "new_permissions_accepted", sender)
    else:
        raise BadCommand(f"no action {action!r}")
    return {}


def send_event(sim: Simulator, body: Json) -> Any:
    """Send any payload, unchecked: what a forger or a newer GitHub might send."""
    made = sim.hooks.deliver(
        body["event"],
        body.get("action", ""),
        body["payload"],
        body.get("installation_id", 0),
        body.get("repository_id"),
    )
    return {"guid": made.guid if made else None}


def redeliver(sim: Simulator, body: Json) -> Any:
    """Press the button that delivers a webhook once more."""
    return {"done": sim.hooks.redeliver(body["delivery_id"])}


def set_hook(sim: Simulator, body: Json) -> Any:
    """Say where webhooks go, and with which secret."""
    sim.world.hook.url = body.get("url", sim.world.hook.url)
    sim.world.hook.secret = body.get("secret", sim.world.hook.secret)
    return {}


def set_hook_rules(sim: Simulator, body: Json) -> Any:
    """Say what goes wrong with the next deliveries."""
    sim.hooks.rules = [HookRule(**each) for each in body["rules"]]
    return {}


def set_faults(sim: Simulator, body: Json) -> Any:
    """Say what goes wrong with the next requests."""
    made = [Fault(**each) for each in body["faults"]]
    for each in made:
        if each.kind not in KINDS:
            raise BadCommand(f"no fault {each.kind!r}")
    sim.faults.waiting = made
    return {}


def shift_clock(sim: Simulator, body: Json) -> Any:
    """Move the clock."""
    sim.world.shift += timedelta(seconds=body["seconds"])
    return {"now": sim.world.now().isoformat()}


def set_rate_limit(sim: Simulator, body: Json) -> Any:
    """Change how many requests an hour are allowed."""
    sim.rates.limit = body["limit"]
    return {}


def clear_violations(sim: Simulator, body: Json) -> Any:
    """Forget the violations, after a test that meant them."""
    sim.contract.violations.clear()
    return {}


def _repository(sim: Simulator, body: Json) -> Repository:
    found = sim.world.repository(body["owner"], body["name"])
    if found is None:
        raise BadCommand(f"no repository {body['owner']}/{body['name']}")
    return found


def _pull(sim: Simulator, body: Json) -> tuple[Repository, Pull]:
    known = _repository(sim, body)
    found = known.pulls.get(body["number"])
    if found is None:
        raise BadCommand(f"no pull request {body['number']}")
    return known, found


def _check_run(sim: Simulator, body: Json) -> tuple[Repository, Any]:
    known = _repository(sim, body)
    found = known.runs.get(body["check_run_id"])
    if found is None:
        raise BadCommand(f"no check run {body['check_run_id']}")
    return known, found


def _files(wanted: Json) -> dict[str, File | None]:
    made: dict[str, File | None] = {}
    for path, content in wanted.items():
        if content is None:
            made[path] = None
        elif isinstance(content, str):
            made[path] = File(content=content.encode())
        else:
            data = base64.b64decode(content["base64"])
            made[path] = File(content=data, mode=content.get("mode", "100644"))
    return made


_OWN = (
    create_repository, open_pull, push_commit, push_branch, reset_pull, delete_fork,
    edit_pull, add_label, remove_label, add_comment, add_review, set_role, press_button,
    rerequest, merge_group, installation, send_event, redeliver, set_hook,
    set_hook_rules, set_faults, shift_clock, set_rate_limit, clear_violations,
)  # fmt: skip
COMMANDS: dict[str, Callable[[Simulator, Json], Any]] = {
    each.__name__: each for each in (*_OWN, *readback.COMMANDS)
}
