"""Which head is wanted, and what reviews have cost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from app.errors import StoreError
from app.store.database import open_database
from app.store.reviews import ReviewStore, Wanted
from tests.app.breaker.builders import NOON
from tests.app.store.builders import A, B, finished


@pytest.fixture
def store(database: Engine) -> ReviewStore:
    """Return a store on a new database."""
    return ReviewStore(database)


def want(store: ReviewStore, sha: str, *, asked_by: str = "") -> Wanted | None:
    """Want a head of pull request 7."""
    return store.want(
        repository="o/r",
        number=7,
        installation_id=1,
        head_sha=sha,
        reason="synchronize",
        asked_by=asked_by,
        now=NOON,
    )


def test_a_new_head_is_wanted_once(store: ReviewStore) -> None:
    """The second word about the same head asks for nothing new (B12)."""
    first = want(store, A)

    assert first is not None
    assert first.review_id == "o/r#7@" + A + "#1"
    assert want(store, A) is None


def test_a_head_that_comes_back_is_wanted_again(store: ReviewStore) -> None:
    """A -> B -> A are three reviews: a finished id never runs again."""
    ids = {wanted.review_id for sha in (A, B, A) if (wanted := want(store, sha))}

    assert len(ids) == 3


def test_a_rerun_gets_a_generation_of_its_own(store: ReviewStore) -> None:
    """Somebody who presses Re-run wants the same head looked at anew."""
    want(store, A)
    again = want(store, A, asked_by="delivery-1")

    assert again is not None
    assert again.generation == 2
    assert again == store.wanted("o/r#7")
    assert want(store, A, asked_by="delivery-1") is None


def test_money_is_counted_by_pull_request_and_by_month(store: ReviewStore) -> None:
    """Only what was spent since then, and there, counts."""
    store.keep(finished("one"))
    store.keep(finished("two", number=8))
    store.keep(finished("old", finished_at=NOON - timedelta(days=40)))

    month = NOON - timedelta(days=30)
    assert store.spent_usd("o/r", since=month) == 2.0
    assert store.spent_usd("o/r", since=month, number=7) == 1.0


def test_a_review_kept_twice_counts_once(store: ReviewStore) -> None:
    """A step that ran again after a crash doubles no dollar."""
    store.keep(finished())
    store.keep(finished())

    assert store.spent_usd("o/r", since=NOON) == 1.0
    assert len(store.latest()) == 1


def test_reviews_without_an_agent_are_no_runs(store: ReviewStore) -> None:
    """The hourly limit is one of the agent, not of the linters."""
    store.keep(finished("one"))
    store.keep(finished("two", mode="fallback"))

    assert store.agent_runs("o/r", since=NOON) == 1


def test_the_last_good_configuration_is_kept(store: ReviewStore) -> None:
    """It stays in force while a newer one cannot be read."""
    assert store.last_config("o/r") is None
    store.keep_config("o/r", source="s", text="a", now=NOON)
    store.keep_config("o/r", source="s", text="b", now=NOON)

    assert store.last_config("o/r") == "b"


def test_an_unknown_database_is_refused_with_a_remedy() -> None:
    """The message says what can be used."""
    with pytest.raises(StoreError, match="postgresql"):
        open_database("mysql://u:secret@h/db")


def test_the_tables_are_those_of_the_migrations(database: Engine) -> None:
    """Code and migrations describe one schema."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from app.store.tables import metadata

    with database.connect() as connection:
        difference = compare_metadata(MigrationContext.configure(connection), metadata)

    assert difference == []
