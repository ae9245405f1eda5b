"""Pull requests as GitHub shows them now."""

from __future__ import annotations

from collections.abc import Sequence

from github import Github

from app.github.client import GitHubClient
from app.ports import PullRequest


def read_pull(client: GitHubClient, repository: str, number: int) -> PullRequest:
    """Return the pull request as it is now; one request."""
    return client.read(lambda github: _read(github, repository, number))


def pulls_of_commit(client: GitHubClient, repository: str, sha: str) -> Sequence[int]:
    """Return the numbers of the open pull requests whose head is ``sha``.

    The way from a check run or check suite to its pull request: the lists in
    their payloads are empty for forks and may name other repositories (B17).
    """
    found = client.pages(f"/repos/{repository}/commits/{sha}/pulls")
    return sorted(
        each["number"]
        for each in found
        if each.get("state") == "open"
        and (each.get("head") or {}).get("sha") == sha
        and _repository(each).casefold() == repository.casefold()
    )


def open_pulls(client: GitHubClient, repository: str) -> Sequence[int]:
    """Return the numbers of all open pull requests, for a sweep at the start."""
    found = client.pages(f"/repos/{repository}/pulls", state="open")
    return sorted(each["number"] for each in found)


def _repository(pull: dict[str, object]) -> str:
    base = pull.get("base")
    place = base.get("repo") if isinstance(base, dict) else None
    return str(place.get("full_name", "")) if isinstance(place, dict) else ""


def _read(github: Github, repository: str, number: int) -> PullRequest:
    # The client is lazy: the first attribute asks, the others come with it.
    pull = github.get_repo(repository).get_pull(number)
    # A deleted account is null (B10), and so is the repository of a deleted fork,
    # which is why nothing of ``head.repo`` is read (B09).
    user = pull.user
    return PullRequest(
        number=pull.number,
        state="open" if pull.state == "open" else "closed",
        is_draft=bool(pull.draft),
        title=pull.title or "",
        body=pull.body or "",
        author=(user.login or "") if user is not None else "",
        # B18: only the type counts; a user may be called anything.
        author_is_bot=user is not None and user.type == "Bot",
        base_ref=pull.base.ref,
        base_sha=pull.base.sha,
        head_ref=pull.head.ref,
        head_sha=pull.head.sha,
        labels=tuple(label.name for label in pull.labels),
        changed_files=pull.changed_files,
        default_branch=pull.base.repo.default_branch,
        url=pull.html_url or "",
    )
