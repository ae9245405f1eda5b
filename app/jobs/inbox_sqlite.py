"""Deliveries in a SQLite file of their own.

WAL with ``synchronous=FULL``: a commit that was answered survives kill -9 and a loss
of power as far as the disk keeps its word. One multi-row INSERT for a batch: a
statement for each row gives up and takes back the interpreter lock as often.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

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

BUSY_SECONDS = 5.0  # below the ten seconds that GitHub waits for an answer
_SCHEMA = """
CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    action TEXT NOT NULL,
    installation_id INTEGER,
    repository TEXT NOT NULL,
    body BLOB NOT NULL,
    received_at REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'received',
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS deliveries_pending
    ON deliveries (attempts, id) WHERE state = 'received';
CREATE INDEX IF NOT EXISTS deliveries_waiting
    ON deliveries (received_at) WHERE state = 'received';
CREATE INDEX IF NOT EXISTS deliveries_done
    ON deliveries (received_at) WHERE state = 'done';
"""
# MARKS stands for as many rows of question marks as there are deliveries.
_INSERT = """
INSERT INTO deliveries
    (delivery_id, event, action, installation_id, repository, body, received_at)
VALUES MARKS
ON CONFLICT (delivery_id) DO NOTHING
RETURNING delivery_id
"""
_REVIVE = """
UPDATE deliveries SET state = 'received', attempts = 0, error = ''
WHERE state = 'failed' AND delivery_id IN (SELECT value FROM json_each(?))
RETURNING delivery_id
"""
_DONE = """
SELECT delivery_id FROM deliveries
WHERE state = 'done' AND delivery_id IN (SELECT value FROM json_each(?))
"""
_PENDING = """
SELECT * FROM deliveries WHERE id IN (
    SELECT id FROM (
        SELECT id, sum(size) OVER (ORDER BY attempts, id) - size AS before FROM (
            SELECT id, attempts, length(body) AS size FROM deliveries
            WHERE state = 'received' ORDER BY attempts, id LIMIT ?
        )
    ) WHERE before < ?
) ORDER BY attempts, id
"""


class SqliteDeliveries:
    """One connection to the file at ``path``, which is made when it is missing.

    ``writing`` is shared by the connections of one process: waiting for a lock is
    quick, while SQLite finds out by sleeping that another connection is writing.
    """

    def __init__(self, path: Path, writing: threading.Lock) -> None:
        self._writing = writing
        with _faults(f"cannot open {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # bodies hold words from private repositories
            # Any one thread at a time: who shares a table holds a lock round it.
            self._connection = sqlite3.connect(
                path,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        self._connection.row_factory = sqlite3.Row
        try:
            with _faults(f"cannot prepare {path}"):
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=FULL")
                self._connection.executescript(_SCHEMA)
        except StoreError:
            self._connection.close()
            raise

    def insert(self, batch: Sequence[Delivery], now: datetime) -> Sequence[Receipt]:
        """Store ``batch`` in one commit; the receipts are in its order."""
        marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(batch))
        values = [
            value
            for each in batch
            for value in (
                each.delivery_id,
                each.event,
                each.action,
                each.installation_id,
                each.repository,
                each.body,
                now.timestamp(),
            )
        ]
        with self._commit() as connection:
            rows = connection.execute(_INSERT.replace("MARKS", marks), values)
            new = {row["delivery_id"] for row in rows.fetchall()}
            old = [each.delivery_id for each in batch if each.delivery_id not in new]
            revived, done = self._known(connection, old) if old else (set(), set())
        return receipts(batch, new, revived, done)

    def _known(
        self, connection: sqlite3.Connection, ids: Sequence[str]
    ) -> tuple[set[str], set[str]]:
        """Let the deliveries that failed run again; return those and the done."""
        wanted = (json.dumps(ids),)
        revived = connection.execute(_REVIVE, wanted).fetchall()
        done = connection.execute(_DONE, wanted).fetchall()
        return {row[0] for row in revived}, {row[0] for row in done}

    def pending(self, limit: int) -> Sequence[StoredDelivery]:
        """Return received deliveries, those least often tried first."""
        rows = self._read(_PENDING, (limit, MOST_PENDING_BYTES))
        return [_stored(row) for row in rows]

    def mark(self, ids: Sequence[int], state: DeliveryState, error: str) -> None:
        """Set the state of deliveries and count one more attempt."""
        with self._commit() as connection:
            connection.execute(
                "UPDATE deliveries SET state = ?, error = ?, attempts = attempts + 1 "
                "WHERE id IN (SELECT value FROM json_each(?))",
                (state.value, error, json.dumps(list(ids))),
            )

    def oldest_pending(self) -> datetime | None:
        """Return when the oldest delivery came in that is still to do."""
        [(oldest,)] = self._read(
            "SELECT min(received_at) FROM deliveries WHERE state = 'received'", ()
        )
        return None if oldest is None else datetime.fromtimestamp(oldest, UTC)

    def get(self, delivery_id: str) -> StoredDelivery | None:
        """Return one delivery."""
        rows = self._read(
            "SELECT * FROM deliveries WHERE delivery_id = ?", (delivery_id,)
        )
        return _stored(rows[0]) if rows else None

    def forget(self, before: datetime, limit: int) -> int:
        """Delete at most ``limit`` done deliveries older than ``before``."""
        with self._commit() as connection:
            return connection.execute(
                "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries "
                "WHERE state = 'done' AND received_at < ? LIMIT ?)",
                (before.timestamp(), limit),
            ).rowcount

    def close(self) -> None:
        """Close the connection."""
        with _faults("cannot close the inbox"):
            self._connection.close()

    def _read(self, statement: str, values: tuple[object, ...]) -> list[Any]:
        with _faults("cannot read the inbox"):
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        # Immediate: a transaction that reads and then writes fails at once with
        # "locked" when another process wrote in between.
        with self._writing, _faults("cannot write the inbox"):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _stored(row: Any) -> StoredDelivery:
    return StoredDelivery(
        id=row["id"],
        delivery_id=row["delivery_id"],
        event=row["event"],
        action=row["action"],
        installation_id=row["installation_id"],
        repository=row["repository"],
        body=row["body"],
        received_at=datetime.fromtimestamp(row["received_at"], UTC),
        state=DeliveryState(row["state"]),
        attempts=row["attempts"],
        error=row["error"],
    )


@contextmanager
def _faults(what: str) -> Iterator[None]:
    """Turn what the database or the disk says into a StoreError."""
    try:
        yield
    except (sqlite3.DataError, UnicodeError, OverflowError) as error:
        raise Unstorable(f"{what}: {type(error).__name__}") from error
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{what}: {error}") from error
