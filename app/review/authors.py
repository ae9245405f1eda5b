"""Tell whether an author is one of the agents that are guarded here. Pure."""

from __future__ import annotations

from collections.abc import Iterable


def is_agent(login: str, observed: Iterable[str]) -> bool:
    """Tell whether ``login`` is an observed agent, whatever its case and ``[bot]``.

    Bots that are no agents (a dependency updater) are judged like people. A deleted
    account has no login and is nobody (B10).
    """
    return bool(login) and _name(login) in {_name(each) for each in observed}


def _name(login: str) -> str:
    return login.casefold().removesuffix("[bot]")
