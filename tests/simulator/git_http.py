"""Git over HTTP: ``git http-backend`` behind ASGI, for those who hold a token."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tests.simulator import access
from tests.simulator.repo import ENVIRONMENT
from tests.simulator.state import Repository, World

_PATH = re.compile(
    r"/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+?)(?:\.git)?"
    r"/(?P<rest>info/refs|git-upload-pack|git-receive-pack)"
)


def match(path: str) -> re.Match[str] | None:
    """Return the parts of a path that git asks for."""
    return _PATH.fullmatch(path)


async def serve(world: World, request: Request) -> Response:
    """Answer one request of a git client."""
    found = match(request.url.path)
    assert found is not None
    try:
        principal = access.authenticate(world, request.headers.get("authorization", ""))
    except access.Denied:
        return Response(
            "Repository not found.",
            401,
            {"WWW-Authenticate": 'Basic realm="GitHub"'},
        )
    known = world.repository(found["owner"], found["repo"])
    if known is None or not principal.sees(known):
        return PlainTextResponse("Repository not found.", 404)
    service = request.query_params.get("service", found["rest"])
    if service == "git-receive-pack":
        return PlainTextResponse("Write access to repository not granted.", 403)
    assert principal.token is not None
    if not access.permits(principal.token.permissions, "contents", "read"):
        return PlainTextResponse("Write access to repository not granted.", 403)
    return await _backend(known, found["rest"], request)


async def _backend(known: Repository, rest: str, request: Request) -> Response:
    path: Path = known.git.path
    environment = {
        **ENVIRONMENT,
        "GIT_PROJECT_ROOT": str(path.parent),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{path.name}/{rest}",
        "QUERY_STRING": request.url.query,
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("content-encoding", ""),
        "REMOTE_ADDR": "127.0.0.1",
    }
    body = await request.body()
    if body:
        environment["CONTENT_LENGTH"] = str(len(body))
    done = await run_in_threadpool(
        subprocess.run,
        ["git", "http-backend"],
        input=body,
        capture_output=True,
        env=environment,
        check=False,
    )
    output = done.stdout
    head, _, content = output.partition(b"\r\n\r\n")
    headers = {}
    status = 200
    for line in head.decode("latin-1").split("\r\n"):
        name, _, value = line.partition(": ")
        if name.lower() == "status":
            status = int(value.split()[0])
        elif name:
            headers[name] = value
    return Response(content, status, headers)
