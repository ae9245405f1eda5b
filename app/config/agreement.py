"""Keys that are each fine and yet do not fit together. Pure.

A JSON schema cannot say these; the parser checks them on what it could read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.config.keys import KeyPath
from app.config.model import AgentKind, RepositoryConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Keys that contradict each other; the first one is to be mended."""

    paths: tuple[KeyPath, ...]
    message: str
    remedy: str


def disagreements(config: RepositoryConfig) -> Iterator[Disagreement]:
    """Yield what contradicts itself in ``config``."""
    agent = config.agent
    if agent.use is AgentKind.COMMAND and not agent.command:
        yield Disagreement(
            paths=(("agent", "use"), ("agent", "command")),
            message="`command` needs the name of a command",
            remedy="Set `agent.command` to a name that the operator allowed",
        )
    if agent.use is AgentKind.OBSERVE and not agent.observe:
        yield Disagreement(
            paths=(("agent", "use"), ("agent", "observe")),
            message="`observe` needs the bots to observe",
            remedy="List their logins under `agent.observe`",
        )
    recovery = config.breaker.recovery
    if recovery.first > recovery.max:
        yield Disagreement(
            paths=(("breaker", "recovery", "first"), ("breaker", "recovery", "max")),
            message="the first open period is longer than the longest one",
            remedy="Make `first` at most `max`",
        )
