"""What reviews cost: reserved before, settled after, never forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from app.store.spending import SpendingStore
from tests.app.breaker.builders import NOON

MONTH = NOON - timedelta(days=30)


@pytest.fixture
def store(database: Engine) -> SpendingStore:
    """Return a store on a new database."""
    return SpendingStore(database)


def reserve(
    store: SpendingStore, review_id: str, *, number: int = 7, days_ago: int = 0
) -> None:
    """Reserve two dollars for a review."""
    store.reserve(
        review_id,
        repository="o/r",
        number=number,
        most_usd=2.0,
        now=NOON - timedelta(days=days_ago),
    )


def test_a_reservation_counts_before_anything_was_spent(store: SpendingStore) -> None:
    """Parallel reviews cannot all see the same unspent budget."""
    reserve(store, "one")
    reserve(store, "one")

    assert store.usd("o/r", since=MONTH) == 2.0
    assert store.runs("o/r", since=NOON) == 1


def test_a_settled_review_counts_what_it_cost(store: SpendingStore) -> None:
    """Settling twice, after a crash, is settling once."""
    reserve(store, "one")
    store.settle("one", 0.25)
    store.settle("one", 0.25)

    assert store.usd("o/r", since=MONTH) == 0.25


def test_a_review_without_an_agent_is_no_run(store: SpendingStore) -> None:
    """What was reserved for it is free again."""
    reserve(store, "one")
    store.release("one")

    assert store.usd("o/r", since=MONTH) == 0.0
    assert store.runs("o/r", since=MONTH) == 0


def test_money_is_counted_by_pull_request_and_by_time(store: SpendingStore) -> None:
    """Only what was spent since then, and there, counts."""
    reserve(store, "one")
    reserve(store, "two", number=8)
    reserve(store, "old", days_ago=40)

    assert store.usd("o/r", since=MONTH) == 4.0
    assert store.usd("o/r", since=MONTH, number=7) == 2.0
