"""Fetch the commits of a pull request into a repository that lives for a block.

Nothing is checked out: three commits are fetched without their history, the base,
the head and their merge base, which GitHub's compare call names. (A history that
is deepened bit by bit can show a wrong merge base to whoever shapes the history of
the head, and missing blobs fetched later would need the token for all that time.)
Where GitHub cannot compare, the whole history is fetched and git says.

The token is given to git in its environment alone: not in the address, the
configuration or the command line, and bound to GitHub's host.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.errors import GitHubError, GitHubLimited, GitHubUnavailable, RepositoryError
from app.github.auth import TokenCache
from app.github.client import GitHubClient
from app.github.command import Git, GitFailed
from app.github.faults import SECONDARY_WAIT, Refused
from app.github.git import GitTree
from app.github.local import make_bare

FETCH_TIMEOUT = 300.0  # seconds
MOST_FETCHED = 4_000_000_000  # bytes on disk
# How the operator's network is reached; nothing else of our environment is passed.
_NETWORK = (
    "https_proxy",
    "HTTPS_PROXY",
    "http_proxy",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "GIT_SSL_CAINFO",
)
_GONE = re.compile(
    "not our ref|couldn't find remote ref|no such remote ref|unadvertised object"
)
_REFUSED_LOGIN = re.compile("Authentication failed|could not read Username|error: 401")
_STATUS = re.compile(r"(?:returned error: |HTTP )(\d{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """Where a repository is fetched from, and as whom."""

    git_url: str  # such as https://github.com
    repository: str
    installation_id: int
    tokens: TokenCache

    @property
    def url(self) -> str:
        """Return the address to fetch from; it holds no secret."""
        return f"{self.git_url}/{self.repository}.git"


@contextmanager
def checkout(
    client: GitHubClient, remote: Remote, number: int, base_sha: str, head_sha: str
) -> Iterator[GitTree]:
    """Give both commits and their merge base as a tree.

    Raises:
        GitHubUnavailable: try again later.
        GitHubRefused: the app may not read the repository.
        RepositoryError: the commits are gone, or too much to fetch.
    """
    merge_base = _merge_base(client, remote.repository, base_sha, head_sha)
    with tempfile.TemporaryDirectory(
        prefix="recloser-", ignore_cleanup_errors=True
    ) as directory:
        git_dir = make_bare(Path(directory))
        fetch = _Fetch(git_dir, remote, is_shallow=merge_base is not None)
        fetch.pull(number, head_sha, [base_sha, *([merge_base] if merge_base else [])])
        known = {(base_sha, head_sha): merge_base} if merge_base else {}
        tree = GitTree(Git(git_dir=git_dir), merge_bases=known)
        for sha in (base_sha, head_sha):
            if not tree.has(sha):
                raise RepositoryError(f"the commit {sha[:12]} is gone")
        yield tree


def _merge_base(
    client: GitHubClient, repository: str, base: str, head: str
) -> str | None:
    """Ask GitHub for the merge base; ``None`` when it cannot tell."""
    # Page 2 of the commits: the files come with page 1 only, and are not needed.
    place = f"/repos/{repository}/compare/{base}...{head}"
    try:
        found = client.get(place, per_page=1, page=2)
        return str(found["merge_base_commit"]["sha"])
    except GitHubLimited:
        raise
    except (GitHubError, KeyError, TypeError):
        return None


class _Fetch:
    def __init__(self, git_dir: Path, remote: Remote, *, is_shallow: bool) -> None:
        self._git_dir = git_dir
        self._remote = remote
        self._depth = ["--depth=1"] if is_shallow else []

    def pull(self, number: int, head: str, others: Sequence[str]) -> None:
        """Fetch the head, and what else is needed.

        The head of a force-pushed or deleted fork may be gone as a commit and
        still stand as ``refs/pull/N/head`` (B09).
        """
        wanted = list(dict.fromkeys([head, *others]))
        try:
            self._fetch(wanted)
        except GitFailed as error:
            if not _GONE.search(error.stderr):
                raise self._fault(error) from error
        else:
            return
        try:
            self._fetch([f"refs/pull/{number}/head"])
            self._fetch([sha for sha in wanted if sha != head])
        except GitFailed as error:
            if _GONE.search(error.stderr):
                raise RepositoryError(f"a commit is gone: {error}") from error
            raise self._fault(error) from error

    def _fetch(self, wanted: Sequence[str]) -> None:
        if not wanted:
            return
        for is_last_try in (False, True):
            token = self._remote.tokens.get(self._remote.installation_id)
            git = Git(
                git_dir=self._git_dir,
                environment={**_network(), **_credentials(self._remote.url, token)},
                timeout=FETCH_TIMEOUT,
                most_disk=MOST_FETCHED,
            )
            try:
                git.run(
                    "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
                    "--no-auto-maintenance", "--no-recurse-submodules",
                    *self._depth, self._remote.url, *wanted,
                )  # fmt: skip
            except GitFailed as error:
                if is_last_try or not _REFUSED_LOGIN.search(error.stderr):
                    raise
                self._remote.tokens.drop(self._remote.installation_id, token)
            else:
                return

    def _fault(self, error: GitFailed) -> Exception:
        """Return what a failed fetch means for the caller."""
        if not error.stderr or not error.code:  # too long or too much
            return RepositoryError(str(error))
        said = f"the repository could not be fetched: {error}"
        if _REFUSED_LOGIN.search(error.stderr):
            return Refused(said, status=401, reason="credentials")
        match = _STATUS.search(error.stderr)
        status = int(match[1]) if match else 0
        if status == 429:
            return GitHubLimited(said, status=status, retry_after=SECONDARY_WAIT)
        if "not found" in error.stderr or status == 404:
            return Refused(said, status=404, reason="not_found")
        if 400 <= status < 500:
            return Refused(said, status=status, reason="permission")
        return GitHubUnavailable(said, status=status)


def _network() -> dict[str, str]:
    return {name: os.environ[name] for name in _NETWORK if name in os.environ}


def _credentials(url: str, token: str) -> dict[str, str]:
    parts = urlsplit(url)
    login = base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
    return {
        "GIT_CONFIG_COUNT": "1",
        # Bound to the host: a redirect to another one must not get it.
        "GIT_CONFIG_KEY_0": f"http.{parts.scheme}://{parts.netloc}/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {login}",
    }
