"""What is special about the inbox in a SQLite file."""

from __future__ import annotations

import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from app.errors import StoreError
from app.jobs import inbox_sqlite
from app.jobs.inbox import Receipt
from app.jobs.inbox_sqlite import SqliteDeliveries
from tests.app.jobs.inboxes import NOW, delivery


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a path in a folder that does not exist yet."""
    return tmp_path / "data" / "inbox.db"


def table(path: Path) -> SqliteDeliveries:
    return SqliteDeliveries(path, threading.Lock())


def test_a_commit_is_on_the_disk(path: Path) -> None:
    """Write-ahead log with a sync for every commit, whatever the build defaults to."""
    deliveries = table(path)
    with closing(deliveries._connection) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


def test_a_file_that_is_busy_is_a_fault_in_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub is told before it gives up; afterwards it works again."""
    monkeypatch.setattr(inbox_sqlite, "BUSY_SECONDS", 0.05)
    deliveries = table(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            deliveries.insert([delivery()], NOW)
        other.execute("ROLLBACK")
    assert deliveries.insert([delivery()], NOW) == [Receipt.STORED]
    deliveries.close()


def test_a_file_that_is_no_database(path: Path) -> None:
    """The message names the file."""
    path.parent.mkdir()
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match=r"inbox\.db"):
        table(path)


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A folder that is a file: a clear error."""
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match="data"):
        table(tmp_path / "data" / "inbox.db")


def test_a_batch_of_the_largest_size(path: Path) -> None:
    """SQLite takes all values of a full batch in one statement."""
    deliveries = table(path)
    batch = [delivery(f"d-{number}") for number in range(4_000)]
    assert set(deliveries.insert(batch, NOW)) == {Receipt.STORED}
    assert set(deliveries.insert(batch, NOW)) == {Receipt.DUPLICATE}
    deliveries.close()


def test_others_on_the_machine_cannot_read_it(path: Path) -> None:
    """Bodies hold words from private repositories."""
    table(path).close()
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
