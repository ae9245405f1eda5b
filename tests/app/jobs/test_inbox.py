"""The inbox keeps its word, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.errors import StoreError
from app.jobs.delivery import MOST_PENDING_BYTES
from app.jobs.inbox import DeliveryState, Receipt, open_inbox
from app.jobs.inbox_writer import KEEP_DONE
from tests.app.jobs.inboxes import BODY, NOW, HandClock, delivery, running, sqlite_url
from tests.postgres import postgres  # noqa: F401  # a fixture, used by its name

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of an empty inbox, of each kind in turn."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    made: str = request.getfixturevalue("postgres").new_database()
    return made


async def test_what_was_put_is_there(url: str) -> None:
    """Every column comes back as it went in."""
    with running(url) as inbox:
        assert await inbox.put(delivery()) is Receipt.STORED
        [stored] = inbox.pending(9)
        assert inbox.get("d-1") == stored
        assert inbox.get("d-2") is None
    assert (stored.delivery_id, stored.event, stored.action) == (
        "d-1",
        "pull_request",
        "opened",
    )
    assert (stored.installation_id, stored.repository) == (7, "octo/hello")
    assert (stored.body, stored.received_at) == (BODY, NOW)
    assert (stored.state, stored.attempts, stored.error) == ("received", 0, "")


async def test_bytes_are_bytes(url: str) -> None:
    """A body is kept to the byte, also one that no text could hold."""
    body = bytes(range(256)) * 5_000
    with running(url) as inbox:
        await inbox.put(replace(delivery(body=body), installation_id=None))
        [stored] = inbox.pending(9)
    assert stored.body == body
    assert stored.installation_id is None


async def test_a_second_time_is_a_duplicate(url: str) -> None:
    """The first one stays as it was (B12)."""
    with running(url) as inbox:
        await inbox.put(delivery())
        assert await inbox.put(delivery(body=b"other")) is Receipt.DUPLICATE
        [stored] = inbox.pending(9)
    assert stored.body == BODY


async def test_of_many_at_the_same_time_one_is_stored(url: str) -> None:
    """The insert decides, not a look before it (B12)."""
    with running(url) as inbox, running(url) as other:
        found = await asyncio.gather(
            *((inbox, other)[n % 2].put(delivery(f"d-{n % 7}")) for n in range(210))
        )
        assert len(inbox.pending(99)) == 7
    assert found.count(Receipt.STORED) == 7
    assert found.count(Receipt.DUPLICATE) == 203


async def test_of_what_is_done_nothing_is_done_again(url: str) -> None:
    """Also after a restart (B12)."""
    with running(url) as inbox:
        await inbox.put(delivery())
        inbox.mark([inbox.pending(1)[0].id], "done")
        assert await inbox.put(delivery()) is Receipt.ALREADY_DONE
    with running(url) as inbox:
        assert await inbox.put(delivery()) is Receipt.ALREADY_DONE
        assert not inbox.pending(9)


async def test_what_failed_runs_again_once(url: str) -> None:
    """A redelivery takes it up; the next one finds it waiting (B12)."""
    with running(url) as inbox:
        await inbox.put(delivery())
        inbox.mark([inbox.pending(1)[0].id], "failed", "boom")
        assert not inbox.pending(9)
        failed = inbox.get("d-1")
        assert failed is not None
        assert (failed.state, failed.attempts, failed.error) == (
            DeliveryState.FAILED,
            1,
            "boom",
        )
        found = await asyncio.gather(*(inbox.put(delivery()) for _ in range(3)))
        [stored] = inbox.pending(9)
    assert sorted(found) == ["duplicate", "duplicate", "runs_again"]
    assert (stored.attempts, stored.error) == (0, "")


async def test_the_least_tried_come_first(url: str) -> None:
    """One that fails again and again does not stand in the way of the others."""
    with running(url) as inbox:
        for number in range(4):
            await inbox.put(delivery(f"d-{number}"))
        first = inbox.pending(2)
        assert [each.delivery_id for each in first] == ["d-0", "d-1"]
        inbox.mark([first[0].id], "received", "GitHub is down")
        found = [each.delivery_id for each in inbox.pending(9)]
        ids = [each.id for each in inbox.pending(9)]
    assert found == ["d-1", "d-2", "d-3", "d-0"]
    assert ids[:3] == sorted(ids[:3])


async def test_large_bodies_are_not_all_read_at_once(url: str) -> None:
    """Memory holds; what is left out comes next."""
    body = b"x" * (MOST_PENDING_BYTES // 4)
    with running(url) as inbox:
        for number in range(6):
            await inbox.put(delivery(f"d-{number}", body))
        assert len(inbox.pending(99)) == 4
        assert len(inbox.pending(2)) == 2


async def test_marking_nothing_and_marking_much(url: str) -> None:
    """Any number of ids will do."""
    with running(url) as inbox:
        await inbox.put(delivery())
        inbox.mark([], "done")
        inbox.mark([inbox.pending(1)[0].id, *range(10_000, 15_000)], "done")
        assert not inbox.pending(1)


def test_a_state_that_is_none_is_refused(url: str) -> None:
    """A typing error does not lose a delivery."""
    with running(url) as inbox, pytest.raises(ValueError, match="finished"):
        inbox.mark([1], "finished")


async def test_the_age_is_that_of_the_oldest_to_do(url: str) -> None:
    """What is done has no age."""
    clock = HandClock()
    with running(url, clock) as inbox:
        assert inbox.oldest_pending_age(clock.now()) == 0
        await inbox.put(delivery("d-1"))
        clock.forward(timedelta(seconds=30))
        await inbox.put(delivery("d-2"))
        clock.forward(timedelta(seconds=10))
        assert inbox.oldest_pending_age(clock.now()) == pytest.approx(40)
        inbox.mark([inbox.pending(1)[0].id], "done")
        assert inbox.oldest_pending_age(clock.now()) == pytest.approx(10)


async def test_one_bad_delivery_does_not_keep_the_others_out(url: str) -> None:
    """Those in the same commit are stored all the same."""
    bad = replace(delivery("bad"), installation_id=2**70)
    with running(url) as inbox:
        found = await asyncio.gather(
            *(inbox.put(delivery(f"d-{number}")) for number in range(5)),
            inbox.put(bad),
            *(inbox.put(delivery(f"e-{number}")) for number in range(5)),
            return_exceptions=True,
        )
        assert len(inbox.pending(99)) == 10
    assert isinstance(found.pop(5), StoreError)
    assert set(found) == {Receipt.STORED}


async def test_done_deliveries_are_forgotten_in_the_end(url: str) -> None:
    """Only those: what is to do or failed stays, however old it is."""
    clock = HandClock()
    with running(url, clock) as inbox:
        for name in ("done", "failed", "waiting"):
            await inbox.put(delivery(name))
        by_name = {each.delivery_id: each.id for each in inbox.pending(9)}
        inbox.mark([by_name["done"]], "done")
        inbox.mark([by_name["failed"]], "failed")
        clock.forward(KEEP_DONE - timedelta(minutes=1))
        await inbox.put(delivery("one"))
        await inbox.put(delivery("two"))  # the one before it has been cleaned up after
        assert inbox.get("done") is not None
        clock.forward(timedelta(hours=2))
        await inbox.put(delivery("three"))
        await inbox.put(delivery("four"))
        assert inbox.get("done") is None
        assert inbox.get("failed") is not None
        assert inbox.get("waiting") is not None


async def test_stop_stores_what_waits(url: str) -> None:
    """Whoever was let in gets an answer."""
    inbox = open_inbox(url, HandClock())
    inbox.start()
    waiting = [asyncio.create_task(inbox.put(delivery(f"d-{n}"))) for n in range(300)]
    await asyncio.sleep(0)
    await asyncio.to_thread(inbox.stop)
    assert set(await asyncio.gather(*waiting)) == {Receipt.STORED}
    with pytest.raises(StoreError, match="not running"):
        await inbox.put(delivery("late"))


async def test_start_and_stop_may_be_said_twice(url: str) -> None:
    """And an inbox that was stopped may be started again."""
    inbox = open_inbox(url, HandClock())
    inbox.stop()
    for _ in range(2):
        inbox.start()
        inbox.start()
        await inbox.put(delivery())
        inbox.stop()
        inbox.stop()
        assert not inbox.is_running
    assert len(inbox.pending(9)) == 1  # reading needs no start
    inbox.stop()


def test_many_processes_may_begin_at_once(url: str) -> None:
    """The table is made once."""
    faults = list[BaseException]()
    barrier = threading.Barrier(6)

    def begin() -> None:
        inbox = open_inbox(url, HandClock())
        barrier.wait()
        try:
            inbox.start()
            inbox.stop()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


@pytest.mark.parametrize("wrong", ["", "sqlite:///", "mysql://x/y", "inbox.db"])
def test_a_url_that_is_none(wrong: str) -> None:
    """The message says what to write."""
    with pytest.raises(StoreError, match="sqlite:///PATH"):
        open_inbox(wrong)
