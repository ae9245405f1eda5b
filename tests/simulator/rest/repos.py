"""Repositories, commits, comparison and who may what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.simulator import diff
from tests.simulator.bodies import common, pulls, repositories
from tests.simulator.repo import Commit, GitError
from tests.simulator.rest.call import ApiError, Call, Reply

COMPARE_FILES = 300
COMPARE_COMMITS = 250
# The five roles, and the coarser word of "permission" for each.
_COARSE = {
    "admin": "admin", "maintain": "write", "write": "write", "triage": "read",
    "read": "read", "none": "none",
}  # fmt: skip


def get_repository(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}."""
    return Reply(body=repositories.repository(call.world, call.repository))


def get_branch(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/branches/{branch}."""
    known, name = call.repository, call.path["branch"]
    try:
        sha = known.git.tip(name)
    except GitError:
        raise ApiError(404, "Branch not found") from None
    url = f"{repositories.api(call.world, known)}/branches/{name}"
    page = f"{repositories.html(call.world, known)}/tree/{name}"
    commit = repositories.commit(call.world, known, known.git.show(sha))
    body = {
        "name": name,
        "commit": commit,
        "_links": {"self": url, "html": page},
        "protected": False,
        "protection": {"enabled": False},
        "protection_url": f"{url}/protection",
    }
    return Reply(body=body)


def get_commit(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/commits/{ref}."""
    known = call.repository
    sha = _sha(call, call.path["ref"])
    commit = known.git.show(sha)
    empty = known.git.git("hash-object", "-t", "tree", "-w", "--stdin", data=b"")
    before = commit.parents[0] if commit.parents else empty.strip()
    files = diff.changed_files(known.git, before, sha)
    added = sum(each.additions for each in files)
    deleted = sum(each.deletions for each in files)
    body = repositories.commit(call.world, known, commit)
    body["stats"] = {
        "additions": added,
        "deletions": deleted,
        "total": added + deleted,
    }
    body["files"] = _files(call, sha, files[:COMPARE_FILES])
    return Reply(body=body)


def compare(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/compare/{base}...{head}."""
    known, world = call.repository, call.world
    first, dots, second = call.path["basehead"].partition("...")
    if not dots:
        raise ApiError(404, "Not Found")
    base, head = _sha(call, first), _sha(call, second)
    merge_base = known.git.merge_base(base, head)
    if merge_base is None:
        raise ApiError(404, f"No common ancestor between {first} and {second}.")
    ahead = known.git.commits(f"{base}..{head}")
    behind = known.git.commits(f"{head}..{base}")
    files = diff.changed_files(known.git, merge_base, head)
    is_first = call.number("page", 1) <= 1
    url = f"{repositories.api(world, known)}/compare/{first}...{second}"
    page = f"{repositories.html(world, known)}/compare/{first}...{second}"

    def show(each: Commit) -> dict[str, Any]:
        return repositories.commit(world, known, each)

    if {"page", "per_page"} & set(call.query):
        commits = call.page(ahead, show)
    else:
        commits = Reply(body=[show(each) for each in ahead[:COMPARE_COMMITS]])
    body: dict[str, Any] = {
        "url": url,
        "html_url": page,
        "permalink_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "base_commit": repositories.commit(world, known, known.git.show(base)),
        "merge_base_commit": repositories.commit(
            world, known, known.git.show(merge_base)
        ),
        "status": _relation(len(ahead), len(behind)),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": commits.body,
        "files": _files(call, head, files[:COMPARE_FILES]) if is_first else [],
    }
    return Reply(body=body, headers=commits.headers)


def list_pulls_of_commit(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/commits/{sha}/pulls."""
    known = call.repository
    sha = _sha(call, call.path["commit_sha"])
    found = [
        each
        for each in known.pulls.values()
        if known.git.merge_base(sha, each.head_sha) == sha
        and known.git.merge_base(sha, pulls.base_of(known, each)) != sha
    ]
    return call.page(found, lambda each: pulls.simple(call.world, known, each))


def get_permission(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/collaborators/{username}/permission."""
    known, login = call.repository, call.path["username"]
    account = call.world.accounts.get(login.lower())
    if account is None:
        raise ApiError(404, f"{login} is not a user")
    role = known.roles.get(login.lower(), "none")
    if account.id == known.owner.id:
        role = "admin"
    if role == "none" and not known.is_private:
        role = "read"
    names = ("pull", "triage", "push", "maintain", "admin")
    rank = ("none", "read", "triage", "write", "maintain", "admin").index(role)
    shown = {
        **common.user(call.world, account),
        "role_name": role,
        "permissions": {name: at < rank for at, name in enumerate(names)},
    }
    return Reply(body={"permission": _COARSE[role], "role_name": role, "user": shown})


def _sha(call: Call, ref: str) -> str:
    known = call.repository
    owner, colon, branch = ref.partition(":")
    if colon and owner.lower() == known.owner.login.lower():
        ref = branch
    found = known.git.find(ref)
    if found is not None:
        return found
    if len(ref) == 40:
        raise ApiError(422, f"No commit found for SHA: {ref}", [])
    raise ApiError(404, "Not Found")


def _relation(ahead: int, behind: int) -> str:
    if ahead and behind:
        return "diverged"
    if ahead or behind:
        return "ahead" if ahead else "behind"
    return "identical"


def _files(
    call: Call, head: str, files: Sequence[diff.ChangedFile]
) -> list[dict[str, Any]]:
    known = call.repository
    return [repositories.changed_file(call.world, known, head, each) for each in files]
