"""What the local model server answers: a list of replies, the last one repeated."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call of the model."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer of the model: words, tool calls, and what it cost."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    prompt_tokens: int = 900
    output_tokens: int = 60
    finish: str | None = None
    counts: bool = True  # whether usage is told at all

    def message(self, number: int) -> dict[str, Any]:
        """Return the assistant's message in the shape of chat completions."""
        calls = [
            {
                "id": f"call_{number}_{at}",
                "type": "function",
                "function": {
                    "name": each.name,
                    "arguments": json.dumps(each.arguments),
                },
            }
            for at, each in enumerate(self.calls)
        ]
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if calls:
            message["tool_calls"] = calls
        return message

    @property
    def finish_reason(self) -> str:
        """Return why the model stopped."""
        return self.finish or ("tool_calls" if self.calls else "stop")

    @property
    def usage(self) -> dict[str, int]:
        """Return the tokens in the shape of chat completions."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.output_tokens,
            "total_tokens": self.prompt_tokens + self.output_tokens,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A provider that fails: a status, or a body that is no JSON."""

    status: int
    body: str = '{"error": {"message": "scripted", "type": "scripted", "code": null}}'
    headers: dict[str, str] = field(default_factory=dict)
    hangs: float = 0.0  # seconds before it answers


GARBAGE = Fault(status=200, body="<html>not what you asked for</html>")
NOT_A_COMPLETION = Fault(status=200, body='{"hello": "world"}')


def submit(**answer: Any) -> Reply:
    """Return the reply that hands in a review."""
    given = {"summary": "", "confidence": 0.9, "remarks": [], **answer}
    return Reply(calls=(Call(name="submit_review", arguments=given),))


def remark(**fields: Any) -> dict[str, Any]:
    """Return a remark of a review; line 1 of app.py unless told otherwise."""
    made = {
        "path": "app.py",
        "line": 1,
        "severity": "medium",
        "confidence": 0.9,
        "message": "This is wrong.",
        "evidence": "",
        "suggestion": None,
        **fields,
    }
    return {"end_line": made["line"], **made}
