"""The webhook route: what it takes, what it refuses, and what it never does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import StoreError
from app.jobs.inbox import Delivery, DurableInbox, Overloaded, Receipt
from tests.app.web import builders
from tests.app.web.builders import (
    SECRET,
    WEBHOOK,
    Front,
    front,
    new_inbox,
    request_headers,
    run,
)

pytestmark = pytest.mark.anyio


class FailingInbox(DurableInbox):
    """An inbox that cannot store."""

    def __init__(self, folder: Path, fault: Exception) -> None:
        inner = new_inbox(folder)
        super().__init__(inner._open_table, inner._clock)
        self.fault = fault

    async def put(self, delivery: Delivery) -> Receipt:
        raise self.fault


@pytest.mark.parametrize("event", sorted(builders.EVERY_EVENT))
async def test_every_event_is_stored_before_it_is_answered(
    door: Front, event: str
) -> None:
    """A signed delivery of each event is on the disk when the 202 goes out."""
    payload = builders.EVERY_EVENT[event]
    response = await door.deliver(payload, event, "d-" + event)
    assert (response.status_code, response.json()) == (202, {"status": "stored"})
    stored = door.inbox.get("d-" + event)
    assert stored is not None
    assert json.loads(stored.body) == payload
    assert (stored.event, stored.installation_id) == (event, 7)
    assert stored.repository == ("" if "installation" in event else "octo/hello")
    assert len(door.wakes) == 1


async def test_the_body_is_kept_as_it_came(door: Front) -> None:
    """Not one byte differs: the signature could be checked again."""
    body = b' {"action":"x" , ' + json.dumps(builders.pull_request()).encode()[1:]
    response = await door.client.post(
        WEBHOOK, content=body, headers=request_headers(body)
    )
    assert response.status_code == 202
    [stored] = door.inbox.pending(2)
    assert stored.body == body


async def test_a_ping_is_answered(door: Front) -> None:
    """GitHub's first word needs no more than a yes."""
    response = await door.deliver({"zen": "x", "hook_id": 1}, "ping")
    assert (response.status_code, response.json()["status"]) == (200, "pong")
    assert not door.inbox.pending(1)


async def test_an_unknown_event_is_ignored_with_one_line(door: Front) -> None:
    """It is fine with us, and not stored."""
    with structlog.testing.capture_logs() as lines:
        response = await door.deliver({"action": "created"}, "star")
    assert (response.status_code, response.json()["status"]) == (202, "ignored")
    assert not door.inbox.pending(1)
    assert len(lines) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Hub_Signature_256": ""},
        {"X_Hub_Signature_256": "sha256=" + "0" * 64},
        {"X_Hub_Signature_256": "sha1=" + "0" * 40},
    ],
)
async def test_a_wrong_signature_is_refused(
    door: Front, headers: dict[str, str]
) -> None:
    """Nothing is stored and nobody is woken."""
    response = await door.deliver(builders.pull_request(), **headers)
    assert (response.status_code, response.json()["status"]) == (401, "unsigned")
    assert not door.inbox.pending(1)
    assert not door.wakes


async def test_an_unsigned_request_learns_nothing_else(door: Front) -> None:
    """Without a signature every body is the same to us: 401."""
    for content in (b"", b"[]", b"{", b"a=b"):
        response = await door.client.post(WEBHOOK, content=content)
        assert response.status_code == 401


async def test_two_signatures_are_none(door: Front) -> None:
    """A header that came twice is not chosen from."""
    body = json.dumps(builders.pull_request()).encode()
    headers = list(request_headers(body).items())
    headers.append(("X-Hub-Signature-256", "sha256=" + "0" * 64))
    response = await door.client.post(WEBHOOK, content=body, headers=headers)
    assert response.status_code == 401


async def test_both_secrets_are_taken(tmp_path: Path) -> None:
    """While the secret changes, deliveries with the old one still come in."""
    body = json.dumps(builders.pull_request()).encode()
    async with front(new_inbox(tmp_path), secrets=(b"new-secret", SECRET)) as door:
        for number, secret in enumerate((SECRET, b"new-secret")):
            headers = request_headers(body, delivery=f"d-{number}", secret=secret)
            response = await door.client.post(WEBHOOK, content=body, headers=headers)
            assert response.status_code == 202


