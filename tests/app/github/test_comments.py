"""The sticky comment: one, ours, and always the newest words."""

from __future__ import annotations

import pytest

from app.github.hub import GitHubHub
from app.github.limits import MOST_TEXT
from tests.app.github.server import Reply, ScriptedServer

MARKER = "<!-- recloser:handoff:3 -->"
BODY = f"words\n\n{MARKER}"
APP = Reply(body={"slug": "recloser"})


def _comment(body: str, **more: object) -> Reply:
    ours = {"performed_via_github_app": {"id": 7}, "user": None}
    return Reply(body=[{"id": 4, "body": body, **ours, **more}])


def test_the_first_time_it_is_written(hub: GitHubHub, server: ScriptedServer) -> None:
    """Without a comment of ours one is made."""
    server.script = [Reply(body=[]), Reply(status=201, body={"id": 4})]
    hub.upsert_comment(3, MARKER, BODY)
    assert server.sent()[-1] == "POST /repos/o/r/issues/3/comments"
    assert server.requests[-1].body == {"body": BODY}


def test_it_is_edited_in_place(hub: GitHubHub, server: ScriptedServer) -> None:
    """New words replace the old ones."""
    server.script = [_comment(f"old\n\n{MARKER}"), Reply(body={})]
    hub.upsert_comment(3, MARKER, BODY)
    assert server.sent()[-1] == "PATCH /repos/o/r/issues/comments/4"
    assert server.requests[-1].body == {"body": BODY}


@pytest.mark.parametrize("body", [BODY, BODY.replace("\n", "\r\n")])
def test_the_same_words_are_not_written_again(
    hub: GitHubHub, server: ScriptedServer, body: str
) -> None:
    """An edit that changes nothing would only notify people."""
    server.script = [_comment(body)]
    hub.upsert_comment(3, MARKER, BODY)
    assert len(server.requests) == 1


@pytest.mark.parametrize("user", [None, {"login": "mallory", "type": "User"}])
def test_the_comment_of_another_is_not_touched(
    hub: GitHubHub, server: ScriptedServer, user: object
) -> None:
    """A marker in somebody's words does not make them ours (B32)."""
    forged = _comment(BODY, performed_via_github_app=None, user=user)
    server.script = [forged, Reply(status=201, body={"id": 5})]
    hub.upsert_comment(3, MARKER, BODY)
    assert server.requests[-1].verb == "POST"


def test_a_lost_answer_writes_no_second_comment(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """After a 502 the comment is looked for first."""
    server.script = [Reply(body=[]), Reply(status=502), _comment(BODY)]
    hub.upsert_comment(3, MARKER, BODY)
    assert server.script == []


def test_a_long_comment_keeps_its_marker(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The marker is there after the cut, and only once."""
    server.script = [Reply(body=[]), Reply(status=201, body={"id": 4})]
    hub.upsert_comment(3, MARKER, MARKER + "x" * 90_000 + MARKER)
    body = server.requests[-1].body["body"]
    assert len(body.encode()) <= MOST_TEXT
    assert body.count(MARKER) == 1
