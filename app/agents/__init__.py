"""Agents: whoever reviews. Each gets a Task and a Gate, and returns a Report.

What is here costs little to import: the library that speaks to models is loaded when
the built-in agent reviews, and not before.
"""

from __future__ import annotations

from app.agents.base import AgentChoice
from app.agents.choice import (
    KINDS,
    MakeAgent,
    choose_agent,
    choose_scripted,
    make_agent,
    parse_agent_option,
)

__all__ = [
    "KINDS",
    "AgentChoice",
    "MakeAgent",
    "choose_agent",
    "choose_scripted",
    "make_agent",
    "parse_agent_option",
]
