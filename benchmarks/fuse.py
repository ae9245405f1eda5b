"""Claim: every detector together judges one action in well under 60 microseconds.

``python -m benchmarks.fuse --json``. All sides are asked in turn in one run, about
actions that no detector objects to (the common case, and the one in which all of
them are asked), behind a history of 200 actions. ``median_us`` and ``p99_us`` are
those of the kind of action that costs most. ``same_three_median_us`` is our fuse with
allow-list, structural loop and budget alone, side by side with ``agentbrake``, which
has these three; ``breakerbox`` runs its loop detector, ``pybreaker`` an empty call.
``bytes_per_circuit`` counts every object that a circuit keeps alive in memory.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from itertools import count

import agentbrake
import pybreaker
from breakerbox.loopdetect import LoopDetector
from pydantic import TypeAdapter

from app.breaker import (
    DETECTORS,
    Action,
    Circuit,
    CircuitRules,
    Delegation,
    Fuse,
    Ground,
    Limits,
    ModelCall,
    Outcome,
    Permit,
    Proposal,
    Publication,
    Settlement,
    ToolCall,
    record,
)

HISTORY = 200
ROUNDS = 40
BATCH = 50
THREE = ("allow-list", "budget", "structural-loop")
NAMES = ("parse", "render", "charge", "refund", "token", "session", "retry", "queue")
LIMITS = Limits(tokens=10**9, cost_usd=10**6, deadline=10**6)
REMARK = (
    "`{name}_{n}` in src/{name}.py:{line} does not check that the amount is positive; "
    "a caller in src/api/{name}.py may pass what the user typed. Consider a guard "
    "before the value reaches the ledger, and a test beside tests/test_{name}.py."
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--full", action="store_true", help="ten times as many rounds")
    options = parser.parse_args()
    found = measure(ROUNDS * (10 if options.full else 1))
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:28} {value}")


def measure(rounds: int) -> dict[str, object]:
    """Return the figures: microseconds and bytes."""
    three = tuple(each for each in DETECTORS if each.name in THREE)
    assert len(three) == len(THREE)
    seconds: dict[str, list[float]] = {}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for kind in KINDS:
                seconds.setdefault(kind, []).extend(_fuse(DETECTORS, kind))
            seconds.setdefault("three", []).extend(_fuse(three, "tool"))
            seconds.setdefault("agentbrake", []).extend(_agentbrake())
            seconds.setdefault("breakerbox", []).extend(_breakerbox())
            seconds.setdefault("pybreaker", []).extend(_pybreaker())
            gc.collect()
    finally:
        gc.enable()
    medians = {name: _us(statistics.median(each)) for name, each in seconds.items()}
    p99 = {kind: _us(_quantile(seconds[kind], 0.99)) for kind in KINDS}
    return {
        "median_us": max(medians[kind] for kind in KINDS),
        "p99_us": max(p99.values()),
        "same_three_median_us": medians["three"],
        "agentbrake_median_us": medians["agentbrake"],
        "breakerbox_loop_median_us": medians["breakerbox"],
        "pybreaker_median_us": medians["pybreaker"],
        "bytes_per_circuit": bytes_of(told_circuit(), set()),
        "json_bytes_per_circuit": len(TypeAdapter(Circuit).dump_json(told_circuit())),
        "median_us_by_kind": {kind: medians[kind] for kind in KINDS},
        "p99_us_by_kind": p99,
        "detectors": [each.name for each in DETECTORS],
        "history": HISTORY,
        "samples_by_kind": len(seconds["tool"]),
    }


def actions(kind: str) -> Iterator[Action]:
    """Yield ordinary actions of one kind, none like another."""
    for n in count():
        name = NAMES[n % len(NAMES)]
        yield KINDS[kind](n, name)


def _tool(n: int, name: str) -> Action:
    arguments = {"end": n * 40 + 39, "path": f"src/{name}_{n}.py", "start": n * 40}
    return ToolCall(tool="read_file", arguments=arguments)


def _model(n: int, name: str) -> Action:
    return ModelCall(
        model="m",
        prompt_tokens=900 + n % 7,
        max_output_tokens=100,
        projected_usd=0.001,
        digest=f"{name}-{n}",
    )


def _proposal(n: int, name: str) -> Action:
    return Proposal(
        path=f"src/{name}.py",
        start_line=1 + n % 300,
        end_line=1 + n % 300,
        replacement=f"    if amount <= {n}:\n        raise ValueError(amount)\n",
        reason=f"`charge` in src/{name}.py takes what is negative ({n})",
    )


def _publication(n: int, name: str) -> Action:
    body = REMARK.format(name=name, n=n, line=1 + n % 300)
    return Publication(body=body, path=f"src/{name}.py", line=1 + n % 300)


def _delegation(n: int, name: str) -> Action:
    return Delegation(
        source="reviewer",
        target=f"expert-{n % 9}",
        intent=f"check {name}_{n} in src/{name}.py lines {n}-{n + 40} for overflow",
    )


KINDS: dict[str, Callable[[int, str], Action]] = {
    "tool": _tool,
    "model": _model,
    "proposal": _proposal,
    "publication": _publication,
    "delegation": _delegation,
}


def ground() -> Ground:
    """Return a ground in which most of what is cited exists."""
    lines = {f"src/{name}.py": 400 for name in NAMES}
    lines |= {f"src/api/{name}.py": 0 for name in NAMES}
    names = frozenset(f"{name}_{n}" for name in NAMES for n in range(1_000))
    return Ground(lines=lines, identifiers=names | {"charge"})


def _fuse(detectors: tuple[object, ...], kind: str) -> list[float]:
    fuse = Fuse(LIMITS, detectors, ground=ground())  # type: ignore[arg-type]
    mixed = [actions(each) for each in KINDS]
    for n in range(HISTORY):
        _happens(fuse, next(mixed[n % len(mixed)]), n)
    wanted = actions(kind)
    for _ in range(HISTORY):  # none that was seen already
        next(wanted)
    taken = list[float]()
    for n in range(BATCH):
        action = next(wanted)
        before = time.perf_counter()
        ruling = fuse.judge(action, float(HISTORY + n))
        assert isinstance(ruling, Permit), ruling
        fuse.settle(ruling, Settlement(tokens=900, result_digest=str(n), seconds=0.1))
        taken.append(time.perf_counter() - before)
    return taken


def _happens(fuse: Fuse, action: Action, n: int) -> None:
    ruling = fuse.judge(action, float(n))
    assert isinstance(ruling, Permit), ruling
    fuse.settle(ruling, Settlement(tokens=900, result_digest=str(n), seconds=0.1))


def _agentbrake() -> list[float]:
    agentbrake.init(allowed_tools=list(Limits().tools), budget_usd=1e9)
    dispatch = agentbrake.guard()(lambda name, args: None)
    calls = [each.arguments for each in _taken("tool", HISTORY + BATCH)]
    for arguments in calls[:HISTORY]:
        dispatch("read_file", arguments)
    return [
        _timed(lambda arguments=arguments: dispatch("read_file", arguments))
        for arguments in calls[HISTORY:]
    ]


def _breakerbox() -> list[float]:
    detector = LoopDetector()
    texts = [json.dumps(each.arguments) for each in _taken("tool", HISTORY + BATCH)]
    for text in texts[:HISTORY]:
        detector.observe("read_file", text)
    return [
        _timed(lambda text=text: detector.observe("read_file", text))
        for text in texts[HISTORY:]
    ]


def _pybreaker() -> list[float]:
    breaker = pybreaker.CircuitBreaker()
    return [_timed(lambda: breaker.call(int)) for _ in range(BATCH)]


def _taken(kind: str, number: int) -> list[ToolCall]:
    found = [each for each, _ in zip(actions(kind), range(number), strict=False)]
    return [each for each in found if isinstance(each, ToolCall)]


def _timed(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def told_circuit() -> Circuit:
    """Return a circuit that has heard 2000 outcomes of every sort."""
    draw = random.Random(1)
    now = datetime(2026, 1, 5, tzinfo=UTC)
    circuit = Circuit()
    for n in range(2_000):
        outcome = Outcome(
            review_id=f"owner/repository#{n}@{n:040x}#1",
            generation=circuit.generation,
            reason="reviewed",
            hard=float(draw.random() < 0.05),
            soft=float(draw.random() < 0.05),
            confidence=draw.random(),
            lines=draw.randrange(900),
        )
        rules = CircuitRules(false_trip_every=1_000_000.0)
        circuit = record(circuit, outcome, now=now, rules=rules, jitter=0.5).circuit
    return circuit


def bytes_of(value: object, seen: set[int]) -> int:
    """Return the bytes of a value and of everything that it refers to, once each."""
    if id(value) in seen or value is None or isinstance(value, type):
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    if is_dataclass(value):
        return size + sum(
            bytes_of(getattr(value, each.name), seen) for each in fields(value)
        )
    if isinstance(value, tuple):
        return size + sum(bytes_of(each, seen) for each in value)
    return size


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _us(seconds: float) -> float:
    return round(seconds * 1e6, 2)


if __name__ == "__main__":
    main()
