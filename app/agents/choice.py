"""Which agent reviews a repository: one visible table, no discovery.

Whoever cannot review here (no key, not built in) is an AgentChoice without an agent
and with the reason, so that linters take over and people read why.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from app.agents.base import AgentChoice, ReviewAgent
from app.agents.builtin import BuiltinAgent
from app.agents.providers import ModelUnavailable, access_to, model_ref
from app.agents.scripted import ScriptedAgent, read_scenario
from app.config.model import AgentKind, RepositoryConfig
from app.errors import SettingsError

KINDS = ("builtin", "scripted")

MakeAgent = Callable[[RepositoryConfig], AgentChoice]


def make_agent(
    kind: str, argument: str, environ: Mapping[str, str] | None = None
) -> ReviewAgent:
    """Return an agent by its kind.

    Args:
        kind: ``builtin`` or ``scripted``.
        argument: the model as ``provider:name``, or the scenario's file.
        environ: where keys stand; default: this process's environment.

    Raises:
        SettingsError: there is no such kind, or it cannot be made.
    """
    match kind:
        case "builtin":
            return BuiltinAgent(argument, os.environ if environ is None else environ)
        case "scripted":
            return ScriptedAgent(read_scenario(Path(argument)))
        case _:
            known = ", ".join(KINDS)
            raise SettingsError(
                f"there is no agent {kind[:40]!r}: it is one of {known}"
            )


def choose_agent(
    config: RepositoryConfig, environ: Mapping[str, str] | None = None
) -> AgentChoice:
    """Return the agent that ``config`` asks for, or why there is none here."""
    section = config.agent
    if section.use is not AgentKind.BUILTIN:
        kind = section.use.value
        why = f"this server cannot run `agent.use: {kind}`, only `builtin`"
        return AgentChoice(name=kind, agent=None, why_not=why)
    return _builtin(config, section.model, os.environ if environ is None else environ)


def choose_scripted(path: Path) -> MakeAgent:
    """Return a choice of one scripted agent for all repositories.

    Raises:
        SettingsError: the scenario cannot be read.
    """
    agent = ScriptedAgent(read_scenario(Path(path)))
    return partial(_always, AgentChoice(name=agent.name, agent=agent))


def parse_agent_option(text: str) -> MakeAgent:
    """Return the choice that ``builtin[:MODEL]``, ``none`` or ``scripted:FILE`` means.

    Raises:
        SettingsError: it means none.
    """
    kind, _, argument = text.partition(":")
    if kind == "scripted" and argument:
        return choose_scripted(Path(argument))
    if kind == "builtin":
        return partial(_builtin_or_configured, argument)
    if text == "none":
        why = "no agent was asked for"
        return partial(_always, AgentChoice(name="none", agent=None, why_not=why))
    raise SettingsError(
        f"there is no agent {text[:60]!r}: it is builtin, builtin:PROVIDER:MODEL, "
        "none or scripted:FILE"
    )


def _always(choice: AgentChoice, _: RepositoryConfig) -> AgentChoice:
    return choice


def _builtin_or_configured(model: str, config: RepositoryConfig) -> AgentChoice:
    return _builtin(config, model or config.agent.model, os.environ)


def _builtin(
    config: RepositoryConfig, model: str, environ: Mapping[str, str]
) -> AgentChoice:
    agent = BuiltinAgent(model, environ, tools=config.fuse.tools)
    try:
        access_to(model_ref(model), environ)
    except ModelUnavailable as error:
        return AgentChoice(name=agent.name, agent=None, why_not=str(error))
    return AgentChoice(name=agent.name, agent=agent)
