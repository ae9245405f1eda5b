"""GitHub as the core sees it: ``ports.Hub`` and ``ports.HubFactory``.

Only wiring: what is done stands in the modules beside this one.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from app.github import checks, comments, contents, files, labels, pulls, reviews
from app.github.auth import AppKey, InstallationAuth, Token, TokenCache
from app.github.checkout import Remote, checkout
from app.github.client import PAGE, GitHubClient, Link
from app.github.faults import Refused
from app.github.identity import Identity
from app.github.pace import Pacer
from app.ports import CheckReport, Clock, PullRequest, RemoteFile, ReviewComment, Tree

API_URL = "https://api.github.com"
CHECK_NAME = "Recloser"
BETWEEN_WRITES = timedelta(seconds=1)
_KEPT_CLIENTS = 500  # installations whose connections are kept
_CURSOR = re.compile(r'[?&]cursor=([^&>]+)[^>]*>; rel="next"')
_REPOSITORY = re.compile(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubApp:
    """Who we are and where GitHub is.

    Args:
        app_id: the id of the GitHub App.
        private_key: its PEM file's text.
        base_url: the API; on GitHub Enterprise Server ``https://HOST/api/v3``.
        git_url: where git fetches from; by default what belongs to ``base_url``.
        check_name: how our check run is called; rulesets name it.
        between_writes: the least time between two writes of one installation.
    """

    app_id: int
    private_key: str = field(repr=False)
    base_url: str = API_URL
    git_url: str = ""
    check_name: str = CHECK_NAME
    between_writes: timedelta = BETWEEN_WRITES


class GitHubHub:
    """One repository of one installation. Safe from any thread."""

    def __init__(
        self,
        client: GitHubClient,
        remote: Remote,
        *,
        own: Identity,
        check_name: str,
        cache: contents.EtagCache,
    ) -> None:
        self._client = client
        self._remote = remote
        self._repository = remote.repository
        self._own = own
        self._check = checks.CheckName(app_id=own.app_id, name=check_name)
        self._cache = cache

    def pull(self, number: int) -> PullRequest:
        """Return the pull request as it is now."""
        return pulls.read_pull(self._client, self._repository, number)

    def file_on_default_branch(self, path: str) -> RemoteFile:
        """Return a file of the default branch; a 304 costs nothing."""
        return contents.read_file(self._client, self._cache, self._repository, path)

    def checkout(
        self, number: int, base_sha: str, head_sha: str
    ) -> AbstractContextManager[Tree]:
        """Fetch both commits and their merge base; the tree ends with the block."""
        return checkout(self._client, self._remote, number, base_sha, head_sha)

    def open_check(self, head_sha: str, external_id: str, title: str) -> int:
        """Return the id of our in-progress check run, made if there was none."""
        return checks.open_check(
            self._client,
            self._repository,
            self._check,
            head_sha=head_sha,
            external_id=external_id,
            title=title,
        )

    def complete_check(self, check_id: int, report: CheckReport) -> None:
        """Complete a check run; annotations go in pages of at most 50."""
        checks.complete_check(self._client, self._repository, check_id, report)

    def post_review(
        self,
        number: int,
        head_sha: str,
        body: str,
        comments: Sequence[ReviewComment],
        marker: str,
    ) -> None:
        """Post one COMMENT review unless one with ``marker`` stands already."""
        review = reviews.Review(
            head_sha=head_sha, body=body, comments=comments, marker=marker
        )
        reviews.post_review(self._client, self._own, self._repository, number, review)

    def add_label(self, number: int, label: str, color: str, description: str) -> None:
        """Put a label on a pull request; names are equal when case-folded (B24)."""
        labels.add_label(
            self._client,
            self._repository,
            number,
            label=label,
            color=color,
            description=description,
        )

    def remove_label(self, number: int, label: str) -> None:
        """Take a label off a pull request, if it is there."""
        labels.remove_label(self._client, self._repository, number, label)

    def upsert_comment(self, number: int, marker: str, body: str) -> None:
        """Edit our sticky comment that carries ``marker``, or write it."""
        comments.upsert_comment(
            self._client, self._own, self._repository, number, marker=marker, body=body
        )

    def changed_files(self, number: int) -> files.ChangedFiles:
        """Return the files by the API, for when git cannot give the diff."""
        return files.changed_files(self._client, self._repository, number)

    def pulls_for_commit(self, sha: str) -> Sequence[int]:
        """Return the open pull requests of this repository whose head is ``sha``."""
        return pulls.pulls_of_commit(self._client, self._repository, sha)

    def open_pulls(self) -> Sequence[int]:
        """Return the numbers of all open pull requests."""
        return pulls.open_pulls(self._client, self._repository)

    def permission(self, login: str) -> str:
        """Return the role of an account in this repository, "none" without one.

        ``admin, maintain, write, triage, read``, or the name of a custom role, for
        which GitHub's coarser ``permission`` is given instead.
        """
        if not login:
            return "none"
        place = f"/repos/{self._repository}/collaborators/{quote(login, safe='')}"
        try:
            found = self._client.get(f"{place}/permission")
        except Refused as error:
            if error.reason == "not_found":
                return "none"
            raise
        role = found.get("role_name")
        known = ("admin", "maintain", "write", "triage", "read", "none")
        return str(role if role in known else found.get("permission", "none"))


class GitHubHubFactory:
    """Makes hubs; keeps tokens, connections and caches. Safe from any thread."""

    def __init__(
        self, app: GitHubApp, clock: Clock, sleep: Callable[[float], None]
    ) -> None:
        """Take the app's identity.

        Raises:
            SettingsError: the private key cannot be used.
        """
        self._app = app
        self._clock = clock
        self._sleep = sleep
        self._key = AppKey(app.app_id, app.private_key, clock)
        self._link = Link(base_url=app.base_url, clock=clock, sleep=sleep)
        self._tokens = TokenCache(self._mint, clock)
        # Minting a token twice does no harm, so that its POST may be repeated.
        self._app_client = GitHubClient(
            self._link, lambda: self._key, self._pacer(timedelta(0)), is_repeatable=True
        )
        self._own = Identity(app.app_id, self._app_client)
        self._caches = OrderedDict[int, tuple[GitHubClient, contents.EtagCache]]()
        self._lock = threading.Lock()

    def hub(self, installation_id: int, repository: str) -> GitHubHub:
        """Return the hub of ``owner/name`` as that installation sees it."""
        if _REPOSITORY.fullmatch(repository) is None:
            raise Refused(f"not a repository: {repository[:80]!r}", status=0)
        client, cache = self._kept(installation_id)
        remote = Remote(
            git_url=self._app.git_url or git_url(self._app.base_url),
            repository=repository,
            installation_id=installation_id,
            tokens=self._tokens,
        )
        return GitHubHub(
            client, remote, own=self._own, check_name=self._app.check_name, cache=cache
        )

    def login(self) -> str:
        """Return the login that the app writes as, such as ``recloser[bot]``."""
        return self._own.login

    def installation_of(self, repository: str) -> int:
        """Return the id of the installation that can see ``owner/name``."""
        return int(self._app_client.get(f"/repos/{repository}/installation")["id"])

    def deliveries(self, most_pages: int = 1) -> Iterator[dict[str, Any]]:
        """Yield the newest webhook deliveries, for a sweep of lost ones."""
        cursor = dict[str, str | int]()
        for _ in range(most_pages):
            answer = self._app_client.send(
                "GET", "/app/hook/deliveries", params={"per_page": PAGE, **cursor}
            )
            yield from answer.data
            following = _CURSOR.search(answer.headers.get("link", ""))
            if following is None:
                return
            cursor["cursor"] = following[1]

    def redeliver(self, delivery_id: int) -> None:
        """Ask GitHub to send a delivery once more, with the same GUID."""
        self._app_client.send("POST", f"/app/hook/deliveries/{delivery_id}/attempts")

    def _mint(self, installation_id: int) -> Token:
        place = f"/app/installations/{installation_id}/access_tokens"
        made = self._app_client.send("POST", place, {}).data
        return Token(
            value=made["token"], expires_at=datetime.fromisoformat(made["expires_at"])
        )

    def _kept(self, installation_id: int) -> tuple[GitHubClient, contents.EtagCache]:
        with self._lock:
            kept = self._caches.get(installation_id)
            if kept is None:
                client = GitHubClient(
                    self._link,
                    lambda: InstallationAuth(installation_id, self._tokens),
                    self._pacer(self._app.between_writes),
                )
                kept = self._caches[installation_id] = (client, contents.EtagCache())
            self._caches.move_to_end(installation_id)
            while len(self._caches) > _KEPT_CLIENTS:
                self._caches.popitem(last=False)
            return kept

    def _pacer(self, interval: timedelta) -> Pacer:
        return Pacer(interval, self._clock, self._sleep)


def git_url(base_url: str) -> str:
    """Return where git fetches from, for an API at ``base_url``."""
    parts = urlsplit(base_url)
    host = parts.netloc.removeprefix("api.")
    return f"{parts.scheme}://{host}"
