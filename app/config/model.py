"""The values of ``.github/recloser.yml``. Pure and frozen; an empty file is these.

Each field carries its unit in the name or the docstring and its bounds in the
type, so that the JSON schema, the reference page and the parser say the same.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from guardrails.policy import DEFAULT_PROTECTED

Usd = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=1_000_000)]
#: Durations are written ``90s``, ``10m``, ``1h`` and held in seconds.
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]


class Section(BaseModel):
    """A part of the file: unknown keys are errors, nothing is coerced."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


class Enforcement(StrEnum):
    """Whether conclusions may hold up a merge."""

    ENFORCE = "enforce"
    ADVISE = "advise"


class AgentKind(StrEnum):
    """Who reviews."""

    BUILTIN = "builtin"
    COMMAND = "command"
    OBSERVE = "observe"


class AgentSection(Section):
    """Who reviews, and where its words may appear."""

    use: AgentKind = AgentKind.BUILTIN
    """Who reviews. Only `builtin` runs yet; with the others linters take over."""
    model: str = Field(default="openai:gpt-5-mini", pattern=r"^[a-z_-]+:\S+$")
    """`provider:model` of the built-in agent; the key stays on the server."""
    command: str | None = None
    """For `use: command`: a name that the operator allowed in the settings."""
    observe: tuple[str, ...] = ()
    """For `use: observe`: logins of the bots whose reviews are judged."""
    publish: Literal["review", "check"] = "review"
    """`review` posts comments, `check` keeps all findings inside the check."""


class Recovery(Section):
    """How long an open circuit waits before it lets a probe through."""

    first: Seconds = 300.0
    """The first open period."""
    max: Seconds = 3_600.0
    """The longest open period, at least `first`; failed probes double up to it."""


class BreakerSection(Section):
    """When the circuit trips and how it recovers."""

    mode: Literal["adaptive", "consecutive"] = "adaptive"
    """`adaptive` learns what is normal here; `consecutive` counts failures in a row."""
    false_trip_every: Annotated[int, Field(ge=100, le=1_000_000)] = 500
    """Healthy reviews per false trip, at least."""
    stakes: Literal["low", "normal", "high"] = "normal"
    """What a missed bad review costs: low doubles that number, high quarters it."""
    recovery: Recovery = Recovery()
    failure_threshold: Annotated[int, Field(ge=1, le=100)] = 5
    """For `mode: consecutive`: failures in a row that trip."""
    recovery_timeout: Seconds = 60.0
    """For `mode: consecutive`: the open period, always the same."""
    success_threshold: Annotated[int, Field(ge=1, le=100)] = 3
    """For `mode: consecutive`: clean probes in a row that close."""


class FuseSection(Section):
    """The hard limits of one review."""

    tokens: Annotated[int, Field(ge=1_000, le=100_000_000)] = 200_000
    """Tokens of all model calls of one review, projected before each call."""
    cost_usd: Usd = 2.0
    """Dollars of all model calls of one review, projected before each call."""
    deadline: Seconds = 600.0
    """Wall clock of the agent's part of one review."""
    repeats: Annotated[int, Field(ge=2, le=8)] = 3
    """Equal actions in a window of eight that end the review."""
    entropy_floor: Share = 0.25
    """Normalised entropy of the last five actions, at least."""
    drift_limit: Share = 0.85
    """Share of cited paths, lines and names that do not exist, at most."""
    confidence_floor: Share = 0.60
    """Mean confidence under which a review counts as a soft failure."""
    step: Seconds = 60.0
    """What one action is expected to take, at most; slower ones are noted."""
    reasoning_tokens: Annotated[int, Field(ge=100, le=10_000_000)] = 8_000
    """Tokens of thinking for one action, at most, before it is noted."""
    repairs: Annotated[int, Field(ge=1, le=20)] = 3
    """Attempts to repair one artifact before a human gets it."""
    tools: tuple[str, ...] = ("read_file", "search", "list_files", "propose_change")
    """The tools an agent may call; all others are refused."""


class BudgetSection(Section):
    """Money, rounds and runs beyond one review."""

    rounds: Annotated[int, Field(ge=1, le=1_000)] = 3
    """Agent review, then agent push, per pull request. Not acted on yet."""
    per_pr_usd: Usd = 5.0
    """Dollars per pull request."""
    per_month_usd: Usd = 200.0
    """Dollars per repository and calendar month; beyond it the agent stays out."""
    runs_per_hour: Count = 20
    """Agent runs per repository and hour."""


class GuardrailSection(Section):
    """What blocks a change."""

    block: Literal["low", "medium", "high", "critical"] = "high"
    """The lowest severity that blocks."""
    protected: tuple[str, ...] = DEFAULT_PROTECTED
    """Globs no agent may change; a human's change escalates. This file always is."""
    shrink_floor: Share = 0.85
    """Share of its words that a file of 1000 words or more must keep."""
    lanes: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Path glob -> terms that must not enter or leave."""


class FallbackSection(Section):
    """What looks at a change when the agent may not."""

    linters: Literal["auto"] | tuple[str, ...] = "auto"
    """`auto` picks by language; a list names them."""


class EscalationSection(Section):
    """How a human is called."""

    label: Annotated[str, Field(min_length=1, max_length=50)] = "needs-human-review"
    """The label that calls a human."""
    reviewers: Literal["codeowners", "none"] | tuple[str, ...] = "codeowners"
    """Who is asked: `codeowners`, `none`, or users and org/teams. Not acted on yet."""


class RepositoryConfig(Section):
    """The whole of ``.github/recloser.yml``."""

    enforcement: Enforcement = Enforcement.ENFORCE
    """`enforce` may hold up a merge; `advise` only tells."""
    agent: AgentSection = AgentSection()
    breaker: BreakerSection = BreakerSection()
    fuse: FuseSection = FuseSection()
    budget: BudgetSection = BudgetSection()
    guardrails: GuardrailSection = GuardrailSection()
    fallback: FallbackSection = FallbackSection()
    escalation: EscalationSection = EscalationSection()
