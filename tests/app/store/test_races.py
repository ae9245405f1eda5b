"""Processes that do the same at the same time, on both databases."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from multiprocessing.managers import SyncManager
from threading import Barrier
from typing import TypeVar

from sqlalchemy import Engine, inspect

from app.store.database import open_database
from app.store.reviews import ReviewStore, Wanted
from app.store.spending import SpendingStore
from app.store.tables import metadata
from tests.app.breaker.builders import NOON, later
from tests.app.store.builders import finished

T = TypeVar("T")
Work = Callable[[str, Barrier, int], T]

ROUNDS = 100
SPAWN = multiprocessing.get_context("spawn")


def together(processes: int, work: Work[T], url: str) -> Sequence[T]:
    """Let processes do ``work``, and return what each made of it."""
    with SyncManager(ctx=SPAWN) as manager:
        barrier = manager.Barrier(processes, timeout=30)
        with ProcessPoolExecutor(processes, mp_context=SPAWN) as pool:
            waiting = [
                pool.submit(work, url, barrier, number) for number in range(processes)
            ]
            return [each.result() for each in waiting]


def _migrate(url: str, barrier: Barrier, _: int) -> list[str]:
    barrier.wait()
    return sorted(inspect(open_database(url)).get_table_names())


def test_four_processes_start_on_an_empty_database(database_url: str) -> None:
    """The tables are made once, and all four find them."""
    found = together(4, _migrate, database_url)

    assert found == [sorted([*metadata.tables, "alembic_version"])] * 4


def _want(
    store: ReviewStore, number: int, sha: str, now: datetime = NOON
) -> Wanted | None:
    return store.want(
        repository="o/r",
        number=number,
        installation_id=1,
        head_sha=sha,
        reason="opened",
        now=now,
    )


def _want_the_same(url: str, barrier: Barrier, _: int) -> list[Wanted | None]:
    store = ReviewStore(open_database(url))
    barrier.wait()
    return [_want(store, number, "a" * 40) for number in range(ROUNDS)]


def test_a_head_that_two_processes_want_at_once_is_wanted_once(
    database_url: str,
) -> None:
    """Both dispatchers see the same delivery; one of them asks."""
    both = together(2, _want_the_same, database_url)

    for one, other in zip(*both, strict=True):
        assert sorted([one is None, other is None]) == [False, True]


def _want_another(url: str, barrier: Barrier, me: int) -> list[Wanted | None]:
    store = ReviewStore(open_database(url))
    barrier.wait()
    return [_want(store, 7, f"{me}{round_:039d}") for round_ in range(ROUNDS)]


def test_heads_that_two_processes_want_at_once_have_generations_of_their_own(
    database: Engine, database_url: str
) -> None:
    """With one generation for two heads neither would supersede the other."""
    both = together(2, _want_another, database_url)

    made = [each for one in both for each in one if each is not None]
    assert sorted(each.generation for each in made) == list(range(1, 2 * ROUNDS + 1))
    last = max(made, key=lambda each: each.generation)
    assert ReviewStore(database).wanted("o/r#7") == last


def _keep_config(url: str, barrier: Barrier, me: int) -> None:
    store = ReviewStore(open_database(url))
    barrier.wait()
    for _ in range(ROUNDS):
        store.keep_config("o/r", source="s", text=str(me), now=NOON)


def test_two_reviews_keep_the_configuration_of_one_repository_at_once(
    database: Engine, database_url: str
) -> None:
    """Each review keeps what it read; the last word stands."""
    together(2, _keep_config, database_url)

    assert ReviewStore(database).last_config("o/r") in ("0", "1")


def _keep(url: str, barrier: Barrier, me: int) -> None:
    store = ReviewStore(open_database(url))
    barrier.wait()
    for number in range(ROUNDS):
        store.keep(finished(str(number), tokens=me, finished_at=later(number)))


def test_two_processes_keep_one_review_at_once(
    database: Engine, database_url: str
) -> None:
    """A worker that was thought dead comes back: its review is still one row."""
    together(2, _keep, database_url)

    rows = ReviewStore(database).latest(10 * ROUNDS)
    assert [each.review_id for each in rows] == [
        str(number) for number in reversed(range(ROUNDS))
    ]


LIMIT = 5.0  # less than the rounds would cost


def _reserve(url: str, barrier: Barrier, _: int) -> None:
    store = SpendingStore(open_database(url))
    barrier.wait()
    for number in range(ROUNDS):
        store.reserve(
            str(number),
            repository="o/r",
            number=7,
            most_usd=1.0,
            refusal=lambda spent: "spent" if spent.pull_usd >= LIMIT else None,
            now=NOON,
        )


def test_two_processes_cannot_overspend_together(
    database: Engine, database_url: str
) -> None:
    """Each review is counted once, and no more of them than the budget allows."""
    together(2, _reserve, database_url)

    spent = SpendingStore(database).spent("o/r", 7, now=NOON)
    assert spent.pull_usd == LIMIT
