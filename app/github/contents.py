"""Read a file of the default branch; what did not change costs nothing.

A 304 is free of GitHub's rate limit, so every read asks with the ETag of the last
answer. Only whole answers are kept, never errors.
"""

from __future__ import annotations

import base64
import binascii
import threading
from collections import OrderedDict
from typing import Any
from urllib.parse import quote

from app.github.client import GitHubClient
from app.github.faults import Refused
from app.ports import RemoteFile

KEPT_ANSWERS = 1_000


class EtagCache:
    """The last answers of GitHub by place, the oldest first out. Thread-safe."""

    def __init__(self, most: int = KEPT_ANSWERS) -> None:
        self._most = most
        self._kept = OrderedDict[str, tuple[str, Any]]()
        self._lock = threading.Lock()

    def get(self, client: GitHubClient, path: str) -> Any:
        """Return the JSON at ``path``, from here when GitHub says it is the same."""
        with self._lock:
            etag, kept = self._kept.get(path, ("", None))
        headers = {"If-None-Match": etag} if etag else {}
        answer = client.send("GET", path, headers=headers)
        if answer.status == 304:
            return kept
        with self._lock:
            if answer.headers.get("etag"):
                self._kept[path] = (answer.headers["etag"], answer.data)
                self._kept.move_to_end(path)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer.data


def read_file(
    client: GitHubClient, cache: EtagCache, repository: str, path: str
) -> RemoteFile:
    """Return the file at ``path`` on the default branch.

    Bytes that are no UTF-8 become lone surrogates, for the parser to object to.

    Raises:
        Refused: what stands there is no readable file: a directory, a link out of
            the repository, or too large. That is not the same as no file.
    """
    branch = cache.get(client, f"/repos/{repository}")["default_branch"]
    source = f"{repository}@{branch}:{path}"
    try:
        # Without ``ref`` GitHub itself takes the default branch.
        found = cache.get(client, f"/repos/{repository}/contents/{quote(path)}")
    except Refused as error:
        if error.reason == "not_found":
            return RemoteFile(text=None, source=source)
        raise
    return RemoteFile(text=_text(found, source), source=source)


def _text(found: Any, source: str) -> str:
    kind = found.get("type") if isinstance(found, dict) else "directory"
    if kind != "file":
        raise Refused(f"{source} is no file but a {kind}", status=200)
    if found.get("encoding") != "base64":  # from 1 MB on GitHub leaves it out
        raise Refused(f"{source} is too large to be read", status=200)
    try:
        raw = base64.b64decode(found["content"])
    except (binascii.Error, KeyError, TypeError) as error:
        raise Refused(f"{source} came without its content", status=200) from error
    return raw.decode("utf-8", "surrogateescape")
