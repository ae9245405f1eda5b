"""What reviews cost: reserved before, settled after, never forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from app.review.budget import Spent
from app.store.spending import SpendingStore
from tests.app.breaker.builders import NOON


@pytest.fixture
def store(database: Engine) -> SpendingStore:
    """Return a store on a new database."""
    return SpendingStore(database)


def reserve(
    store: SpendingStore,
    review_id: str,
    *,
    number: int = 7,
    days_ago: int = 0,
    most_usd: float = 100.0,
) -> str | None:
    """Reserve two dollars for a review, of at most so many for the pull request."""

    def refusal(spent: Spent) -> str | None:
        return "spent" if spent.pull_usd >= most_usd else None

    return store.reserve(
        review_id,
        repository="o/r",
        number=number,
        most_usd=2.0,
        refusal=refusal,
        now=NOON - timedelta(days=days_ago),
    )


def spent(store: SpendingStore, number: int = 7) -> tuple[float, float, int]:
    """Return dollars of the pull request, of the month, and runs of the hour."""
    found = store.spent("o/r", number, now=NOON)
    return found.pull_usd, found.month_usd, found.runs_last_hour


def test_a_reservation_counts_before_anything_was_spent(store: SpendingStore) -> None:
    """Parallel reviews cannot all see the same unspent budget."""
    assert reserve(store, "one", most_usd=2.0) is None
    assert reserve(store, "two", most_usd=2.0) == "spent"

    assert spent(store) == (2.0, 2.0, 1)


def test_a_reservation_that_stands_is_not_asked_again(store: SpendingStore) -> None:
    """A step that ran again after a crash is not refused by its own reservation."""
    assert reserve(store, "one", most_usd=2.0) is None
    assert reserve(store, "one", most_usd=2.0) is None

    assert spent(store) == (2.0, 2.0, 1)


def test_a_settled_review_counts_what_it_cost(store: SpendingStore) -> None:
    """Settling twice, after a crash, is settling once."""
    reserve(store, "one")
    store.settle("one", 0.25)
    store.settle("one", 0.25)

    assert spent(store) == (0.25, 0.25, 1)


def test_a_review_without_an_agent_is_no_run(store: SpendingStore) -> None:
    """What was reserved for it is free again."""
    reserve(store, "one")
    store.release("one")

    assert spent(store) == (0.0, 0.0, 0)


def test_money_is_counted_by_pull_request_and_by_month(store: SpendingStore) -> None:
    """A pull request counts as a whole, its repository by the calendar month."""
    reserve(store, "one")
    reserve(store, "two", number=8)
    reserve(store, "old", days_ago=40)

    assert spent(store) == (4.0, 4.0, 2)
    assert spent(store, number=8) == (2.0, 4.0, 2)
