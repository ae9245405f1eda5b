"""The five things an agent can want to do, and what it may be told. Pure.

Every Action is judged before it happens. A Permit lets it happen and is settled
with what it really cost; a Refusal says why it must not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A request to a model. Tokens and dollars are projected, never hoped for.

    ``max_output_tokens`` is the cap of the request, or the model's own maximum
    where the request sets none.
    """

    model: str
    prompt_tokens: int
    max_output_tokens: int
    projected_usd: float = 0.0
    digest: str = ""  # of the normalised messages; equal means the same request


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool with its arguments."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change to one file: replace ``start_line..end_line`` (head side, from 1).

    ``expected`` is what the agent believes stands there; a proposal whose
    expectation does not hold is not applied. ``end_line = start_line - 1``
    inserts before ``start_line``.
    """

    path: str
    start_line: int
    end_line: int
    replacement: str
    reason: str
    expected: str | None = None
    severity: str = "medium"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Work handed to another agent."""

    source: str
    target: str
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """Words for people: a remark on a line, or (``path`` empty) the summary."""

    body: str
    path: str = ""
    line: int = 0
    severity: str = "low"
    confidence: float = 1.0


Action = ModelCall | ToolCall | Proposal | Delegation | Publication


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """The action may happen; settle it with a Settlement afterwards."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What a detector has against an action.

    ``hard`` blows the fuse and counts fully against the agent; ``fatal`` trips
    the circuit at once; a soft objection lets the action happen and is noted.
    ``refuses_only`` refuses this action and lets the review go on.
    """

    detector: str
    reason: str
    hard: bool = True
    fatal: bool = False
    refuses_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The action must not happen. When ``is_final`` the review is over."""

    objection: Objection
    is_final: bool


Ruling = Permit | Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What a permitted action really did: its cost and a digest of its result.

    ``wrote`` says that it changed something (a file, a branch), after which the same
    question may well have another answer.
    """

    tokens: int = 0
    reasoning_tokens: int = 0  # of those, spent on thinking
    wrote: bool = False
    cost_usd: float = 0.0
    result_digest: str = ""
    seconds: float = 0.0


def digest(value: object) -> str:
    """Return a short digest of any JSON-like value; the order of keys is nothing."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=12
    ).hexdigest()
