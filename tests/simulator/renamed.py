"""Renamed repositories: GitHub redirects a GET with 301 and a write with 307."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request

from tests.simulator.rest.call import DOCUMENTATION, Reply
from tests.simulator.state import World

_NUMBER = re.compile(r"/repositories/(\d+)(/.*)?")


def by_number(world: World, path: str) -> str:
    """Return the path by name of one that names a repository by its number."""
    found = _NUMBER.fullmatch(path)
    known = world.repositories.get(int(found[1])) if found else None
    if found is None or known is None:
        return path
    return f"/repos/{known.full_name}{found[2] or ''}"


def redirect(world: World, request: Request, path: Mapping[str, str]) -> Reply | None:
    """Return the redirect of a request that uses an old name."""
    if "owner" not in path or world.repository(path["owner"], path["repo"]):
        return None
    old = f"{path['owner']}/{path['repo']}"
    number = world.moved.get(old.lower())
    if number is None:
        return None
    rest = request.url.path.removeprefix(f"/repos/{old}")
    query = f"?{request.url.query}" if request.url.query else ""
    place = f"{world.base_url}/repositories/{number}{rest}{query}"
    is_read = request.method == "GET"
    body = {
        "message": "Moved Permanently" if is_read else "Temporary Redirect",
        "url": place,
        "documentation_url": DOCUMENTATION,
    }
    return Reply(status=301 if is_read else 307, body=body, headers={"Location": place})
