"""The one way to GitHub's REST API.

PyGithub carries the requests: one ``Github`` for each thread and installation,
because one that is shared loses writes without a word. What PyGithub leaves open
is closed here: a refused token is renewed once (B31), every failure is a
GitHubError (B30), a redirected write is sent on instead of counted as done, a POST
or PATCH is repeated only where GitHub surely did not carry it out, and writes keep
the pace that GitHub asks for. Worker threads only: everything here waits.
"""

from __future__ import annotations

import json
import logging
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from github import Github, GithubException

from app.errors import GitHubError, GitHubLimited, GitHubUnavailable
from app.github.auth import RenewableAuth
from app.github.faults import UNEXPECTED, BrokenBody, Refused, as_github_error
from app.github.pace import Pacer
from app.github.retry import LONGEST_WAIT, SAFE_METHODS, PatientRetry
from app.ports import Clock

API_VERSION = "2022-11-28"
TIMEOUT = 10  # seconds, for connecting and between two reads
PAGE = 100
MOST_PAGES = 100
_WRITES = ("POST", "PATCH", "PUT", "DELETE")
_LIMIT_TRIES = 2  # repeats of a write after a short limit

T = TypeVar("T")

# At DEBUG PyGithub logs whole bodies, among them freshly minted tokens.
logging.getLogger("github.Requester").setLevel(logging.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer of GitHub with a status below 400."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    data: Any = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """How GitHub is reached; one for the whole process."""

    base_url: str
    clock: Clock
    sleep: Callable[[float], None]
    user_agent: str = "recloser"


class GitHubClient:
    """GitHub's API for one installation, or for the app itself."""

    def __init__(
        self,
        link: Link,
        make_auth: Callable[[], RenewableAuth],
        pacer: Pacer,
        *,
        is_repeatable: bool = False,
    ) -> None:
        """Take what is needed to connect.

        Args:
            link: how GitHub is reached.
            make_auth: makes the credentials of one thread.
            pacer: keeps the pace of writes.
            is_repeatable: whether a POST does no harm when it happens twice.
        """
        self._link = link
        self._make_auth = make_auth
        self._pacer = pacer
        self._is_repeatable = is_repeatable
        self._local = threading.local()

    def settle(self, seconds: float = 2.0) -> None:
        """Wait until GitHub shows what it may have written a moment ago."""
        self._link.sleep(seconds)

    def read(self, operation: Callable[[Github], T]) -> T:
        """Run ``operation``, which makes one GET; raise GitHubError only.

        A body that breaks off is read once more: urllib3 retries up to the headers.
        """
        try:
            return self._call(operation)
        except BrokenBody:
            return self._call(operation)

    def _call(self, operation: Callable[[Github], T]) -> T:
        github, auth = self._connected()
        try:
            try:
                return operation(github)
            except GithubException as error:
                if error.status != 401 or not auth.renew():
                    raise
            return operation(github)
        except GitHubError:  # from minting a token, on the way
            raise
        except (GithubException, *UNEXPECTED) as error:
            raise as_github_error(error, self._link.clock.now()) from error

    def send(
        self,
        verb: str,
        path: str,
        body: object = None,
        *,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request and return its answer.

        Raises:
            GitHubUnavailable: no usable answer; a write may have been carried out.
            GitHubLimited: a limit that lasts longer than a thread should wait.
            Refused: GitHub will not do it.
        """
        carry = self.read if verb == "GET" or self._is_repeatable else self._call
        limits = _LIMIT_TRIES if verb in ("POST", "PATCH") else 0
        while True:
            if verb in _WRITES:
                self._pacer.wait()
            try:
                return carry(
                    lambda github: _send(github, verb, path, body, params, headers)
                )
            except GitHubLimited as error:
                # A limited request was not carried out, so that it may be repeated.
                limits -= 1
                if limits < 0 or error.retry_after > LONGEST_WAIT:
                    raise
                jitter = random.random()  # noqa: S311  # spreads load, no secret
                self._link.sleep(error.retry_after + jitter)

    def get(self, path: str, **params: str | int) -> Any:
        """Return the JSON at ``path``."""
        return self.send("GET", path, params=params).data

    def pages(
        self,
        path: str,
        *,
        key: str = "",
        most_pages: int = MOST_PAGES,
        **params: str | int,
    ) -> Iterator[dict[str, Any]]:
        """Yield the items of a list, page by page.

        Args:
            path: the list.
            key: the field that holds the items, where the answer is an object.
            most_pages: how many pages are read at most.
            params: further query parameters.
        """
        last: object = None
        for page in range(1, most_pages + 1):
            query = {**params, "per_page": PAGE, "page": page}
            answer = self.send("GET", path, params=query)
            items = answer.data
            if key:
                items = items.get(key) if isinstance(items, dict) else None
            if not isinstance(items, list):
                raise GitHubUnavailable(f"GitHub answered {path} with no list")
            if items and items == last:
                # PyGithub follows a 301 without the query: page 1 for ever.
                raise GitHubUnavailable(f"GitHub repeats a page of {path}")
            last = items
            # B10: one odd item must not cost the others.
            yield from (item for item in items if isinstance(item, dict))
            if 'rel="next"' not in answer.headers.get("link", ""):
                return

    def _connected(self) -> tuple[Github, RenewableAuth]:
        """Return this thread's connection, made on its first call."""
        local = self._local
        if not hasattr(local, "github"):
            methods = {*SAFE_METHODS, "POST"} if self._is_repeatable else SAFE_METHODS
            local.auth = self._make_auth()
            local.github = Github(
                auth=local.auth,
                base_url=self._link.base_url,
                timeout=TIMEOUT,
                user_agent=self._link.user_agent,
                per_page=PAGE,
                retry=PatientRetry.standard(
                    self._link.sleep, methods=frozenset(methods)
                ),
                seconds_between_requests=None,
                seconds_between_writes=None,
                lazy=True,
                api_version=API_VERSION,
            )
        return local.github, local.auth


def _send(
    github: Github,
    verb: str,
    path: str,
    body: object,
    params: Mapping[str, str | int] | None,
    headers: Mapping[str, str] | None,
) -> Answer:
    requester = github.requester
    status, received, raw = requester.requestJson(
        verb, path, dict(params or {}), dict(headers or {}), body
    )
    if status in (302, 307, 308):
        # PyGithub counts every status below 400 as success, and a write to a
        # renamed repository is answered with 307: it would be lost in silence.
        status, received, raw = requester.requestJson(
            verb, _on_same_host(received, path, github), {}, dict(headers or {}), body
        )
    if status == 304:
        return Answer(status=status, headers=received, data=None)
    if 300 <= status < 400:
        raise Refused(f"{path} has moved and cannot be followed", status=status)
    data = _decoded(raw, status)
    if status >= 400:
        known = data if isinstance(data, dict) else {}
        raise requester.createException(status, received, known)
    return Answer(status=status, headers=received, data=data)


def _decoded(raw: str, status: int) -> Any:
    if not raw:
        return None
    try:
        return json.loads(raw)
    except ValueError as error:
        if status >= 400:  # an HTML page of a proxy
            return None
        raise BrokenBody("GitHub's answer broke off or is no JSON") from error


def _on_same_host(headers: Mapping[str, str], path: str, github: Github) -> str:
    location = headers.get("location", "")
    target, base = urlsplit(location), urlsplit(github.requester.base_url)
    if target.netloc and target.netloc != base.netloc:
        raise Refused(f"{path} has moved to another host", status=307)
    prefix = base.path.rstrip("/")
    moved = target.path.removeprefix(prefix)
    if not moved.startswith("/"):
        raise Refused(f"{path} has moved without saying where", status=307)
    return f"{moved}?{target.query}" if target.query else moved