async def test_without_secrets_nobody_gets_in(tmp_path: Path) -> None:
    """An empty list is not "no check"."""
    body = json.dumps(builders.pull_request()).encode()
    async with front(new_inbox(tmp_path), secrets=()) as door:
        headers = request_headers(body, secret=b"")
        response = await door.client.post(WEBHOOK, content=body, headers=headers)
    assert response.status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"\xff\xfe{}",
        b"[" * 50_000,
        b'{"a":' * 15_000,
        b'{"a":' + b"9" * 5_000 + b"}",
    ],
)
async def test_garbage_with_a_right_signature(door: Front, body: bytes) -> None:
    """What is no JSON object is a 400, however it is broken."""
    response = await door.client.post(
        WEBHOOK, content=body, headers=request_headers(body)
    )
    assert (response.status_code, response.json()["status"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X_GitHub_Event", ""),
        ("X_GitHub_Event", "pull request"),
        ("X_GitHub_Event", "x" * 65),
        ("X_GitHub_Delivery", ""),
        ("X_GitHub_Delivery", "x" * 129),
        ("X_GitHub_Delivery", "a'b"),
    ],
)
async def test_event_and_delivery_must_be_named(
    door: Front, name: str, value: str
) -> None:
    """The text says which header is missing or unusable."""
    response = await door.deliver(builders.pull_request(), **{name: value})
    assert response.status_code == 400
    assert name.replace("_", "-") in response.json()["detail"]


async def test_an_event_that_lacks_its_content_is_told(door: Front) -> None:
    """GitHub's log shows what was missing, so that it may be sent again."""
    payload = builders.pull_request()
    payload["pull_request"] = None
    response = await door.deliver(payload)
    assert response.status_code == 400
    assert "head SHA" in response.json()["detail"] or "number" in response.text


async def test_a_large_body_is_refused(door: Front) -> None:
    """The size that is declared is believed when it is too much."""
    body = b"x" * 100_001
    response = await door.client.post(
        WEBHOOK, content=body, headers=request_headers(body)
    )
    assert (response.status_code, response.json()["status"]) == (413, "too_large")


async def test_the_largest_body_is_taken(door: Front) -> None:
    """The limit is what may come, not what may not."""
    body = json.dumps(builders.pull_request()).encode().ljust(100_000)
    response = await door.client.post(
        WEBHOOK, content=body, headers=request_headers(body)
    )
    assert (response.status_code, len(body)) == (202, 100_000)


async def test_a_body_of_unknown_size_is_cut_off(door: Front) -> None:
    """What is not declared is counted, and not read to its end."""
    sent = list[int]()

    async def endless() -> AsyncIterator[bytes]:
        for number in range(1_000):
            sent.append(number)
            yield b"x" * 10_000

    response = await door.client.post(WEBHOOK, content=endless())
    assert response.status_code == 413
    assert len(sent) < 20


@pytest.mark.parametrize("length", ["-1", "9" * 5_000, "1e9", "0x10"])
async def test_an_absurd_length_is_no_fault_of_ours(door: Front, length: str) -> None:
    """A header is text and may say anything."""
    body = json.dumps(builders.pull_request()).encode()
    headers = request_headers(body) | {"Content-Length": length}
    response = await door.client.post(WEBHOOK, content=body, headers=headers)
    assert response.status_code in (202, 413)


