"""Gates for tests: they keep what was asked, and refuse what they are told to."""

from __future__ import annotations

from collections.abc import Callable

from app.agents.base import Refused
from app.breaker.actions import (
    Action,
    ModelCall,
    Objection,
    Permit,
    Refusal,
    Ruling,
    Settlement,
    ToolCall,
    digest,
)

Rule = Callable[[Action, "KeepingGate"], Objection | None]


class KeepingGate:
    """Asks its rules in order; after a final refusal it refuses everything."""

    def __init__(self, *rules: Rule) -> None:
        self.asked: list[Action] = []
        self.happened: list[Action] = []
        self.refused: list[Action] = []
        self.settled: dict[int, Settlement] = {}
        self.blown: Objection | None = None
        self._rules = rules

    @property
    def is_blown(self) -> bool:
        return self.blown is not None

    def judge(self, action: Action) -> Ruling:
        self.asked.append(action)
        if self.blown is not None:
            self.refused.append(action)
            return Refusal(objection=self.blown, is_final=True)
        for rule in self._rules:
            objection = rule(action, self)
            if objection is None:
                continue
            self.refused.append(action)
            is_final = not objection.refuses_only
            if is_final:
                self.blown = objection
            return Refusal(objection=objection, is_final=is_final)
        self.happened.append(action)
        return Permit(number=len(self.happened) - 1)

    def demand(self, action: Action) -> Permit:
        ruling = self.judge(action)
        if isinstance(ruling, Refusal):
            raise Refused(ruling.objection.reason, is_final=ruling.is_final)
        return ruling

    def settle(self, permit: Permit, settlement: Settlement) -> None:
        assert permit.number not in self.settled, "settled twice"
        self.settled[permit.number] = settlement

    def of(self, kind: type[Action]) -> list[Action]:
        """Return what happened of one kind."""
        return [each for each in self.happened if isinstance(each, kind)]

    @property
    def all_settled(self) -> bool:
        """Tell whether each permit was settled."""
        return set(self.settled) == set(range(len(self.happened)))

    @property
    def tokens(self) -> int:
        """Return the settled tokens."""
        return sum(each.tokens for each in self.settled.values())


def most_tokens(limit: int) -> Rule:
    """Refuse a model call that could cross ``limit``."""

    def rule(action: Action, gate: KeepingGate) -> Objection | None:
        if not isinstance(action, ModelCall):
            return None
        wanted = gate.tokens + action.prompt_tokens + action.max_output_tokens
        if wanted <= limit:
            return None
        return Objection(detector="budget", reason=f"{wanted} tokens, {limit} allowed")

    return rule


def most_equal_calls(limit: int) -> Rule:
    """Refuse the tool call that would be the ``limit + 1``-th equal one."""

    def rule(action: Action, gate: KeepingGate) -> Objection | None:
        if not isinstance(action, ToolCall):
            return None
        mark = digest([action.tool, action.arguments])
        calls = [each for each in gate.happened if isinstance(each, ToolCall)]
        equal = sum(digest([each.tool, each.arguments]) == mark for each in calls)
        if equal < limit:
            return None
        return Objection(detector="loop", reason=f"the same call {equal + 1} times")

    return rule


def refusing(
    kind: type[Action], reason: str = "not now", *, final: bool = True
) -> Rule:
    """Refuse every action of one kind."""

    def rule(action: Action, _: KeepingGate) -> Objection | None:
        if not isinstance(action, kind):
            return None
        return Objection(detector="test", reason=reason, refuses_only=not final)

    return rule


def only_tools(*tools: str) -> Rule:
    """Refuse for good every tool that is not listed."""

    def rule(action: Action, _: KeepingGate) -> Objection | None:
        if not isinstance(action, ToolCall) or action.tool in tools:
            return None
        return Objection(detector="allow-list", reason=f"{action.tool} is not listed")

    return rule
