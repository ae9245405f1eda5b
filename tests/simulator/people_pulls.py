"""Commands for people who make repositories, push and open pull requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.simulator import forge
from tests.simulator.command import (
    BadCommand,
    Command,
    Json,
    files_of,
    pull_of,
    repository_of,
)

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator


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
        files_of(body["files"]),
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


def push_branch(sim: Simulator, body: Json) -> Any:
    """Push a commit to a branch, by default the default branch."""
    known = repository_of(sim, body)
    sha = forge.push(
        sim.world,
        sim.events,
        known,
        body.get("branch") or known.default_branch,
        files_of(body["files"]),
        author=sim.world.account(body.get("author") or "ada"),
        message=body.get("message") or "Update",
    )
    return {"sha": sha}


def open_pull(sim: Simulator, body: Json) -> Any:
    """Push a branch, here or in a fork, and open a pull request from it."""
    world, known = sim.world, repository_of(sim, body)
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
            files_of(body["files"]),
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
    known, pull = pull_of(sim, body)
    head = sim.world.repositories.get(pull.head_repository_id or 0)
    if head is None:
        raise BadCommand("the head repository is gone")
    sha = forge.push(
        sim.world,
        sim.events,
        head,
        pull.head_ref,
        files_of(body["files"]),
        author=sim.world.account(body.get("author") or pull.author.login),
        message=body.get("message") or "Update",
        parent=known.git.merge_base(known.git.tip(pull.base_ref), pull.head_sha)
        if body.get("force")
        else None,
    )
    return {"sha": sha}


def reset_pull(sim: Simulator, body: Json) -> Any:
    """Force the head of a pull request back to a commit that exists."""
    _, pull = pull_of(sim, body)
    head = sim.world.repositories[pull.head_repository_id or 0]
    before = head.git.tip(pull.head_ref)
    head.git.set_ref(f"refs/heads/{pull.head_ref}", body["sha"])
    sender = sim.world.account(body.get("author") or pull.author.login)
    forge.moved(sim.world, sim.events, head, pull.head_ref, before, sender)
    return {"sha": pull.head_sha}


def delete_fork(sim: Simulator, body: Json) -> Any:
    """Delete the repository of a pull request's head; its commits stay here."""
    known, pull = pull_of(sim, body)
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
    world, (known, pull) = sim.world, pull_of(sim, body)
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


COMMANDS: tuple[Command, ...] = (
    create_repository,
    push_branch,
    open_pull,
    push_commit,
    reset_pull,
    delete_fork,
    edit_pull,
)
