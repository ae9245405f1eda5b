"""The client against a real server that misbehaves in every way we know."""

from __future__ import annotations

import sys
import threading

import pytest

from app.errors import GitHubError, GitHubLimited, GitHubRefused, GitHubUnavailable
from app.github.client import GitHubClient
from tests.app.github.server import FixedClock, Reply, ScriptedServer

OK = Reply(body={"ok": True})


def test_a_request_says_who_and_which_version(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """Version, agent and token are on every request."""
    server.script = [OK]
    assert client.get("/x", a=1) == {"ok": True}
    headers = server.requests[0].headers
    assert server.requests[0].path == "/x?a=1"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["user-agent"] == "recloser"
    assert headers["authorization"] == "token token-1"


def test_a_read_is_repeated_after_5xx(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock
) -> None:
    """Three more tries, with growing waits between them."""
    server.script = [Reply(status=502)] * 3 + [OK]
    assert client.get("/x") == {"ok": True}
    assert len(server.requests) == 4
    assert sum(clock.slept) > 2


def test_a_read_that_always_fails_is_unavailable(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """After the last try the status is still known."""
    server.script = [Reply(status=503)] * 4
    with pytest.raises(GitHubUnavailable) as caught:
        client.get("/x")
    assert caught.value.status == 503
    assert server.script == []


@pytest.mark.parametrize("verb", ["POST", "PATCH"])
@pytest.mark.parametrize("reply", [Reply(status=502), Reply(hang_up=True)])
def test_an_unsafe_write_is_sent_once(
    client: GitHubClient, server: ScriptedServer, verb: str, reply: Reply
) -> None:
    """What may have been carried out is not sent again by itself."""
    server.script = [reply, OK, OK]
    with pytest.raises(GitHubUnavailable):
        client.send(verb, "/x", {"a": 1})
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(hang_up=True),
        Reply(body=b'{"a": "half an answ', cut=True),
        Reply(body=b'{"a": "no JSON'),
        Reply(body=b"<html>proxy</html>"),
    ],
)
def test_a_read_survives_a_broken_answer(
    client: GitHubClient, server: ScriptedServer, reply: Reply
) -> None:
    """A connection or a body that breaks off costs one more try."""
    server.script = [reply, OK]
    assert client.get("/x") == {"ok": True}


