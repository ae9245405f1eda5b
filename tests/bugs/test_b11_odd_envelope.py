"""B11: no installation, no ASCII, no JSON object: never a 500."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import structlog

from tests.app.web import builders
from tests.app.web.builders import WEBHOOK, front, new_inbox, request_headers

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


async def answer(folder: Path, body: bytes, headers: Any) -> tuple[int, str]:
    async with front(new_inbox(folder)) as door:
        response = await door.client.post(WEBHOOK, content=body, headers=headers)
        assert not door.inbox.pending(1)
    return response.status_code, response.text


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        (
            "installation_repositories",
            {"action": "removed", "installation": None, "repositories_removed": [{}]},
        ),
        ("security_advisory", {"action": "published", "security_advisory": {}}),
        ("ping", {"zen": "x", "hook_id": 1}),
    ],
)
async def test_what_means_nothing_to_us_is_welcome(
    tmp_path: Path, event: str, payload: dict[str, Any]
) -> None:
    """A 2xx, not stored, one line in the log."""
    body = json.dumps(payload).encode()
    with structlog.testing.capture_logs() as lines:
        status, _ = await answer(tmp_path, body, request_headers(body, event))
    assert status in (200, 202)
    assert len(lines) == 1


@pytest.mark.parametrize("signature", [b"sha256=\xe9", b"\xff" * 71, None])
async def test_a_signature_that_is_none(
    tmp_path: Path, signature: bytes | None
) -> None:
    """Not ASCII or missing: 401, compared as bytes."""
    body = json.dumps(builders.pull_request()).encode()
    headers = [
        (name.encode(), value.encode())
        for name, value in request_headers(body).items()
        if "Signature" not in name
    ]
    if signature is not None:
        headers.append((b"X-Hub-Signature-256", signature))
    assert (await answer(tmp_path, body, headers))[0] == 401


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "text/plain", "application/jsonp", ""],
)
async def test_a_form_is_told_what_to_set(tmp_path: Path, content_type: str) -> None:
    """The signature is right, the kind is not: 415, and what to do."""
    body = b"payload=%7B%22action%22%3A%22opened%22%7D"
    headers = request_headers(body) | {"Content-Type": content_type}
    status, text = await answer(tmp_path, body, headers)
    assert status == 415
    assert "application/json" in text


@pytest.mark.parametrize("body", [b"[]", b'[{"action": "opened"}]', b"1", b"null"])
async def test_json_that_is_no_object(tmp_path: Path, body: bytes) -> None:
    """Valid, but not an event: 400."""
    assert (await answer(tmp_path, body, request_headers(body)))[0] == 400


async def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    """The signature is over the bytes as they came, the mark included."""
    body = b"\xef\xbb\xbf" + json.dumps(builders.pull_request()).encode()
    async with front(new_inbox(tmp_path)) as door:
        headers = request_headers(body)
        headers["Content-Type"] = "application/json; charset=utf-8"
        response = await door.client.post(WEBHOOK, content=body, headers=headers)
        [stored] = door.inbox.pending(2)
    assert response.status_code == 202
    assert json.loads(stored.body)["action"] == "opened"
