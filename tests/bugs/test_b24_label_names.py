"""B24: label names differ by case, length and speed of others."""

from __future__ import annotations

import pytest

from app.errors import GitHubRefused
from app.github.hub import GitHubHub
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.server import Reply, ScriptedServer

NONE = Reply(body=[])
OK = Reply(body=[])
MADE = Reply(status=201, body={})


def _labels(*names: str) -> Reply:
    return Reply(body=[{"name": name} for name in names])


def _refused(code: str) -> Reply:
    errors = [{"resource": "Label", "code": code, "field": "name"}]
    return Reply(status=422, body={"message": "Validation Failed", "errors": errors})


def _add(hub: GitHubHub, name: str = "needs-human-review", text: str = "why") -> None:
    hub.add_label(3, name, "#d93f0b", text)


def test_a_label_of_other_case_is_reused(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The repository's own spelling is put on, and none is made."""
    server.script = [NONE, _labels("bug", "Needs-Human-Review"), OK]
    _add(hub)
    assert server.sent()[-1] == "POST /repos/o/r/issues/3/labels"
    assert server.requests[-1].body == {"labels": ["Needs-Human-Review"]}
    assert [each.verb for each in server.requests] == ["GET", "GET", "POST"]


def test_a_label_that_is_on_is_left(hub: GitHubHub, server: ScriptedServer) -> None:
    """Nothing is written, so that nobody is told twice."""
    server.script = [_labels("NEEDS-HUMAN-REVIEW")]
    _add(hub)
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["needs-human-review", "🚨", "é" * 50])
def test_a_missing_label_is_made(
    hub: GitHubHub, server: ScriptedServer, name: str
) -> None:
    """With colour and description; any name that GitHub takes is taken."""
    server.script = [NONE, NONE, MADE, OK]
    _add(hub, name)
    made = {"name": name, "color": "d93f0b", "description": "why"}
    assert server.requests[2].body == made
    assert server.requests[3].body == {"labels": [name]}


def test_a_parallel_creator_is_no_error(hub: GitHubHub, server: ScriptedServer) -> None:
    """``already_exists`` is success, with whatever spelling the other chose."""
    theirs = _labels("Needs-human-review")
    server.script = [NONE, NONE, _refused("already_exists"), theirs, OK]
    _add(hub)
    assert server.requests[-1].body == {"labels": ["Needs-human-review"]}


@pytest.mark.parametrize("code", ["invalid", "too_long", "missing_field"])
def test_any_other_422_is_an_error(
    hub: GitHubHub, server: ScriptedServer, code: str
) -> None:
    """A name that GitHub does not take is told, not swallowed."""
    server.script = [NONE, NONE, _refused(code)]
    with pytest.raises(GitHubRefused) as caught:
        _add(hub, "x" * 51)
    assert caught.value.status == 422
    assert code in str(caught.value)


def test_a_long_description_is_cut(hub: GitHubHub, server: ScriptedServer) -> None:
    """101 characters become 100."""
    server.script = [NONE, NONE, MADE, OK]
    _add(hub, text="d" * 101)
    assert server.requests[2].body["description"] == "d" * 99 + "…"


def test_a_label_is_removed_by_its_own_spelling(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Taking off finds the label whatever its case; a 404 means it is gone."""
    server.script = [_labels("A/B 🚨"), Reply(status=404, body={"message": "gone"})]
    hub.remove_label(3, "a/b 🚨")
    assert server.sent()[-1] == (
        "DELETE /repos/o/r/issues/3/labels/A%2FB%20%F0%9F%9A%A8"
    )


def test_a_label_that_is_not_on_is_not_removed(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Nothing to take off, nothing is asked."""
    server.script = [_labels("other")]
    hub.remove_label(3, "needs-human-review")
    assert len(server.requests) == 1
