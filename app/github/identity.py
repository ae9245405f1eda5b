"""Which comments and reviews are ours.

A hidden marker alone proves nothing: anybody can write it into a comment of their
own and so keep us silent. The author counts, too.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from app.github.client import GitHubClient
from app.github.limits import MOST_TEXT, cut_markdown


class Identity:
    """The app's id and the login it writes as. Safe from any thread."""

    def __init__(self, app_id: int, app: GitHubClient) -> None:
        self.app_id = app_id
        self._app = app
        self._login = ""
        self._lock = threading.Lock()

    @property
    def login(self) -> str:
        """Return the login, such as ``recloser[bot]``; asked for once."""
        with self._lock:
            if not self._login:
                self._login = f"{self._app.get('/app')['slug']}[bot]"
            return self._login

    def wrote(self, item: Mapping[str, Any]) -> bool:
        """Tell whether the app wrote a comment or review (``user`` may be null)."""
        app = item.get("performed_via_github_app")
        if isinstance(app, Mapping) and app.get("id") == self.app_id:
            return True
        user = item.get("user")
        if not isinstance(user, Mapping) or user.get("type") != "Bot":
            return False
        return str(user.get("login", "")).casefold() == self.login.casefold()


def with_marker(body: str, marker: str) -> str:
    """Return ``body`` within GitHub's limit, with ``marker`` whole at its end."""
    text = body.replace(marker, "").rstrip()
    return cut_markdown(text, MOST_TEXT, tail=f"\n\n{marker}")
