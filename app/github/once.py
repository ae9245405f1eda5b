"""Write once, although the answer may get lost on its way.

GitHub may carry out a POST and still answer 502. So every POST that people would
see twice is framed: look first, post, and after an answer that says nothing, look
again before posting a second and last time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from app.errors import GitHubUnavailable
from app.github.client import GitHubClient

T = TypeVar("T")


def post_once(
    client: GitHubClient, look: Callable[[], T | None], post: Callable[[], T]
) -> T:
    """Return what ``look`` finds, or what ``post`` makes.

    Args:
        client: whose clock is slept on before the second look.
        look: finds what we wrote before, ``None`` for nothing.
        post: writes it.
    """
    found = look()
    if found is not None:
        return found
    try:
        return post()
    except GitHubUnavailable:
        client.settle()
        found = look()
        return post() if found is None else found
