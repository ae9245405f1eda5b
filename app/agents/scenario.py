"""What a scripted agent does: acts for reviews, made of steps. Pure and frozen.

An act is chosen by what is reviewed; the first that fits is played. Nothing in an
act is believed by anybody: each step goes through the gate like any agent's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.agents.base import Task
from guardrails.rules.globs import matches

Tokens = Annotated[int, Field(ge=0, le=100_000_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Line = Annotated[int, Field(ge=0, le=10_000_000)]
Number = Annotated[int, Field(ge=1)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
SeverityName = Literal["info", "low", "medium", "high", "critical"]

_PULL = re.compile(r"#([0-9]+)@")


class Part(BaseModel):
    """A part of a scenario: unknown keys are errors, nothing is coerced."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class CallModel(Part):
    """Ask a model. Calls with an equal ``prompt`` are equal; without, none are."""

    prompt_tokens: Tokens
    output_tokens: Tokens = 500
    max_output_tokens: Tokens | None = None
    usd: Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)] = 0.0
    model: Name = "scripted:model"
    prompt: str = ""


class CallTool(Part):
    """Call a tool; those that only read really run."""

    tool: Name
    arguments: dict[str, str | int | float | bool] = Field(default_factory=dict)


class Propose(Part):
    """Propose a change to one file."""

    path: Name
    start_line: Line
    end_line: Line
    replacement: str
    reason: str
    expected: str | None = None
    severity: SeverityName = "medium"
    confidence: Share = 1.0


class Publish(Part):
    """Say something on a line, or on the whole change when ``path`` is empty."""

    body: Annotated[str, Field(min_length=1)]
    path: str = ""
    line: Line = 0
    severity: SeverityName = "low"
    confidence: Share = 1.0


class Delegate(Part):
    """Hand work to another agent."""

    source: Name = "scripted"
    target: Name
    intent: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """End badly: crash, end without a review, or find the provider down."""

    kind: Literal["crash", "empty", "infrastructure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Take the same steps again and again."""

    times: int
    steps: tuple[Step, ...]


Step = CallModel | CallTool | Propose | Publish | Delegate | Wait | Fail | Repeat


class When(Part):
    """Which reviews an act is for; what is ``None`` does not matter.

    Args:
        path: a glob that one of the reviewed paths matches.
        title: words of the title, whatever their case.
        pull: the number of the pull request.
        review: the how-manieth review of this agent it is, from 1.
        probe: whether it is a probe of a half-open circuit.
    """

    path: str | None = None
    title: str | None = None
    pull: Number | None = None
    review: Number | None = None
    probe: bool | None = None

    def fits(self, task: Task, review: int) -> bool:
        """Tell whether the ``review``-th review, of ``task``, is meant."""
        pull = _PULL.search(task.review_id)
        return (
            (self.path is None or any(matches(self.path, each) for each in task.scope))
            and (self.title is None or self.title.casefold() in task.title.casefold())
            and (self.pull is None or (pull is not None and int(pull[1]) == self.pull))
            and self.review in (None, review)
            and self.probe in (None, task.is_probe)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What the agent does in one review.

    ``stubborn``: it goes on asking after a final refusal, as no good agent would.
    """

    when: When = field(default_factory=When)
    steps: tuple[Step, ...] = ()
    summary: str = ""
    confidence: float = 1.0
    stubborn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """All acts, in the order they are tried."""

    source: str
    acts: tuple[Act, ...]

    def act_for(self, task: Task, review: int) -> Act | None:
        """Return the first act that fits."""
        return next((each for each in self.acts if each.when.fits(task, review)), None)
