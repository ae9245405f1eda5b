"""Hold the slot of a worker: one living process for each executor id.

Two processes with one id would take up each other's reviews and run steps twice. The
slot is a lock that the system lets go of when the process dies, however it dies: on a
file beside SQLite, or of a session in PostgreSQL.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
from sqlalchemy import make_url
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from app.errors import SettingsError

#: Seconds in which a killed predecessor's lock may still be there.
PATIENCE = 10.0


class _Taken(Exception):
    """Another process holds the slot."""


class Slot:
    """The lock of one executor id on one database."""

    def __init__(
        self, database_url: str, executor_id: str, *, patience: float = PATIENCE
    ) -> None:
        """Take the slot; wait ``patience`` seconds for a predecessor to be gone.

        Raises:
            SettingsError: another living process holds it.
        """
        url = make_url(database_url)
        take = _take_file if url.get_backend_name() == "sqlite" else _take_session
        retrying = Retrying(
            retry=retry_if_exception_type(_Taken),
            stop=stop_after_delay(patience),
            wait=wait_fixed(0.2),
            reraise=True,
        )
        try:
            self._let_go = retrying(take, database_url, executor_id)
        except _Taken:
            raise SettingsError(
                f"another process runs as executor {executor_id!r} on this database: "
                "stop it, or give this one a RECLOSER_EXECUTOR_ID of its own"
            ) from None

    def let_go(self) -> None:
        """Let another process have the slot."""
        self._let_go()


def _take_file(database_url: str, executor_id: str) -> Callable[[], None]:
    path = Path(f"{make_url(database_url).database}.{executor_id}.slot")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = path.open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise _Taken from None
    return handle.close


def _take_session(database_url: str, executor_id: str) -> Callable[[], None]:
    address = make_url(database_url).set(drivername="postgresql")
    connection = psycopg.connect(
        address.render_as_string(hide_password=False), autocommit=True
    )
    name = f"recloser executor {executor_id}"
    query = "select pg_try_advisory_lock(hashtextextended(%s, 0))"
    row = connection.execute(query, (name,)).fetchone()
    if row is None or not row[0]:
        connection.close()
        raise _Taken

    def let_go() -> None:
        with suppress(psycopg.Error):
            connection.close()

    return let_go
