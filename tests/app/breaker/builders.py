"""Builders: say what matters, the rest is ordinary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.breaker import (
    Circuit,
    CircuitRules,
    ModelCall,
    Outcome,
    State,
    Step,
    ToolCall,
    admit,
    record,
)

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
RULES = CircuitRules()


def later(seconds: float) -> datetime:
    """Return noon plus some seconds."""
    return NOON + timedelta(seconds=seconds)


def outcome(circuit: Circuit, review_id: str = "r", **changes: object) -> Outcome:
    """Return a clean outcome of the circuit's own generation."""
    values: dict[str, object] = {
        "review_id": review_id,
        "generation": circuit.generation,
        "reason": "reviewed",
    }
    return Outcome(**(values | changes))  # type: ignore[arg-type]  # test builder


def told(circuit: Circuit, *, at: float = 0.0, **changes: object) -> Step:
    """Tell the circuit one outcome, without jitter."""
    return record(
        circuit, outcome(circuit, **changes), now=later(at), rules=RULES, jitter=0.0
    )


def failed(circuit: Circuit, times: int = 1) -> Circuit:
    """Tell the circuit failures until it trips or ``times`` is reached."""
    for _ in range(times):
        if circuit.state is not State.CLOSED:
            break
        circuit = told(circuit, hard=1.0, reason="failed").circuit
    return circuit


def tripped() -> Circuit:
    """Return a circuit that a fatal outcome has opened at noon."""
    return told(Circuit(), hard=1.0, fatal=True, reason="harm").circuit


def probing(circuit: Circuit, review_id: str, *, at: float) -> Step:
    """Ask for admission, late enough for a probe."""
    return admit(circuit, review_id=review_id, now=later(at), rules=RULES)


def tool(name: str = "read_file", **arguments: object) -> ToolCall:
    """Return a tool call."""
    return ToolCall(tool=name, arguments=arguments)


def model_call(prompt: int = 100, output: int = 100, usd: float = 0.0) -> ModelCall:
    """Return a model call that equals no other."""
    return ModelCall(
        model="m", prompt_tokens=prompt, max_output_tokens=output, projected_usd=usd
    )
