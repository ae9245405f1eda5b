"""Alive, ready, and what is counted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.errors import StoreError
from app.web.health import Health
from tests.app.web import builders
from tests.app.web.builders import Front, front, new_inbox

pytestmark = pytest.mark.anyio


def broken() -> Health:
    raise StoreError("postgresql://user:hunter2@host is down")


def slow() -> Health:
    time.sleep(0.5)
    return Health(ok=True)


async def test_the_process_is_alive(door: Front) -> None:
    """The answer needs nothing but the process."""
    response = await door.client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok\n")


async def test_ready_when_every_check_passes(tmp_path: Path) -> None:
    """All checks are named, the inbox among them."""
    checks = {"database": lambda: Health(ok=True, detail="3 ms")}
    async with front(new_inbox(tmp_path), readiness=checks) as door:
        response = await door.client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "ready": True,
        "checks": {
            "inbox": {"ok": True, "detail": ""},
            "database": {"ok": True, "detail": "3 ms"},
        },
    }


async def test_not_ready_names_what_fails(tmp_path: Path) -> None:
    """The others are shown, too; words of an exception are not."""
    checks = {
        "database": broken,
        "agent": lambda: Health(ok=False, detail="no key"),
        "good": lambda: Health(ok=True),
    }
    async with front(new_inbox(tmp_path), readiness=checks) as door:
        response = await door.client.get("/readyz")
    found = response.json()
    assert (response.status_code, found["ready"]) == (503, False)
    assert found["checks"]["database"] == {"ok": False, "detail": "StoreError"}
    assert found["checks"]["agent"] == {"ok": False, "detail": "no key"}
    assert found["checks"]["good"]["ok"]
    assert "hunter2" not in response.text


async def test_a_check_that_hangs_does_not_hang_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It did not pass, and the page says so in time."""
    monkeypatch.setattr("app.web.health.CHECK_SECONDS", 0.05)
    async with front(new_inbox(tmp_path), readiness={"slow": slow}) as door:
        response = await door.client.get("/readyz")
    assert response.status_code == 503
    assert "no answer" in response.json()["checks"]["slow"]["detail"]


async def test_an_inbox_that_takes_nothing_is_not_ready(door: Front) -> None:
    """Deliveries would be lost: keep them away."""
    door.inbox.stop()
    response = await door.client.get("/readyz")
    assert response.status_code == 503
    assert not response.json()["checks"]["inbox"]["ok"]


async def test_metrics_tell_deliveries_and_the_age_of_the_queue(door: Front) -> None:
    """What became of each webhook, and for how long the oldest one waits."""
    await door.deliver(builders.pull_request())
    await door.deliver(builders.pull_request())
    await door.deliver(builders.pull_request(), X_Hub_Signature_256="x")
    response = await door.client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    lines = response.text.splitlines()
    for result in ("stored", "duplicate", "unsigned"):
        assert f'recloser_deliveries_total{{result="{result}"}} 1.0' in lines
    assert "recloser_webhook_seconds_count 3.0" in lines
    [age] = [
        float(line.split()[1])
        for line in lines
        if line.startswith("recloser_inbox_oldest_pending_seconds ")
    ]
    assert 0 < age < 60


@pytest.mark.parametrize("caller", ["8.8.8.8", "testclient", "2001:4860:4860::8888"])
async def test_metrics_are_not_for_everybody(tmp_path: Path, caller: str) -> None:
    """They name private repositories: from outside there is no such page."""
    async with front(new_inbox(tmp_path), caller=caller) as door:
        response = await door.client.get("/metrics")
    assert response.status_code == 404


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
async def test_metrics_do_not_go_through_a_proxy(door: Front, header: str) -> None:
    """A proxy on this machine speaks for somebody else."""
    response = await door.client.get("/metrics", headers={header: "10.0.0.1"})
    assert response.status_code == 404
