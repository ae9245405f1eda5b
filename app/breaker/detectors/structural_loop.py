"""Refuse the n-th structurally equal action in a window of eight.

Threat: an agent that asks the same thing for ever (measured with a model that
keeps answering the same: 645 identical calls in 25 s). Equal means the same kind,
name and arguments in any order; a result that changed in between does not count
as a loop, because re-running a test after an edit is work, not a loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import Objection
from app.breaker.fuse import Limits, Question
from app.breaker.history import History


@dataclass(frozen=True, slots=True)
class StructuralLoop:
    """The same action again and again."""

    name: str = "structural-loop"

    def inspect(
        self, question: Question, history: History, limits: Limits
    ) -> Objection | None:
        """Object when ``repeats - 1`` equal actions are in the window already."""
        if not question.signature:
            return None
        count = 1
        result: str | None = None
        for record in history.window():
            if record.signature != question.signature:
                continue
            if record.settlement is not None:
                if result is not None and record.settlement.result_digest != result:
                    break  # the world changed between the two: not a loop
                result = record.settlement.result_digest
            count += 1
        if count < limits.repeats:
            return None
        kind = question.signature.split(":", 2)[:2]
        reason = f"the same {' '.join(kind)[:80]} for the {_ordinal(count)} time"
        return Objection(detector=self.name, reason=reason)


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number in (11, 12, 13) else endings.get(number % 10, "th")
    return f"{number}{ending}"
