"""Deliveries in PostgreSQL, shared by any number of machines.

One ``INSERT ... SELECT FROM unnest`` for a batch, with the bodies bound in binary:
as text each of them would be escaped and read back. A connection that broke is made
anew at its next use; the statement that found it broken is tried once more, which
is harmless, for a delivery id is stored once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.rows import dict_row

from app.errors import StoreError
from app.jobs.delivery import (
    MOST_PENDING_BYTES,
    Delivery,
    DeliveryState,
    Receipt,
    StoredDelivery,
    Unstorable,
    receipts,
)

T = TypeVar("T")
Connection = psycopg.Connection[dict[str, Any]]

CONNECT_SECONDS = 4
STATEMENT_MS = 8_000  # below the ten seconds that GitHub waits for an answer
_SCHEMA_LOCK = 0x696E626F78  # "inbox": CREATE IF NOT EXISTS alone loses races
_SCHEMA = """
CREATE TABLE IF NOT EXISTS deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id text NOT NULL UNIQUE,
    event text NOT NULL,
    action text NOT NULL,
    installation_id bigint,
    repository text NOT NULL,
    body bytea NOT NULL,
    received_at timestamptz NOT NULL,
    state text NOT NULL DEFAULT 'received',
    attempts integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS deliveries_pending
    ON deliveries (attempts, id) WHERE state = 'received';
CREATE INDEX IF NOT EXISTS deliveries_waiting
    ON deliveries (received_at) WHERE state = 'received';
CREATE INDEX IF NOT EXISTS deliveries_done
    ON deliveries (received_at) WHERE state = 'done';
"""
_INSERT = """
INSERT INTO deliveries
    (delivery_id, event, action, installation_id, repository, body, received_at)
SELECT delivery_id, event, action, installation_id, repository, body, %s
FROM unnest(%b::text[], %b::text[], %b::text[], %b::bigint[], %b::text[], %b::bytea[])
    AS row (delivery_id, event, action, installation_id, repository, body)
