"""One living process for each executor id, on both databases."""

from __future__ import annotations

import pytest

from app.errors import SettingsError
from app.jobs.slot import Slot
from tests.app.store.conftest import database_url
from tests.postgres import postgres

__all__ = ["database_url", "postgres"]


def take(database_url: str, executor_id: str) -> Slot:
    """Take a slot without waiting long for a predecessor."""
    return Slot(database_url, executor_id, patience=0.3)


def test_a_second_process_with_the_same_id_is_refused(database_url: str) -> None:
    """It would run the steps of the first one's reviews a second time."""
    first = take(database_url, "local")

    with pytest.raises(SettingsError, match="RECLOSER_EXECUTOR_ID"):
        take(database_url, "local")
    first.let_go()


def test_another_id_is_another_slot(database_url: str) -> None:
    """Workers side by side have names of their own."""
    slots = [take(database_url, name) for name in ("worker-1", "worker-2")]

    for each in slots:
        each.let_go()


def test_a_slot_that_was_let_go_is_free(database_url: str) -> None:
    """The next process takes it."""
    take(database_url, "local").let_go()

    take(database_url, "local").let_go()
