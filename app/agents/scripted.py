"""An agent that plays a scenario: for the demo, for tests, for trying a config.

No model is asked and no network is used. Every step asks the gate first, as with
any agent, and tools that only read really run. After a final refusal it stops,
unless the act is ``stubborn``: then it tries everything, and the gate must hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import assert_never

from app.agents.base import Gate, Report, Task
from app.agents.scenario import (
    Act,
    CallModel,
    CallTool,
    Delegate,
    Fail,
    Propose,
    Publish,
    Repeat,
    Scenario,
    Step,
    Wait,
)
from app.agents.scenario_file import ScenarioError, parse_scenario
from app.agents.tools import READING_TOOLS, ToolProblem, TreeTools
from app.breaker.actions import (
    Action,
    Delegation,
    ModelCall,
    Permit,
    Proposal,
    Publication,
    Settlement,
    ToolCall,
    digest,
)

MOST_BYTES = 1_000_000

Doing = CallModel | CallTool | Propose | Publish | Delegate


class ScriptedCrash(RuntimeError):
    """The scenario wanted the agent to crash."""


def read_scenario(path: Path) -> Scenario:
    """Return the scenario in the file at ``path``.

    Raises:
        ScenarioError: there is none, or it cannot be read.
    """
    try:
        raw = path.read_bytes()
        if len(raw) > MOST_BYTES:
            raise ScenarioError(f"{path}: more than {MOST_BYTES:,} bytes")
        return parse_scenario(raw.decode("utf-8"), source=str(path))
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{path}: it is not UTF-8") from error


class ScriptedAgent:
    """Plays a scenario; counts its reviews, so that acts can tell them apart."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        name: str = "scripted",
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._scenario = scenario
        self._name = name
        self._sleep = sleep
        self._reviews = 0

    @property
    def name(self) -> str:
        """Return the name that keys the circuit."""
        return self._name

    async def review(
        self, task: Task, gate: Gate, progress: Callable[[str], None]
    ) -> Report:
        """Play the act for this review."""
        self._reviews += 1
        act = self._scenario.act_for(task, self._reviews)
        if act is None:
            return Report(
                did_review=False,
                is_infrastructure=True,
                failure=f"{self._scenario.source} has no act for this review",
            )
        return await _Play(act, task, gate, progress, self._sleep).run()


class _Play:
    """One review: an act, its gate, and what was wanted so far."""

    def __init__(
        self,
        act: Act,
        task: Task,
        gate: Gate,
        progress: Callable[[str], None],
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self._act = act
        self._gate = gate
        self._progress = progress
        self._sleep = sleep
        self._tools = TreeTools(task.tree, task.scope)
        self._publications: list[Publication] = []
        self._proposals: list[Proposal] = []

    async def run(self) -> Report:
        for step in _flat(self._act.steps):
            if isinstance(step, Fail):
                return self._failed(step)
            if isinstance(step, Wait):
                self._progress(f"waits {step.seconds:.0f} s")
                await self._sleep(step.seconds)
                continue
            ended = self._do(step)
            if ended is not None and not self._act.stubborn:
                return self._report(failure=ended)
            await self._sleep(0)  # let whoever runs us look at the clock
        did_something = self._act.summary or self._publications or self._proposals
        if not did_something:  # B29
            return self._report(failure="the agent ended without a review")
        return self._report()

    def _do(self, step: Doing) -> str | None:
        """Take one step through the gate; return why the review is over, if it is."""
        action = _action(step)
        self._progress(_words(step))
        if isinstance(action, Publication):
            self._publications.append(action)
        elif isinstance(action, Proposal):
            self._proposals.append(action)
        ruling = self._gate.judge(action)
        if not isinstance(ruling, Permit):
            return ruling.objection.reason if ruling.is_final else None
        self._gate.settle(ruling, self._settlement(step))
        return None

    def _settlement(self, step: Doing) -> Settlement:
        if isinstance(step, CallModel):
            tokens = step.prompt_tokens + step.output_tokens
            return Settlement(tokens=tokens, cost_usd=step.usd)
        if isinstance(step, CallTool) and step.tool in READING_TOOLS:
            try:
                result = self._tools.run(step.tool, step.arguments)
            except ToolProblem as problem:
                result = str(problem)
            return Settlement(result_digest=digest(result))
        return Settlement()

    def _failed(self, step: Fail) -> Report:
        match step.kind:
            case "crash":
                raise ScriptedCrash("the scenario says so")
            case "empty":
                return Report(
                    did_review=False, failure="the agent ended without a review"
                )
            case "infrastructure":
                return Report(
                    did_review=False,
                    is_infrastructure=True,
                    failure="the model's provider did not answer",
                )
            case _:
                assert_never(step.kind)

    def _report(self, failure: str = "") -> Report:
        return Report(
            summary=self._act.summary,
            publications=tuple(self._publications),
            proposals=tuple(self._proposals),
            confidence=self._act.confidence,
            did_review=not failure,
            failure=failure,
        )


def _flat(steps: tuple[Step, ...]) -> Iterator[Doing | Wait | Fail]:
    """Yield the steps with every ``repeat`` played out, one at a time."""
    for step in steps:
        if isinstance(step, Repeat):
            for _ in range(step.times):
                yield from _flat(step.steps)
        else:
            yield step


def _action(step: Doing) -> Action:
    match step:
        case CallModel():
            most = step.max_output_tokens
            return ModelCall(
                model=step.model,
                prompt_tokens=step.prompt_tokens,
                max_output_tokens=step.output_tokens if most is None else most,
                projected_usd=step.usd,
                digest=digest(step.prompt) if step.prompt else "",
            )
        case CallTool():
            return ToolCall(tool=step.tool, arguments=step.arguments)
        case Propose():
            return Proposal(**step.model_dump())
        case Publish():
            return Publication(**step.model_dump())
        case Delegate():
            return Delegation(**step.model_dump())
        case _:
            assert_never(step)


def _words(step: Doing) -> str:
    match step:
        case CallModel():
            return f"asks {step.model}"
        case CallTool():
            return f"calls {step.tool}"
        case Propose():
            return f"proposes a change to {step.path}"
        case Publish():
            return f"remarks on {step.path or 'the change'}"
        case Delegate():
            return f"hands work to {step.target}"
        case _:
            assert_never(step)
