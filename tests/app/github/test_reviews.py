"""One review, whatever happens on its way."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import GitHubRefused
from app.github.hub import GitHubHub
from app.github.limits import MOST_TEXT
from app.ports import ReviewComment
from tests.app.github.server import Reply, ScriptedServer

SHA = "a" * 40
MARKER = "<!-- recloser:review:1 -->"
APP = Reply(body={"slug": "recloser"})
US = {"login": "recloser[bot]", "type": "Bot"}
NONE = Reply(body=[])
OK = Reply(body={"id": 1})
INVALID = Reply(
    status=422,
    body={"message": "Unprocessable Entity", "errors": ["Line must be in the diff"]},
)


def _comment(line: int, path: str = "a.py", start: int | None = None) -> ReviewComment:
    return ReviewComment(path=path, line=line, body=f"body {line}", start_line=start)


def _post(hub: GitHubHub, *comments: ReviewComment, body: str = "words") -> None:
    hub.post_review(3, SHA, f"{body}\n\n{MARKER}", comments, MARKER)


def _review(**more: object) -> Reply:
    return Reply(body=[{"id": 1, "body": f"x {MARKER}", "user": US, **more}])


def _files(patch: str | None) -> tuple[Reply, Reply]:
    row = {"filename": "a.py", "status": "modified", "changes": 1, "patch": patch}
    return Reply(body=[row]), Reply(body={"changed_files": 1})


def _lines(request: Any) -> list[int]:
    return [each["line"] for each in request.body["comments"]]


def test_a_review_is_posted_on_its_commit(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """It comments, approves nothing, and names the commit that was reviewed."""
    server.script = [NONE, OK]
    _post(hub, _comment(5), _comment(9, start=7))
    sent = server.requests[-1].body
    assert sent == {
        "commit_id": SHA,
        "event": "COMMENT",
        "body": f"words\n\n{MARKER}",
        "comments": [
            {"path": "a.py", "line": 5, "side": "RIGHT", "body": "body 5"},
            {
                "path": "a.py",
                "line": 9,
                "side": "RIGHT",
                "body": "body 9",
                "start_line": 7,
                "start_side": "RIGHT",
            },
        ],
    }


def test_a_review_that_stands_is_not_repeated(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Our marker in a review of ours is enough; the list may be odd (B10)."""
    ghost = {"id": 2, "body": None, "user": None}
    ours = {"id": 1, "body": MARKER, "user": US}
    server.script = [Reply(body=[ghost, ours]), APP]
    _post(hub, _comment(5))
    assert server.script == []


@pytest.mark.parametrize(
    "user",
    [
        {"login": "mallory", "type": "User"},
        {"login": "recloser", "type": "User"},
        {"login": "recloser[bot]", "type": "User"},
        {"login": "other[bot]", "type": "Bot"},
        None,
    ],
)
def test_a_forged_marker_silences_nobody(
    hub: GitHubHub, server: ScriptedServer, user: dict[str, str] | None
) -> None:
    """A review of somebody else that carries our marker does not count."""
    asks_who_we_are = [APP] if user and user["type"] == "Bot" else []
    server.script = [_review(user=user), *asks_who_we_are, OK]
    _post(hub)
    assert server.requests[-1].verb == "POST"


def test_a_lost_answer_posts_no_second_review(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """After a 502 the review is looked for first."""
    server.script = [NONE, Reply(status=502), _review(), APP]
    _post(hub)
    assert server.script == []


def test_a_line_outside_the_diff_moves_into_the_body(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The good comments stay on their lines (B23)."""
    patch = "@@ -1,2 +1,3 @@\n a\n+b\n c\n@@ -20 +21 @@ def f():\n-x\n+y"
    server.script = [NONE, INVALID, *_files(patch), OK]
    _post(
        hub,
        _comment(2),
        _comment(4),
        _comment(21),
        _comment(22),
        _comment(21, start=3),
        _comment(1, path="other.py"),
    )
    assert _lines(server.requests[-1]) == [2, 21]
    body = server.requests[-1].body["body"]
    assert "`a.py` line 4:\n\nbody 4" in body
    assert "`other.py` line 1:\n\nbody 1" in body
    assert body.endswith(MARKER)


def test_a_file_without_a_patch_has_no_lines(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """What GitHub does not show cannot be commented on (B01)."""
    server.script = [NONE, INVALID, *_files(None), OK]
    _post(hub, _comment(2))
    assert _lines(server.requests[-1]) == []
    assert "body 2" in server.requests[-1].body["body"]


def test_a_refusal_that_no_line_explains_costs_only_the_places(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """When all lines look right the words are still posted."""
    server.script = [NONE, INVALID, *_files("@@ -1 +1,9 @@\n+b"), OK]
    _post(hub, _comment(2), _comment(3))
    assert _lines(server.requests[-1]) == []
    assert "body 2" in server.requests[-1].body["body"]
    assert "body 3" in server.requests[-1].body["body"]


def test_a_second_refusal_leaves_the_words(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """A diff that moved meanwhile costs the places, never the words."""
    server.script = [NONE, INVALID, *_files("@@ -1 +2 @@\n+b"), INVALID, OK]
    _post(hub, _comment(2), _comment(3))
    assert _lines(server.requests[-1]) == []
    assert "body 2" in server.requests[-1].body["body"]


def test_a_refusal_of_the_words_is_an_error(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Without comments there is nothing to leave out."""
    server.script = [NONE, INVALID]
    with pytest.raises(GitHubRefused):
        _post(hub)


def test_the_31st_comment_is_folded(hub: GitHubHub, server: ScriptedServer) -> None:
    """Thirty stand on lines, the rest in the body."""
    server.script = [NONE, OK]
    _post(hub, *(_comment(n) for n in range(1, 33)))
    sent = server.requests[-1]
    assert _lines(sent) == list(range(1, 31))
    assert "body 31" in sent.body["body"]
    assert "body 32" in sent.body["body"]


def test_a_long_body_keeps_its_marker(hub: GitHubHub, server: ScriptedServer) -> None:
    """The marker survives the cut, or the review would be posted again."""
    server.script = [NONE, OK]
    _post(hub, body="x" * 100_000)
    body = server.requests[-1].body["body"]
    assert body.endswith(MARKER)
    assert len(body.encode()) <= MOST_TEXT