def test_answers_that_stay_broken_are_unavailable(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """Half a body is never taken for an answer."""
    server.script = [Reply(body=b'{"a": 1', cut=True)] * 2
    with pytest.raises(GitHubUnavailable):
        client.get("/x")


def test_an_unreachable_server_is_unavailable(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """No connection is an error of ours like any other."""
    server.script = [OK]
    client.get("/x")
    server.__exit__()
    with pytest.raises(GitHubUnavailable):
        client.get("/x")


def test_a_html_error_page_is_understood(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """An error without JSON keeps its status."""
    server.script = [Reply(status=404, body=b"<html>")]
    with pytest.raises(GitHubRefused) as caught:
        client.get("/x")
    assert caught.value.status == 404


def test_a_moved_write_is_sent_on(client: GitHubClient, server: ScriptedServer) -> None:
    """A 307 (a renamed repository) is followed with the same body."""
    moved = Reply(status=307, headers={"location": f"{server.url}/repositories/1/x"})
    server.script = [moved, Reply(status=201, body={"id": 5})]
    assert client.send("POST", "/repos/o/r/x", {"a": 1}).data == {"id": 5}
    assert server.sent() == ["POST /repos/o/r/x", "POST /repositories/1/x"]
    assert server.requests[1].body == {"a": 1}


@pytest.mark.parametrize("location", ["http://evil.example/x", "", "relative"])
def test_a_move_to_elsewhere_is_refused(
    client: GitHubClient, server: ScriptedServer, location: str
) -> None:
    """The token goes to no other host, and a lost write is no success."""
    server.script = [Reply(status=307, headers={"location": location})]
    with pytest.raises(GitHubRefused):
        client.send("POST", "/x", {})
    assert len(server.requests) == 1


def test_a_second_move_is_refused(client: GitHubClient, server: ScriptedServer) -> None:
    """Redirects are not followed in circles."""
    moved = Reply(status=307, headers={"location": f"{server.url}/x"})
    server.script = [moved, moved]
    with pytest.raises(GitHubRefused, match="moved"):
        client.send("POST", "/x", {})


def test_pages_are_read_to_the_end(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """As long as there is a next page it is asked for, whatever host it names."""
    following = {"link": '<http://localhost/x?page=2>; rel="next"'}
    server.script = [
        Reply(body=[{"id": 1}, None, {"id": 2}], headers=following),
        Reply(body=[{"id": 3}]),
    ]
    assert [each["id"] for each in client.pages("/x", state="open")] == [1, 2, 3]
    assert server.sent() == [
        "GET /x?page=1&per_page=100&state=open",
        "GET /x?page=2&per_page=100&state=open",
    ]


def test_a_page_that_repeats_is_an_error(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """A list that never ends is noticed at its second page."""
    page = Reply(body=[{"id": 1}], headers={"link": '<x>; rel="next"'})
    server.script = [page, page, page]
    with pytest.raises(GitHubUnavailable, match="repeats"):
        list(client.pages("/x"))


def test_a_list_that_is_none_is_an_error(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """An object where a list was due is no empty list."""
    server.script = [OK]
    with pytest.raises(GitHubUnavailable, match="no list"):
        list(client.pages("/x"))


def test_writes_keep_their_pace(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock
) -> None:
    """A second lies between two writes, and nothing between reads."""
    server.script = [Reply(status=201, body={})] * 3 + [OK] * 3
    for _ in range(3):
        client.send("POST", "/x", {})
    assert clock.slept == [1.0, 1.0]
    for _ in range(3):
        client.get("/x")
    assert clock.slept == [1.0, 1.0]


def test_a_short_limit_on_a_write_is_waited_for(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock
) -> None:
    """A limited POST was not carried out: wait as asked, then send it again."""
    limited = Reply(status=403, headers={"retry-after": "3"}, body={"message": "no"})
    server.script = [limited, Reply(status=201, body={"id": 1})]
    assert client.send("POST", "/x", {}).data == {"id": 1}
    assert 3.0 <= clock.slept[0] <= 4.0


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("verb", ["GET", "POST", "PATCH", "DELETE"])
def test_a_long_limit_is_handed_up(
    client: GitHubClient,
    server: ScriptedServer,
    clock: FixedClock,
    verb: str,
    status: int,
) -> None:
    """No thread sleeps for minutes, and GitHub's wish is not cut short."""
    server.script = [Reply(status=status, headers={"retry-after": "400"}, body={})] * 9
    with pytest.raises(GitHubLimited) as caught:
        client.send(verb, "/x")
    assert caught.value.retry_after == 400
    assert len(server.requests) == 1
    assert clock.slept == []


def test_a_short_limit_on_a_read_is_waited_for(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock
) -> None:
    """The header's seconds are waited in full."""
    limited = Reply(status=429, headers={"retry-after": "7"}, body={"message": "no"})
    server.script = [limited, OK]
    assert client.get("/x") == {"ok": True}
    assert clock.slept == [7.0]


def test_tokens_do_not_show_in_errors(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """Neither text nor representation of an error holds the token."""
    server.script = [Reply(status=500, body={"message": "x"})] * 4
    with pytest.raises(GitHubError) as caught:
        client.get("/x")
    error: BaseException | None = caught.value
    while error is not None:
        assert "token-1" not in f"{error} {error!r}"
        error = error.__cause__


def test_many_threads_share_a_client_and_one_token(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """Sixteen threads at once: every write arrives once, one token is minted."""
    server.script = [Reply(status=201, body={})] * 160
    client._pacer._interval *= 0

    def write(thread: int) -> None:
        for number in range(10):
            client.send("POST", f"/x/{thread}/{number}", {"n": number})

    threads = [threading.Thread(target=write, args=(n,)) for n in range(16)]
    # Often enough to lose writes in a client that is shared carelessly.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    wanted = {f"/x/{thread}/{number}" for thread in range(16) for number in range(10)}
    assert sorted(each.path for each in server.requests) == sorted(wanted)
    assert server.minted == ["token-1"]
