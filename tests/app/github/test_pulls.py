"""Pull requests as GitHub sends them, with everything missing that may be."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import GitHubRefused, GitHubUnavailable
from app.github.hub import GitHubHub
from app.ports import PullRequest
from tests.app.github.server import Reply, ScriptedServer


def _pull(**more: Any) -> dict[str, Any]:
    repository = {"full_name": "o/r", "default_branch": "trunk"}
    return {
        "number": 3,
        "state": "open",
        "draft": False,
        "title": "Title",
        "body": "Body",
        "user": {"login": "ada", "type": "User"},
        "base": {"ref": "main", "sha": "b" * 40, "repo": repository},
        "head": {"ref": "topic", "sha": "a" * 40, "repo": repository},
        "labels": [{"name": "bug"}],
        "changed_files": 2,
        "html_url": "https://github.com/o/r/pull/3",
        **more,
    }


def test_a_pull_request_is_one_request(hub: GitHubHub, server: ScriptedServer) -> None:
    """All that the core wants to know comes with the first answer."""
    server.script = [Reply(body=_pull())]
    assert hub.pull(3) == PullRequest(
        number=3,
        state="open",
        is_draft=False,
        title="Title",
        body="Body",
        author="ada",
        author_is_bot=False,
        base_ref="main",
        base_sha="b" * 40,
        head_ref="topic",
        head_sha="a" * 40,
        labels=("bug",),
        changed_files=2,
        default_branch="trunk",
        url="https://github.com/o/r/pull/3",
    )
    assert server.sent() == ["GET /repos/o/r/pulls/3"]


def test_a_deleted_fork_is_no_hindrance(hub: GitHubHub, server: ScriptedServer) -> None:
    """Without head repository and head user it is still read (B09)."""
    head = {"label": "unknown", "ref": "patch-1", "sha": "c" * 40, "repo": None}
    server.script = [Reply(body=_pull(head=head))]
    pull = hub.pull(3)
    assert (pull.head_ref, pull.head_sha) == ("patch-1", "c" * 40)


def test_a_deleted_author_is_nobody(hub: GitHubHub, server: ScriptedServer) -> None:
    """A ghost has no name, and is no bot (B10)."""
    server.script = [Reply(body=_pull(user=None, body=None, labels=[]))]
    pull = hub.pull(3)
    assert pull.author == ""
    assert pull.author_is_bot is False
    assert pull.body == ""


@pytest.mark.parametrize(
    ("user", "is_bot"),
    [
        ({"login": "dependabot[bot]", "type": "Bot"}, True),
        ({"login": "recloser-bot", "type": "User"}, False),
        ({"login": "x[bot]", "type": "User"}, False),
        ({"login": "Copilot", "type": "Bot"}, True),
    ],
)
def test_only_the_type_makes_a_bot(
    hub: GitHubHub, server: ScriptedServer, user: dict[str, str], is_bot: bool
) -> None:
    """A user is never taken for a bot, whatever the name (B18)."""
    server.script = [Reply(body=_pull(user=user))]
    assert hub.pull(3).author_is_bot is is_bot


def test_a_missing_pull_request_is_refused(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """A 404 is an answer, not an outage."""
    server.script = [Reply(status=404, body={"message": "Not Found"})]
    with pytest.raises(GitHubRefused) as caught:
        hub.pull(3)
    assert caught.value.status == 404


@pytest.mark.parametrize("gone", ["base", "head", "labels", "state"])
def test_an_answer_that_lacks_its_parts_is_unavailable(
    hub: GitHubHub, server: ScriptedServer, gone: str
) -> None:
    """What is no pull request ends in an error of ours, never in a traceback."""
    server.script = [Reply(body={**_pull(), gone: 7})]
    with pytest.raises(GitHubUnavailable):
        hub.pull(3)


def test_a_pull_request_is_found_by_its_head(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Closed ones, older heads and other repositories are left out (B17)."""
    sha = "a" * 40
    elsewhere = {"ref": "main", "repo": {"full_name": "fork/r"}}
    server.script = [
        Reply(
            body=[
                _pull(number=9),
                _pull(number=3),
                _pull(number=4, state="closed"),
                _pull(number=5, head={"sha": "d" * 40}),
                _pull(number=6, base=elsewhere),
                _pull(number=7, base={"ref": "main", "repo": None}),
            ]
        )
    ]
    assert hub.pulls_for_commit(sha) == [3, 9]


@pytest.mark.parametrize(
    ("answer", "role"),
    [
        ({"permission": "write", "role_name": "maintain"}, "maintain"),
        ({"permission": "read", "role_name": "triage"}, "triage"),
        ({"permission": "write", "role_name": "our custom role"}, "write"),
        ({"permission": "admin"}, "admin"),
    ],
)
def test_the_role_of_an_account_is_read(
    hub: GitHubHub, server: ScriptedServer, answer: dict[str, str], role: str
) -> None:
    """The finer name counts where it is one of GitHub's own."""
    server.script = [Reply(body=answer)]
    assert hub.permission("a[bot]") == role
    assert server.sent() == ["GET /repos/o/r/collaborators/a%5Bbot%5D/permission"]


def test_nobody_has_no_role(hub: GitHubHub, server: ScriptedServer) -> None:
    """A ghost and a stranger may do nothing (B10)."""
    server.script = [Reply(status=404, body={"message": "Not Found"})]
    assert hub.permission("") == "none"
    assert hub.permission("stranger") == "none"
    assert len(server.requests) == 1
