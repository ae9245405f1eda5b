"""Keep circuits: read, change by a pure function, compare and set.

Any number of processes share one circuit. A change that lost the race is made
again on the newer value; an outcome is kept in the same transaction under its
review's id, so telling it twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_random

from app.breaker import Circuit, Outcome, Step, Transition
from app.store.columns import storable
from app.store.tables import circuits, outcomes, transitions

_ADAPTER: TypeAdapter[Circuit] = TypeAdapter(Circuit)


class _Lost(Exception):
    """Another process changed the circuit in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitKey:
    """Which circuit: one agent on one repository."""

    repository: str
    agent: str

    def __str__(self) -> str:
        # As the columns hold them: a key that was read back is still the same.
        return ":".join(storable(each, 200) for each in (self.repository, self.agent))


class CircuitStore:
    """Circuits, their transitions and their outcomes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, key: CircuitKey) -> Circuit:
        """Return the circuit as it is now; a new one where there is none."""
        with self._engine.begin() as connection:
            return self._read(connection, key)[0]

    def change(
        self, key: CircuitKey, step: Callable[[Circuit], Step], *, now: datetime
    ) -> Step:
        """Change the circuit by ``step`` and return what that gave."""
        return self._retrying(lambda: self._change(key, step, now, None))

    def tell(
        self,
        key: CircuitKey,
        outcome: Outcome,
        step: Callable[[Circuit], Step],
        *,
        now: datetime,
    ) -> Step:
        """Keep ``outcome`` and change the circuit by it, once for each review."""
        return self._retrying(lambda: self._change(key, step, now, outcome))

    def transitions(self, key: CircuitKey) -> Sequence[Transition]:
        """Return every transition of the circuit, oldest first."""
        columns = [each for each in transitions.c if each.name not in ("id", "circuit")]
        query = select(*columns).where(transitions.c.circuit == str(key))
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(transitions.c.id)).mappings()
            adapter = TypeAdapter(Transition)
            return [adapter.validate_python(dict(row)) for row in rows]

    def all(self) -> Sequence[tuple[CircuitKey, Circuit]]:
        """Return all circuits, by repository."""
        query = select(circuits).order_by(circuits.c.repository)
        with self._engine.begin() as connection:
            return [
                (
                    CircuitKey(repository=row.repository, agent=row.agent),
                    _ADAPTER.validate_python(row.value),
                )
                for row in connection.execute(query)
            ]

    def _retrying(self, work: Callable[[], Step]) -> Step:
        retrying = Retrying(
            retry=retry_if_exception_type((_Lost, IntegrityError, OperationalError)),
            stop=stop_after_attempt(50),
            wait=wait_random(0, 0.05),
            reraise=True,
        )
        return retrying(work)

    def _change(
        self,
        key: CircuitKey,
        step: Callable[[Circuit], Step],
        now: datetime,
        outcome: Outcome | None,
    ) -> Step:
        with self._engine.begin() as connection:
            circuit, version = self._read(connection, key)
            if outcome is not None and self._was_told(connection, key, outcome, now):
                return Step(circuit=circuit)
            made = step(circuit)
            if made.circuit != circuit:
                self._write(connection, key, made.circuit, version, now)
            if made.transition is not None:
                row = asdict(made.transition) | {"circuit": str(key)}
                connection.execute(insert(transitions).values(**row))
            return made

    def _read(self, connection: Connection, key: CircuitKey) -> tuple[Circuit, int]:
        query = select(circuits.c.value, circuits.c.version)
        row = connection.execute(query.where(circuits.c.key == str(key))).first()
        if row is None:
            return Circuit(), 0
        return _ADAPTER.validate_python(row.value), row.version

    def _write(
        self,
        connection: Connection,
        key: CircuitKey,
        circuit: Circuit,
        version: int,
        now: datetime,
    ) -> None:
        values: dict[str, Any] = {
            "version": version + 1,
            "state": circuit.state.value,
            "value": _ADAPTER.dump_python(circuit, mode="json"),
            "updated_at": now,
        }
        if version == 0:
            identity = {"key": str(key), **asdict(key)}
            connection.execute(insert(circuits).values(**identity, **values))
            return
        mine = (circuits.c.key == str(key)) & (circuits.c.version == version)
        if connection.execute(update(circuits).where(mine).values(**values)).rowcount:
            return
        raise _Lost

    def _was_told(
        self, connection: Connection, key: CircuitKey, outcome: Outcome, now: datetime
    ) -> bool:
        query = select(outcomes.c.review_id)
        mine = outcomes.c.review_id == outcome.review_id
        if connection.execute(query.where(mine)).first() is not None:
            return True
        row = asdict(outcome)
        connection.execute(insert(outcomes).values(**row, circuit=str(key), at=now))
        return False