async def test_a_body_that_does_not_come_is_not_waited_for(
    door: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection is not held open for ever."""
    monkeypatch.setattr("app.web.webhook.BODY_SECONDS", 0.05)
    scope = {
        "type": "http",
        "method": "POST",
        "path": WEBHOOK,
        "query_string": b"",
        "headers": [],
    }
    sent = list[dict[str, object]]()

    async def receive() -> dict[str, object]:
        await asyncio.sleep(5)
        raise AssertionError("waited")

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        sent.append(message)

    await door.app(scope, receive, send)
    assert sent[0]["status"] == 408


async def test_the_same_delivery_twice(door: Front) -> None:
    """The second is welcome, and is no work (B12)."""
    payload = builders.pull_request()
    first, second = await door.deliver(payload), await door.deliver(payload)
    assert (first.status_code, first.json()["status"]) == (202, "stored")
    assert (second.status_code, second.json()["status"]) == (202, "duplicate")
    assert len(door.inbox.pending(9)) == 1
    assert len(door.wakes) == 1


async def test_a_delivery_that_is_done(door: Front) -> None:
    """It is answered by 200: already done."""
    await door.deliver(builders.pull_request())
    [stored] = door.inbox.pending(9)
    door.inbox.mark([stored.id], "done")
    again = await door.deliver(builders.pull_request())
    assert (again.status_code, again.json()["status"]) == (200, "already_done")
    assert not door.inbox.pending(9)


async def test_a_delivery_that_failed_runs_again(door: Front) -> None:
    """A redelivery by hand does something."""
    await door.deliver(builders.pull_request())
    [stored] = door.inbox.pending(9)
    door.inbox.mark([stored.id], "failed", "GitHub was down")
    again = await door.deliver(builders.pull_request())
    assert (again.status_code, again.json()["status"]) == (202, "runs_again")
    [stored] = door.inbox.pending(9)
    assert (stored.attempts, stored.error) == (0, "")
    assert len(door.wakes) == 2


@pytest.mark.parametrize(
    ("fault", "result"),
    [
        (StoreError("disk full"), "not_stored"),
        (Overloaded("too many"), "overloaded"),
        (RuntimeError("a bug"), "failed"),
    ],
)
async def test_what_cannot_be_kept_is_a_503(
    tmp_path: Path, fault: Exception, result: str
) -> None:
    """Never a 500 and never a 2xx: GitHub shows it, and it may come again."""
    with structlog.testing.capture_logs() as lines:
        async with front(FailingInbox(tmp_path, fault)) as door:
            response = await door.deliver(builders.pull_request())
            text = door.metrics.text().decode()
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0
    assert f'recloser_deliveries_total{{result="{result}"}} 1.0' in text
    assert [line["log_level"] for line in lines] == ["error"]


async def test_an_inbox_that_does_not_answer_is_a_503(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub hears from us before it gives up by itself."""
    monkeypatch.setattr("app.web.webhook.STORE_SECONDS", 0.05)

    class SilentInbox(FailingInbox):
        async def put(self, delivery: Delivery) -> Receipt:
            await asyncio.sleep(5)
            raise AssertionError("waited")

    async with front(SilentInbox(tmp_path, StoreError(""))) as door:
        response = await door.deliver(builders.pull_request())
    assert response.status_code == 503


async def test_a_deaf_dispatcher_does_not_deny_what_is_stored(tmp_path: Path) -> None:
    """It is on the disk, so the answer is 202."""

    def deaf() -> None:
        raise RuntimeError("nobody there")

    async with front(new_inbox(tmp_path), on_stored=deaf) as door:
        response = await door.deliver(builders.pull_request())
        assert response.status_code == 202
        assert len(door.inbox.pending(9)) == 1


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
async def test_only_post_is_taken(door: Front, method: str) -> None:
    """Everything else is told which method there is."""
    response = await door.client.request(method, WEBHOOK)
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


async def test_neither_headers_nor_body_are_logged(door: Front) -> None:
    """Secrets came in headers before; words of users stay out, too."""
    canary = "canary-" * 3
    payload = builders.pull_request(title=canary)
    with structlog.testing.capture_logs() as lines:
        await door.deliver(payload, X_Github_Encoded_Secret=canary)
        await door.deliver(payload, X_Hub_Signature_256=canary)
        await door.deliver({"comment": canary}, "issue_comment", "d-2")
    assert len(lines) == 3
    assert canary not in str(lines)


@pytest.fixture(scope="module")
def quiet() -> Iterator[None]:
    """Keep the many refusals of a search out of the output."""
    with structlog.testing.capture_logs():
        yield


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    body=st.binary(max_size=300) | st.sampled_from([b"{}", b"[]", b"nul"]),
    event=st.sampled_from([*builders.EVERY_EVENT, "ping", "star"]) | st.text(),
    delivery=st.text(max_size=140),
    content_type=st.sampled_from(["application/json"]) | st.text(max_size=30),
    is_signed=st.booleans(),
    other=st.dictionaries(
        st.text(st.characters(codec="ascii", categories=["L"]), min_size=1),
        st.binary(max_size=20),
        max_size=3,
    ),
)
def test_never_a_500(
    tmp_path: Path,
    quiet: None,
    body: bytes,
    event: str,
    delivery: str,
    content_type: str,
    is_signed: bool,
    other: dict[str, bytes],
) -> None:
    """Whatever bytes come, signed or not: an answer that we meant to give."""
    headers = [
        (b"x-github-event", event.encode("utf-8", "replace")),
        (b"x-github-delivery", delivery.encode("utf-8", "replace")),
        (b"content-type", content_type.encode("utf-8", "replace")),
        *((name.encode(), value) for name, value in other.items()),
    ]
    if is_signed:
        signature = request_headers(body)["X-Hub-Signature-256"]
        headers.append((b"x-hub-signature-256", signature.encode()))

    async def send() -> int:
        async with front(new_inbox(tmp_path)) as door:
            response = await door.client.post(WEBHOOK, content=body, headers=headers)
            return response.status_code

    assert run(send) in (200, 202, 400, 401, 413, 415)