ON CONFLICT (delivery_id) DO NOTHING
RETURNING delivery_id
"""
_REVIVE = """
UPDATE deliveries SET state = 'received', attempts = 0, error = ''
WHERE state = 'failed' AND delivery_id = ANY(%s) RETURNING delivery_id
"""
_FORGET = """
DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE state = 'done' AND received_at < %s LIMIT %s
    FOR UPDATE SKIP LOCKED
)
"""
_PENDING = """
SELECT * FROM deliveries WHERE id IN (
    SELECT id FROM (
        SELECT id, sum(size) OVER (ORDER BY attempts, id) - size AS before FROM (
            SELECT id, attempts, octet_length(body) AS size FROM deliveries
            WHERE state = 'received' ORDER BY attempts, id LIMIT %s
        ) AS first
    ) AS counted WHERE before < %s
) ORDER BY attempts, id
"""
_OLDEST = "SELECT min(received_at) AS oldest FROM deliveries WHERE state = 'received'"


class PostgresDeliveries:
    """One connection to the database at ``url``."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = None
        with _faults("cannot open the inbox"):
            self._connect()

    def insert(self, batch: Sequence[Delivery], now: datetime) -> Sequence[Receipt]:
        """Store ``batch`` in one commit; the receipts are in its order."""
        values = (
            now,
            [each.delivery_id for each in batch],
            [each.event for each in batch],
            [each.action for each in batch],
            [each.installation_id for each in batch],
            [each.repository for each in batch],
            [each.body for each in batch],
        )

        def work(connection: Connection) -> Sequence[Receipt]:
            rows = connection.execute(_INSERT, values).fetchall()
            new = {row["delivery_id"] for row in rows}
            old = [each.delivery_id for each in batch if each.delivery_id not in new]
            if not old:
                return receipts(batch, new, frozenset(), frozenset())
            revived = connection.execute(_REVIVE, (old,)).fetchall()
            waiting = connection.execute(
                "SELECT delivery_id FROM deliveries "
                "WHERE state <> 'done' AND delivery_id = ANY(%s)",
                (old,),
            ).fetchall()
            # Only what is done is ever deleted: gone in between means done.
            done = set(old) - {row["delivery_id"] for row in waiting}
            again = {row["delivery_id"] for row in revived}
            return receipts(batch, new, again, done)

        return self._commit("cannot write the inbox", work)

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        """Return received deliveries, those least often tried first."""
        rows = self._read(_PENDING, (limit, MOST_PENDING_BYTES))
        return [_stored(row) for row in rows]

    def mark(self, ids: Sequence[int], state: DeliveryState, error: str) -> None:
        """Set the state of deliveries and count one more attempt."""
        statement = (
            "UPDATE deliveries SET state = %s, error = %s, attempts = attempts + 1 "
            "WHERE id = ANY(%s)"
        )
        values = (state.value, error.replace("\0", "?"), list(ids))
        self._commit(
            "cannot write the inbox", lambda each: each.execute(statement, values)
        )

    def oldest_pending(self) -> datetime | None:
        """Return when the oldest delivery came in that is still to do."""
        [row] = self._read(_OLDEST, ())
        oldest: datetime | None = row["oldest"]
        return oldest

    def get(self, delivery_id: str) -> StoredDelivery | None:
        """Return one delivery."""
        rows = self._read(
            "SELECT * FROM deliveries WHERE delivery_id = %s",
            (delivery_id,),
        )
        return _stored(rows[0]) if rows else None

    def forget(self, before: datetime, limit: int) -> int:
        """Delete at most ``limit`` done deliveries older than ``before``."""
        return self._commit(
            "cannot write the inbox",
            lambda each: each.execute(_FORGET, (before, limit)).rowcount,
        )

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            with _faults("cannot close the inbox"):
                self._connection.close()

    def _read(self, statement: LiteralString, values: tuple[object, ...]) -> list[Any]:
        return self._commit(
            "cannot read the inbox",
            lambda each: each.execute(statement, values).fetchall(),
        )

    def _commit(self, what: str, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one transaction, once more where the connection broke."""
        with _faults(what):
            is_fresh = self._connection is None or self._connection.closed
            try:
                return self._once(work)
            except psycopg.errors.QueryCanceled:
                raise  # it had its time
            except psycopg.OperationalError:
                if is_fresh:
                    raise
                return self._once(work)

    def _once(self, work: Callable[[Connection], T]) -> T:
        connection = self._connection
        if connection is None or connection.closed:
            connection = self._connect()
        try:
            with connection.transaction():
                return work(connection)
        except psycopg.OperationalError:
            connection.close()  # whatever it was, a fresh one is without it
            raise

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(
            "postgresql" + self._url.removeprefix("postgresql+psycopg"),
            row_factory=dict_row,
            autocommit=True,  # transactions are opened by name, and short
            connect_timeout=CONNECT_SECONDS,
            application_name="recloser-inbox",
        )
        try:
            connection.execute(f"SET statement_timeout = {STATEMENT_MS}")
            [row] = connection.execute("SHOW synchronous_commit").fetchall()
            if (
                row["synchronous_commit"] == "off"
            ):  # what was answered has to be on the disk
                connection.execute("SET synchronous_commit = on")
            if self._connection is None:
                with connection.transaction():
                    connection.execute(
                        "SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,)
                    )
                    connection.execute(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection


def _stored(row: Any) -> StoredDelivery:
    return StoredDelivery(
        id=row["id"],
        delivery_id=row["delivery_id"],
        event=row["event"],
        action=row["action"],
        installation_id=row["installation_id"],
        repository=row["repository"],
        body=row["body"],
        received_at=row["received_at"],
        state=DeliveryState(row["state"]),
        attempts=row["attempts"],
        error=row["error"],
    )


@contextmanager
def _faults(what: str) -> Iterator[None]:
    """Turn what the database says into a StoreError, without the address."""
    try:
        yield
    except (psycopg.DataError, UnicodeError, OverflowError) as error:
        raise Unstorable(f"{what}: {type(error).__name__}") from error
    except psycopg.Error as error:
        words = str(error).strip() or type(error).__name__
        raise StoreError(f"{what}: {words}") from error
