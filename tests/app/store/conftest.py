"""Both databases: every test of the store runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.store.database import open_database
from tests.postgres import postgres

__all__ = ["database", "database_url", "postgres"]


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/recloser.db"
    made: str = request.getfixturevalue("postgres").new_database()
    return made


@pytest.fixture
def database(database_url: str) -> Iterator[Engine]:
    """Return an open database with all tables."""
    engine = open_database(database_url)
    yield engine
    engine.dispose()
