"""Commands for people who label, comment, review and press buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.simulator import forge
from tests.simulator.command import (
    BadCommand,
    Command,
    Json,
    check_run_of,
    pull_of,
    repository_of,
)

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator


def add_label(sim: Simulator, body: Json) -> Any:
    """Put a label on a pull request as a person."""
    known, pull = pull_of(sim, body)
    sender = sim.world.account(body["by"])
    forge.add_label(sim.world, sim.events, known, pull, body["label"], sender)
    return {}


def remove_label(sim: Simulator, body: Json) -> Any:
    """Take a label off a pull request as a person."""
    known, pull = pull_of(sim, body)
    sender = sim.world.account(body["by"])
    done = forge.remove_label(sim.events, known, pull, body["label"], sender)
    return {"removed": done}


def add_comment(sim: Simulator, body: Json) -> Any:
    """Comment on a pull request as a person."""
    known, pull = pull_of(sim, body)
    sender = sim.world.account(body["by"])
    made = forge.add_comment(sim.world, sim.events, known, pull, body["body"], sender)
    return {"id": made.id}


def add_review(sim: Simulator, body: Json) -> Any:
    """Review a pull request as a person or another bot."""
    known, pull = pull_of(sim, body)
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
    repository_of(sim, body).roles[body["login"].lower()] = body["role"]
    return {}


def press_button(sim: Simulator, body: Json) -> Any:
    """Press a button of a check run."""
    known, run = check_run_of(sim, body)
    if all(each["identifier"] != body["identifier"] for each in run.actions):
        raise BadCommand(f"the check run has no button {body['identifier']!r}")
    sender = sim.world.account(body["by"])
    name = body["identifier"]
    sim.events.check_run(known, run, "requested_action", sender, identifier=name)
    return {}


def rerequest(sim: Simulator, body: Json) -> Any:
    """Ask to run a check run again, or all checks of a commit."""
    known = repository_of(sim, body)
    sender = sim.world.account(body["by"])
    if "check_run_id" in body:
        forge.rerequest(sim.events, known, check_run_of(sim, body)[1], sender)
    else:
        suite = forge.suite_of(sim.world, known, body["sha"])
        sim.events.check_suite(known, suite, "rerequested", sender)
    return {}


COMMANDS: tuple[Command, ...] = (
    add_label,
    remove_label,
    add_comment,
    add_review,
    set_role,
    press_button,
    rerequest,
)
