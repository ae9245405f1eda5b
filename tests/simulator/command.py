"""What the simulator's own commands have in common: their form and their look-ups."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.simulator.repo import File
from tests.simulator.state import CheckRun, Pull, Repository

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator

Json = dict[str, Any]
Command = Callable[["Simulator", Json], Any]


class BadCommand(Exception):
    """The command cannot be carried out."""


def repository_of(sim: Simulator, body: Json) -> Repository:
    found = sim.world.repository(body["owner"], body["name"])
    if found is None:
        raise BadCommand(f"no repository {body['owner']}/{body['name']}")
    return found


def pull_of(sim: Simulator, body: Json) -> tuple[Repository, Pull]:
    known = repository_of(sim, body)
    found = known.pulls.get(body["number"])
    if found is None:
        raise BadCommand(f"no pull request {body['number']}")
    return known, found


def check_run_of(sim: Simulator, body: Json) -> tuple[Repository, CheckRun]:
    known = repository_of(sim, body)
    found = known.runs.get(body["check_run_id"])
    if found is None:
        raise BadCommand(f"no check run {body['check_run_id']}")
    return known, found


def files_of(wanted: Json) -> dict[str, File | None]:
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
