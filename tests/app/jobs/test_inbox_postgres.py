"""What is special about the inbox in PostgreSQL."""

from __future__ import annotations

import psycopg
import pytest

from app.errors import StoreError
from app.jobs.inbox import Receipt
from app.jobs.inbox_postgres import PostgresDeliveries
from tests.app.jobs.inboxes import NOW, delivery, running
from tests.postgres import Postgres, postgres  # noqa: F401  # a fixture, by its name

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


async def test_a_server_that_was_restarted(postgres: Postgres) -> None:  # noqa: F811  # the fixture
    """The connection is made anew and nobody notices."""
    with running(postgres.new_database()) as inbox:
        await inbox.put(delivery("d-1"))
        assert len(inbox.pending(9)) == 1
        postgres.stop()
        postgres.start()
        assert await inbox.put(delivery("d-2")) is Receipt.STORED
        assert len(inbox.pending(9)) == 2


async def test_a_server_that_is_away(postgres: Postgres) -> None:  # noqa: F811  # the fixture
    """It is a fault while it is away, and works when it is back."""
    with running(postgres.new_database()) as inbox:
        await inbox.put(delivery("d-1"))
        postgres.stop()
        try:
            with pytest.raises(StoreError, match="cannot write the inbox"):
                await inbox.put(delivery("d-2"))
            for _ in range(2):
                with pytest.raises(StoreError):
                    inbox.pending(9)
        finally:
            postgres.start()
        assert await inbox.put(delivery("d-2")) is Receipt.STORED
        assert len(inbox.pending(9)) == 2


def test_a_commit_is_on_the_disk(postgres: Postgres) -> None:  # noqa: F811  # the fixture
    """A server that was told to be careless is overruled."""
    url = postgres.new_database()
    name = url.rpartition("/")[2]
    with psycopg.connect(postgres.libpq_url(name), autocommit=True) as connection:
        connection.execute(
            f"ALTER DATABASE {name} SET synchronous_commit = off".encode()
        )
    deliveries = PostgresDeliveries(url)
    assert deliveries._connection is not None
    row = deliveries._connection.execute("SHOW synchronous_commit").fetchone()
    assert row == {"synchronous_commit": "on"}
    deliveries.close()


def test_words_that_hold_a_nul(postgres: Postgres) -> None:  # noqa: F811  # the fixture
    """PostgreSQL keeps no such text; the words of an error are mended for it."""
    deliveries = PostgresDeliveries(postgres.new_database())
    deliveries.insert([delivery()], NOW)
    [stored] = deliveries.pending(9)
    deliveries.mark([stored.id], stored.state, "a\0b")
    assert deliveries.pending(9)[0].error == "a?b"
    deliveries.close()


def test_nobody_there_is_told_without_the_password() -> None:
    """The address of the database does not get into the words."""
    password = "hunter" + "2"
    with pytest.raises(StoreError) as caught:
        PostgresDeliveries(f"postgresql+psycopg://u:{password}@127.0.0.1:1/x")
    assert password not in str(caught.value)
