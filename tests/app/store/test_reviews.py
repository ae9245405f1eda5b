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


def test_a_pull_request_that_is_opened_again_gets_a_new_review(
    store: ReviewStore,
) -> None:
    """The same head after a close: its old id is finished and would never run."""
    want(store, A)
    store.close_pull("o/r#7", now=NOON)
    assert list(store.all_wanted()) == []

    again = want(store, A)

    assert again is not None
    assert again.generation == 2
    assert [again] == list(store.all_wanted())


def test_a_head_of_two_pull_requests_is_as_red_as_the_worse_one(
    store: ReviewStore,
) -> None:
    """A check belongs to a commit: the newest word of each pull request counts."""
    want(store, A)
    store.keep(finished("first", conclusion="success"))
    later = NOON + timedelta(seconds=1)
    store.keep(finished("second", conclusion="action_required", finished_at=later))

    assert store.red_twins("o/r", A, 8) == [7]
    assert store.red_twins("o/r", A, 7) == []
    assert store.red_twins("o/r", B, 8) == []
    store.close_pull("o/r#7", now=NOON)
    assert store.red_twins("o/r", A, 8) == []


def test_a_review_kept_twice_is_one(store: ReviewStore) -> None:
    """A step that ran again after a crash doubles nothing."""
    store.keep(finished())
    store.keep(finished())

    assert len(store.latest()) == 1


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
