"""Circuits are shared by processes, and nothing told is lost or told twice."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest
from sqlalchemy import Engine

from app.breaker import Admission, Circuit, Outcome, State, Step, admit, force, record
from app.store.circuits import CircuitKey, CircuitStore
from app.store.database import open_database
from tests.app.breaker.builders import NOON, RULES, later, outcome

KEY = CircuitKey(repository="o/r", agent="builtin")


@pytest.fixture
def store(database: Engine) -> CircuitStore:
    """Return a store on a new database."""
    return CircuitStore(database)


def tell(store: CircuitStore, told: Outcome) -> Step:
    """Tell the store an outcome."""
    step = partial(record, outcome=told, now=NOON, rules=RULES, jitter=0.0)
    return store.tell(KEY, told, step, now=NOON)


def test_an_unknown_circuit_is_a_new_one(store: CircuitStore) -> None:
    """A repository that was never seen is closed."""
    assert Circuit() == store.get(KEY)


def test_an_outcome_told_twice_counts_once(store: CircuitStore) -> None:
    """A step that ran again after a crash changes nothing."""
    told = outcome(Circuit(), hard=1.0)
    tell(store, told)
    once = store.get(KEY)
    tell(store, told)

    assert once == store.get(KEY)
    assert once.recent == (1.0,)


def test_every_transition_is_kept(store: CircuitStore) -> None:
    """Time, reason, reading and actor of each change can be read back."""
    tell(store, outcome(Circuit(), hard=1.0, fatal=True, reason="harm"))
    resume = partial(force, state=State.CLOSED, actor="kim", why="fixed", now=later(9))
    store.change(KEY, resume, now=later(9))

    first, second = store.transitions(KEY)

    assert (
        first.source,
        first.target,
        first.reason,
        first.at,
    ) == (State.CLOSED, State.OPEN, "harm", NOON)
    assert (
        second.source,
        second.target,
        second.actor,
        second.generation,
    ) == (State.OPEN, State.CLOSED, "kim", 2)


def _tell_hundred(url: str, name: str) -> None:
    store = CircuitStore(open_database(url))
    for number in range(100):
        tell(store, outcome(Circuit(), review_id=f"{name}-{number}"))


def _ask_for_probe(url: str, name: str) -> list[str]:
    store = CircuitStore(open_database(url))
    ask = partial(admit, review_id=name, now=later(400), rules=RULES)
    return [store.change(KEY, ask, now=later(400)).admission.value for _ in range(20)]


def test_two_processes_lose_no_outcome(store: CircuitStore, database_url: str) -> None:
    """Two hundred outcomes from two processes are two hundred learned reviews."""
    with _processes() as pool:
        list(pool.map(_tell_hundred, [database_url] * 2, ["a", "b"]))

    alone = Circuit()
    for _ in range(200):
        told = outcome(alone)
        step = record(alone, told, now=NOON, rules=RULES, jitter=0.0)
        alone = step.circuit
    assert alone == store.get(KEY)


def test_two_processes_never_probe_at_once(
    store: CircuitStore, database_url: str
) -> None:
    """Of two that ask again and again, only one ever holds the lease."""
    tell(store, outcome(Circuit(), hard=1.0, fatal=True))

    with _processes() as pool:
        answers = list(pool.map(_ask_for_probe, [database_url] * 2, ["a", "b"]))

    winners = [each for each in answers if Admission.PROBE.value in each]
    assert len(winners) == 1
    assert {Admission.PROBE.value} == set(winners[0])


def _processes() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(2, mp_context=context)
