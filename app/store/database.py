"""Open the database: SQLite (WAL) on one machine, PostgreSQL on many.

The schema is brought up to date at start by alembic under a lock, so that any
number of processes may start at once. A server that is away at the start is a clear
error; one that goes away later (restart, failover) is waited for, because a review
must not end, nor an agent be blamed, for that.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    func,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from app.errors import StoreError
from app.store.columns import storable

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x7265636C  # "recl": the advisory lock of migrations
BUSY_SECONDS = 30
CONNECT_SECONDS = 5  # for one try
AWAY_SECONDS = 60  # that a server may be away: longer than a failover takes


def open_database(url: str) -> Engine:
    """Return an engine on an up-to-date database at ``url``.

    Raises:
        StoreError: it is none, or cannot be reached.
    """
    engine = _engine(url)
    try:
        _migrate(engine)
    except DBAPIError as error:
        engine.dispose()
        where = engine.url.render_as_string(hide_password=True)
        raise StoreError(f"database {where} cannot be opened: {error.orig}") from error
    if engine.dialect.name == "postgresql":
        event.listen(engine, "do_connect", _connect_patiently)
    return engine


def _migrate(engine: Engine) -> None:
    with _alone(engine):
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _connect_patiently(
    dialect: Any, _: object, arguments: Any, parameters: dict[str, Any]
) -> Any:
    """Return a new connection; wait for a server that is away."""
    retrying = Retrying(
        retry=retry_if_exception_type(dialect.dbapi.OperationalError),
        stop=stop_after_delay(AWAY_SECONDS),
        wait=wait_fixed(0.5),
        reraise=True,
    )
    return retrying(dialect.connect, *arguments, **parameters)


def _engine(url: str) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        return create_engine(
            url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT_SECONDS}
        )
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise StoreError(
            f"database {parsed.render_as_string()} is neither a SQLite file nor "
            "PostgreSQL; use sqlite:///PATH or postgresql+psycopg://..."
        )
    folder = Path(parsed.database).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        Path(f"{parsed.database}.lock").touch()
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, see below
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_immediate(connection: Any) -> None:
    # A deferred transaction that reads and then writes fails at once with "locked"
    # when another wrote in between; an immediate one waits its turn.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def take_turn(connection: Connection, key: str) -> None:
    """Let nobody else change what ``key`` names until this transaction ends.

    For changes that read first: in PostgreSQL two would read the same and both
    write. In SQLite a transaction has its turn from its beginning.
    """
    if connection.dialect.name == "postgresql":
        number = func.hashtextextended(storable(key), 0)
        connection.execute(select(func.pg_advisory_xact_lock(number)))


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Hold the lock of migrations, across processes."""
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_lock(:key)"), {"key": LOCK_KEY})
            connection.commit()
            try:
                yield
            finally:
                release = text("select pg_advisory_unlock(:key)")
                connection.execute(release, {"key": LOCK_KEY})
                connection.commit()
        return
    with Path(f"{engine.url.database}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
