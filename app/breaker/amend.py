"""Late evidence: people judge a review days after it ended. Pure.

A suggestion that was committed, a review that was dismissed, a pull request that was
reverted: each is a better word on a review than the one that its circuit was told.
The outcomes of the circuit's generation are told once more, in order, with the better
word in its place; the circuit is then as if it had been told right the first time.
An outcome of an earlier generation changes nothing but the records: that judgement
was made, and what followed was a new beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from app.breaker.circuit import Circuit, Outcome, State, Step
from app.breaker.machine import learn, trip_reason
from app.breaker.moves import open_circuit
from app.breaker.rules import CircuitRules


def amend(
    circuit: Circuit,
    outcomes: Iterable[Outcome],
    *,
    now: datetime,
    rules: CircuitRules,
    jitter: float,
) -> Step:
    """Tell a closed circuit all outcomes of its generation once more.

    Args:
        circuit: the circuit as it is now.
        outcomes: every outcome of its generation, oldest first, as amended.
        now: the current time.
        rules: thresholds and periods.
        jitter: a draw from [0, 1) for the open period.

    Returns:
        The circuit as it would be now; opened when the amended evidence is enough.
    """
    if circuit.state is not State.CLOSED:
        return Step(circuit=circuit)
    after = replace(circuit, monitor=circuit.origin, recent=(), streak=0)
    before = after
    for outcome in outcomes:
        if outcome.counts and outcome.generation == circuit.generation:
            before, after = after, learn(after, outcome)
    why = trip_reason(after, before, rules)
    if why is None:
        return Step(circuit=after)
    return open_circuit(after, why, now, rules, jitter, attempt=1)
