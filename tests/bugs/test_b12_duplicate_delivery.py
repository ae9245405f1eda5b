"""B12: the same delivery twice, one after the other, at once, and after a restart."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from tests.app.web.builders import front, new_inbox, pull_request

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


async def test_in_parallel_one_is_stored(tmp_path: Path) -> None:
    """All before the first insert: the insert decides, the losers hear a 2xx."""
    async with front(new_inbox(tmp_path)) as door:
        answers = await asyncio.gather(
            *(door.deliver(pull_request()) for _ in range(50))
        )
        assert len(door.inbox.pending(99)) == 1
        assert len(door.wakes) == 1
    assert {each.status_code for each in answers} == {202}
    results = Counter(each.json()["status"] for each in answers)
    assert results == {"stored": 1, "duplicate": 49}


async def test_through_two_processes_one_is_stored(tmp_path: Path) -> None:
    """Two front doors over one database are one."""
    async with (
        front(new_inbox(tmp_path)) as one,
        front(new_inbox(tmp_path)) as other,
    ):
        answers = await asyncio.gather(
            *((one, other)[n % 2].deliver(pull_request()) for n in range(20))
        )
        assert len(one.inbox.pending(99)) == 1
        assert len(one.wakes) + len(other.wakes) == 1
    assert {each.status_code for each in answers} == {202}


@pytest.mark.parametrize(
    ("state", "status", "result", "to_do"),
    [
        ("received", 202, "duplicate", 1),
        ("done", 200, "already_done", 0),
        ("failed", 202, "runs_again", 1),
    ],
)
async def test_after_a_restart(
    tmp_path: Path, state: str, status: int, result: str, to_do: int
) -> None:
    """What is done stays done; what crashed may be sent again, and then runs."""
    async with front(new_inbox(tmp_path)) as door:
        await door.deliver(pull_request())
        door.inbox.mark([door.inbox.pending(1)[0].id], state)
    async with front(new_inbox(tmp_path)) as door:
        answer = await door.deliver(pull_request())
        assert (answer.status_code, answer.json()["status"]) == (status, result)
        assert len(door.inbox.pending(99)) == to_do


async def test_the_signature_is_checked_before_the_id_is_stored(
    tmp_path: Path,
) -> None:
    """Nobody can use up the ids of deliveries that are still to come."""
    async with front(new_inbox(tmp_path)) as door:
        forged = await door.deliver(pull_request(), X_Hub_Signature_256="sha256=0")
        real = await door.deliver(pull_request())
    assert (forged.status_code, real.status_code) == (401, 202)
    assert real.json()["status"] == "stored"


async def test_one_event_under_two_ids_is_two_deliveries(tmp_path: Path) -> None:
    """Both are kept; that they are one review is for the dispatcher to see."""
    async with front(new_inbox(tmp_path)) as door:
        for delivery in ("d-1", "d-2"):
            answer = await door.deliver(pull_request(), delivery=delivery)
            assert answer.json()["status"] == "stored"
        assert len(door.inbox.pending(99)) == 2
