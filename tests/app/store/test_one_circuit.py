"""Two processes on one circuit: a thousand outcomes and probes, none of them lost."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Barrier

from sqlalchemy import Engine, select

from app.breaker import (
    Admission,
    CircuitRules,
    Outcome,
    State,
    admit,
    record,
)
from app.breaker.machine import learn
from app.store.circuits import CircuitKey, CircuitStore
from app.store.database import open_database
from app.store.tables import outcomes
from tests.app.store.test_races import together

REVIEWS = 500  # of each of the two processes
KEY = CircuitKey(repository="o/r", agent="a")
RULES = CircuitRules(
    false_trip_every=100.0, first_open=0.001, longest_open=0.001, lease=60.0
)
SEEN = "probes"  # the file that only a running probe may have made


@dataclass(frozen=True, slots=True)
class Seen:
    """What one process saw."""

    told: tuple[str, ...]
    full: int
    probes: int
    denied: int
    crowded: int  # probes that met another one


def _reviews(url: str, barrier: Barrier, me: int, *, folder: Path) -> Seen:
    store = CircuitStore(open_database(url))
    draw = random.Random(me)
    count = dict.fromkeys(Admission, 0)
    told, crowded = list[str](), 0
    barrier.wait()
    for number in range(REVIEWS):
        review_id = f"{me}-{number}"
        now = datetime.now(UTC)
        ask = partial(admit, review_id=review_id, now=now, rules=RULES)
        asked = store.change(KEY, ask, now=now)
        count[asked.admission] += 1
        if asked.admission is Admission.DENIED:
            continue
        alone = folder / SEEN
        if asked.admission is Admission.PROBE:
            try:
                alone.touch(exist_ok=False)
            except FileExistsError:
                crowded += 1
        outcome = Outcome(
            review_id=review_id,
            generation=asked.circuit.generation,
            reason="failed",
            # Sick half of the time, so that it trips and recovers again and again.
            hard=float(number // 10 % 2 == 0 and draw.random() < 0.8),
        )
        if asked.admission is Admission.PROBE:
            store.get(KEY)  # a probe takes its time
            alone.unlink(missing_ok=True)
        now = datetime.now(UTC)
        tell = partial(record, outcome=outcome, now=now, rules=RULES, jitter=0.0)
        store.tell(KEY, outcome, tell, now=now)
        told.append(review_id)
    return Seen(
        told=tuple(told),
        full=count[Admission.FULL],
        probes=count[Admission.PROBE],
        denied=count[Admission.DENIED],
        crowded=crowded,
    )


def test_a_thousand_reviews_of_two_processes_never_probe_at_once_and_lose_nothing(
    database: Engine, database_url: str, tmp_path: Path
) -> None:
    """The circuit is what its rows make of it, told one after the other."""
    both = together(2, partial(_reviews, folder=tmp_path), database_url)

    assert sum(each.full + each.probes + each.denied for each in both) == 2 * REVIEWS
    assert sum(each.crowded for each in both) == 0
    assert sum(each.probes for each in both) >= 10  # or nothing is shown
    store = CircuitStore(database)
    circuit = store.get(KEY)
    history = store.transitions(KEY)
    assert [each.generation for each in history] == list(range(1, len(history) + 1))
    assert circuit.generation == len(history)
    with database.begin() as connection:
        rows = connection.execute(select(outcomes).order_by(outcomes.c.seq)).all()
    assert sorted(row.review_id for row in rows) == sorted(
        each for one in both for each in one.told
    )
    if circuit.state is not State.CLOSED:
        assert circuit.monitor == circuit.origin
        return
    replayed = replace(circuit, monitor=circuit.origin, recent=(), streak=0)
    for row in rows:
        if row.generation == circuit.generation:
            outcome = Outcome(
                review_id=row.review_id,
                generation=row.generation,
                reason=row.reason,
                hard=row.hard,
            )
            replayed = learn(replayed, outcome)
    assert replayed == circuit
