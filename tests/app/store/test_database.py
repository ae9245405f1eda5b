"""A database that is not there: clear at the start, waited for afterwards."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.errors import StoreError
from app.store.database import open_database
from app.store.reviews import ReviewStore
from tests.app.store.builders import finished
from tests.postgres import Postgres


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    """One clear line for the operator, and no secret in it."""
    password = "hunter" + "2"
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        open_database(f"postgresql+psycopg://u:{password}@127.0.0.1:1/x")

    assert password not in str(caught.value)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    """Somebody else's file is left as it is."""
    path = tmp_path / "notes.db"
    path.write_text("Buy milk. " * 100)

    with pytest.raises(StoreError, match="not a database"):
        open_database(f"sqlite:///{path}")

    assert path.read_text().startswith("Buy milk.")


def test_a_server_that_goes_away_is_waited_for(postgres: Postgres) -> None:
    """A restart costs the asking thread some time and nothing else."""
    engine = open_database(postgres.new_database())
    store = ReviewStore(engine)
    store.keep(finished("one"))
    postgres.stop()
    back = threading.Timer(1.5, postgres.start)
    back.start()

    store.keep(finished("two"))

    back.join()
    assert {each.review_id for each in store.latest()} == {"one", "two"}
    engine.dispose()
