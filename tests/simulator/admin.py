"""The simulator's own commands under ``/_sim/``: what people do, and what goes wrong.

Every command is a POST with a JSON body; ``client.py`` is its typed other side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.simulator import people_pulls, people_talk, readback, trouble
from tests.simulator.command import BadCommand, Command, Json
from tests.simulator.repo import GitError

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator

COMMANDS: dict[str, Command] = {
    each.__name__: each
    for each in (
        *people_pulls.COMMANDS,
        *people_talk.COMMANDS,
        *trouble.COMMANDS,
        *readback.COMMANDS,
    )
}


async def serve(simulator: Simulator, request: Request) -> Response:
    """Carry out one command."""
    name = request.url.path.removeprefix("/_sim/")
    command = COMMANDS.get(name)
    if command is None:
        return JSONResponse({"error": f"no command {name!r}"}, 404)
    body = await request.json() if await request.body() else {}
    try:
        made = await run_in_threadpool(_run, simulator, command, body)
    except (BadCommand, GitError, KeyError, TypeError, ValueError) as error:
        return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 400)
    return JSONResponse(made)


def _run(simulator: Simulator, command: Command, body: Json) -> Any:
    with simulator.world.lock:
        return command(simulator, body)
