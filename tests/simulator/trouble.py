"""Commands for what goes wrong, and for what an owner does to app and repository."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.simulator.bodies.repositories import simple_commit
from tests.simulator.command import BadCommand, Command, Json, pull_of, repository_of
from tests.simulator.faults import KINDS, Fault
from tests.simulator.hooks import HookRule

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator


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
        known = repository_of(sim, body)
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


def rename_repository(sim: Simulator, body: Json) -> Any:
    """Rename a repository; the old name is redirected."""
    known, old = repository_of(sim, body), body["name"]
    sim.world.moved[known.full_name.lower()] = known.id
    known.name = body["to"]
    sim.events.renamed(known, old, sim.world.account(body.get("by", "ada")))
    return {"full_name": known.full_name}


def delete_repository(sim: Simulator, body: Json) -> Any:
    """Delete a repository."""
    known = repository_of(sim, body)
    sim.events.about(known, "repository", "deleted", sim.world.account("ada"))
    del sim.world.repositories[known.id]
    for each in sim.world.installations.values():
        each.repositories.discard(known.id)
    known.git.delete()
    return {}


def merge_group(sim: Simulator, body: Json) -> Any:
    """Put a pull request into the merge queue, or take it out."""
    known, pull = pull_of(sim, body)
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


COMMANDS: tuple[Command, ...] = (
    installation,
    send_event,
    redeliver,
    set_hook,
    set_hook_rules,
    set_faults,
    shift_clock,
    set_rate_limit,
    clear_violations,
    rename_repository,
    delete_repository,
    merge_group,
)
