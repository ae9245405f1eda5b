"""Say in one sentence how a circuit stands and what comes next. Pure."""

from __future__ import annotations

from app.breaker.circuit import ADMITTING, Circuit, State
from app.breaker.rules import CircuitRules


def vouches(state: State) -> bool:
    """Tell whether the word of an agent under this state can make a check green."""
    return state in ADMITTING


def state_sentence(circuit: Circuit, rules: CircuitRules) -> str:
    """Say how the circuit stands and what comes next."""
    match circuit.state:
        case State.CLOSED:
            return "The circuit is closed."
        case State.OPEN:
            until = circuit.open_until
            when = f" It is tested again after {until:%H:%M:%S} UTC." if until else ""
            return f"The circuit is open: {_bare(circuit.reason)}.{when}"
        case State.HALF_OPEN:
            left = circuit.test.clean_probes_left(rules)
            return f"The circuit is half-open: {left} clean probes to go."
        case State.FORCED_OPEN | State.FORCED_CLOSED | State.DISABLED:
            who = circuit.override.actor if circuit.override else "somebody"
            word = circuit.state.value.replace("_", " ")
            return f"The circuit is {word} by {who}: {_bare(circuit.reason)}."


def _bare(sentence: str) -> str:
    return sentence.rstrip(". ")
