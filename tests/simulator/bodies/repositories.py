"""Repositories, labels and commits."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.simulator.bodies.common import Json, short_repository, time, user
from tests.simulator.diff import ChangedFile
from tests.simulator.repo import Commit, Signature
from tests.simulator.skeleton import named
from tests.simulator.state import Label, Repository, World

_URLS = tuple(
    name.removesuffix("_url")
    for name in named("full-repository")["required"]
    if name.endswith("_url")
)


def api(world: World, repository: Repository) -> str:
    """Return the address of a repository in the API."""
    return f"{world.base_url}/repos/{repository.full_name}"


def html(world: World, repository: Repository) -> str:
    """Return the address of a repository for people."""
    return f"{world.base_url}/{repository.full_name}"


def repository(world: World, known: Repository) -> Json:
    """Return a repository with all that its schemas ask for."""
    place, page = api(world, known), html(world, known)
    urls = {f"{stem}_url": f"{place}/{stem}" for stem in _URLS}
    opened = sum(pull.state == "open" for pull in known.pulls.values())
    return {
        **urls,
        **short_repository(known),
        "owner": user(world, known.owner),
        "url": place,
        "html_url": page,
        "clone_url": f"{page}.git",
        "git_url": f"git://{page.partition('://')[2]}.git",
        "ssh_url": f"git@localhost:{known.full_name}.git",
        "svn_url": page,
        "mirror_url": None,
        "description": None,
        "homepage": None,
        "language": None,
        "license": None,
        "fork": known.fork_of is not None,
        "default_branch": known.default_branch,
        "visibility": "private" if known.is_private else "public",
        "archived": False,
        "disabled": False,
        "has_issues": True,
        "open_issues": opened,
        "open_issues_count": opened,
        "created_at": time(known.created_at),
        "updated_at": time(known.created_at),
        "pushed_at": time(known.created_at),
    }


def label(world: World, known: Repository, each: Label) -> Json:
    """Return a label."""
    return {
        "id": each.id,
        "node_id": f"LA_{each.id}",
        "url": f"{api(world, known)}/labels/{quote(each.name, safe='')}",
        "name": each.name,
        "description": each.description,
        "color": each.color,
        "default": False,
    }


def changed_file(world: World, known: Repository, head: str, each: ChangedFile) -> Json:
    """Return one file of a diff."""
    path, page = quote(each.path), html(world, known)
    made: Json = {
        "sha": each.sha,
        "filename": each.path,
        "status": each.status,
        "additions": each.additions,
        "deletions": each.deletions,
        "changes": each.additions + each.deletions,
        "blob_url": f"{page}/blob/{head}/{path}",
        "raw_url": f"{page}/raw/{head}/{path}",
        "contents_url": f"{api(world, known)}/contents/{path}?ref={head}",
    }
    if each.previous:
        made["previous_filename"] = each.previous
    if each.patch is not None:
        made["patch"] = each.patch
    return made


def commit(world: World, known: Repository, each: Commit) -> Json:
    """Return a commit as the REST API shows it."""
    place, page = api(world, known), html(world, known)
    url = f"{place}/commits/{each.sha}"
    return {
        "sha": each.sha,
        "node_id": f"C_{each.sha}",
        "url": url,
        "html_url": f"{page}/commit/{each.sha}",
        "comments_url": f"{url}/comments",
        "commit": {
            "url": f"{place}/git/commits/{each.sha}",
            "author": _person(each.author),
            "committer": _person(each.committer),
            "message": each.message,
            "comment_count": 0,
            "tree": {"sha": each.tree, "url": f"{place}/git/trees/{each.tree}"},
        },
        "author": user(world, world.account(each.author.name)),
        "committer": user(world, world.account(each.committer.name)),
        "parents": [
            {
                "sha": sha,
                "url": f"{place}/commits/{sha}",
                "html_url": f"{page}/commit/{sha}",
            }
            for sha in each.parents
        ],
    }


def simple_commit(each: Commit) -> Json:
    """Return a commit as check suites and merge groups carry it."""
    return {
        "id": each.sha,
        "tree_id": each.tree,
        "message": each.message,
        "timestamp": each.author.when.isoformat(),
        "author": {"name": each.author.name, "email": each.author.email},
        "committer": {"name": each.committer.name, "email": each.committer.email},
    }


def _person(who: Signature) -> dict[str, Any]:
    return {"name": who.name, "email": who.email, "date": time(who.when)}
