"""Where the built-in agent meets its gate: around its tools.

Guarantees: no tool runs and no proposal is taken without a permit, and every permit is
settled with a digest of the result. A final refusal raises Refused, which ends the run:
it is no tool error that the model could try again. Any other refusal is told to the
model as the failure of its call.

Imported when a built-in agent runs and not before: it takes more than a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from app.agents.base import Gate, Refused
from app.agents.tools import PROPOSING_TOOL, ToolProblem, proposal_of
from app.breaker.actions import (
    Action,
    Permit,
    Proposal,
    Settlement,
    ToolCall,
    digest,
)


@dataclass
class GatedToolset(WrapperToolset[None]):
    """Tools that ask the gate before each call; ``taken``: the proposals it let by."""

    gate: Gate
    taken: list[Proposal]

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[None],
        tool: ToolsetTool[None],
    ) -> Any:
        """Call the tool, once the gate permits it."""
        permit = self._demand(ToolCall(tool=name, arguments=tool_args))
        result = "fault"
        try:
            if name == PROPOSING_TOOL:
                result = self._propose(tool_args)
            else:
                result = await self.wrapped.call_tool(name, tool_args, ctx, tool)
        except ToolFailed as failed:
            result = failed.message
            raise
        finally:
            self.gate.settle(permit, Settlement(result_digest=digest(result)))
        return result

    def _propose(self, arguments: dict[str, Any]) -> str:
        try:
            proposal = proposal_of(arguments)
        except ToolProblem as problem:
            raise ToolFailed(str(problem)) from problem
        permit = self._demand(proposal)
        self.gate.settle(permit, Settlement())
        self.taken.append(proposal)
        return "taken: it will be suggested to the author"

    def _demand(self, action: Action) -> Permit:
        ruling = self.gate.judge(action)
        if isinstance(ruling, Permit):
            return ruling
        if ruling.is_final:
            raise Refused(ruling.objection.reason, is_final=True)
        raise ToolFailed(f"refused: {ruling.objection.reason}")
