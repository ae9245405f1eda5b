"""One conversation of the built-in agent with its model, over one part of a change.

It ends with an Answer or with an exception that says why not: Refused (the gate),
ProviderFault (not the agent's fault) or NoAnswer (the agent's own failure).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, ToolOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    OutputTokenLimitExceeded,
    ToolFailed,
    UsageLimitExceeded,
)
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import UsageLimits

from app.agents.answer import Answer
from app.agents.gated_model import GatedModel, Metering, ProviderFault
from app.agents.gated_tools import GatedToolset
from app.agents.prompt import INSTRUCTIONS, data_block
from app.agents.providers import DEFAULT_TIMEOUT, Access, make_model
from app.agents.tools import ToolProblem, TreeTools
from app.breaker.actions import Proposal

MOST_ROUNDS = 40  # requests of one conversation; the fuse is usually sooner
RETRIES = 2  # of an answer that does not fit, and of a tool call that does not
TEMPERATURE = 0.0  # where the model takes one


class NoAnswer(Exception):
    """The model gave no answer that fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What all conversations of one review share.

    ``offered`` are the tools that the model is shown, ``taken`` the proposals that the
    gate let by so far.
    """

    metering: Metering
    access: Access
    tools: TreeTools
    offered: Collection[str]
    taken: list[Proposal]


async def converse(words: str, room: Room) -> Answer:
    """Return the model's answer to ``words``.

    Raises:
        Refused: the gate ended it.
        ProviderFault: the provider gave no usable answer.
        NoAnswer: the model did not come to an answer that fits.
    """
    metering = room.metering
    model = GatedModel(make_model(metering.ref, room.access), metering)
    settings: ModelSettings = {"timeout": DEFAULT_TIMEOUT}
    if _takes_temperature(model):
        settings["temperature"] = TEMPERATURE
    agent: Agent[None, Answer] = Agent(
        model,
        name="recloser",
        deps_type=type(None),
        output_type=ToolOutput(
            Answer, name="submit_review", description="Hand in the finished review"
        ),
        instructions=INSTRUCTIONS,
        model_settings=settings,
        toolsets=[
            GatedToolset(
                wrapped=_toolset(room.tools, room.offered),
                gate=metering.gate,
                taken=room.taken,
            )
        ],
        retries=RETRIES,
    )
    try:
        async with model:  # closes the client, whatever happens
            limits = UsageLimits(request_limit=MOST_ROUNDS)
            result = await agent.run(words, usage_limits=limits)
    except ContentFilterError as error:
        raise ProviderFault(f"{metering.ref}: the provider filtered it") from error
    except UsageLimitExceeded as error:
        raise NoAnswer(f"no answer after {MOST_ROUNDS} requests") from error
    except OutputTokenLimitExceeded as error:
        most = metering.max_output_tokens
        raise NoAnswer(f"the answer did not fit into {most} tokens") from error
    except AgentRunError as error:
        raise NoAnswer("the model gave no answer that fits") from error
    return result.output


def _takes_temperature(model: GatedModel) -> bool:
    """Tell whether the model has a temperature: those that reason refuse one."""
    refuses = ("openai_supports_reasoning", "anthropic_disallows_sampling_settings")
    return not any(model.profile.get(each, False) for each in refuses)


def _toolset(tools: TreeTools, offered: Collection[str]) -> FunctionToolset[None]:
    """Return the offered tools as the model sees them, one call at a time."""

    def read_file(path: str, start: int = 1, end: int = 0) -> str:
        """Read lines of a file as it is after the change.

        Args:
            path: Path in the repository.
            start: First line, from 1.
            end: Last line; 0 reads on to the end.
        """
        return _told(lambda: tools.read_file(path, start, end))

    def search(text: str) -> str:
        """Find the lines of all files that contain a text, taken literally.

        Args:
            text: What to look for: one line, no pattern.
        """
        return _told(lambda: tools.search(text))

    def list_files(glob: str = "**") -> str:
        """List the paths that match a glob; ** spans folders.

        Args:
            glob: Such as src/**/*.py
        """
        return _told(lambda: tools.list_files(glob))

    def propose_change(
        path: str,
        start_line: int,
        end_line: int,
        replacement: str,
        reason: str,
        expected: str,
        severity: str = "medium",
        confidence: float = 1.0,
    ) -> str:
        """Suggest new text for lines of a changed file. A refusal says why.

        Args:
            path: Path in the repository.
            start_line: First line to replace, by the numbers of the new file.
            end_line: Last line to replace; start_line - 1 inserts before start_line.
            replacement: The new lines.
            reason: What is wrong with the old ones.
            expected: The lines that stand there now, copied exactly.
            severity: info, low, medium, high or critical.
            confidence: How sure you are, from 0 to 1.
        """
        raise AssertionError("the gated toolset makes proposals itself")

    functions: list[Callable[..., Any]] = [
        read_file,
        search,
        list_files,
        propose_change,
    ]
    shown = [each for each in functions if each.__name__ in offered]
    return FunctionToolset(shown, sequential=True, max_retries=RETRIES)


def _told(read: Callable[[], str]) -> str:
    """Return what a tool read, as data; what goes wrong is told to the model."""
    try:
        return data_block(read())
    except ToolProblem as problem:
        raise ToolFailed(str(problem)) from problem
