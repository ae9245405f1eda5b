"""The tolerant border: any JSON object in, a value without surprises out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.web.events import (
    READERS,
    CheckEvent,
    CommentEvent,
    Ignored,
    InstallationEvent,
    Malformed,
    MergeGroupEvent,
    PullEvent,
    PushEvent,
    RepositoryEvent,
    ReviewEvent,
    parse,
)
from tests.app.web import builders
from tests.app.web.builders import SHA

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from([SHA, "octo/hello", "Bot", "\ud800", "x\0y"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def test_a_pull_request() -> None:
    """Every field is found where GitHub puts it."""
    event = parse("pull_request", builders.pull_request("labeled", label={"name": "x"}))
    assert event == PullEvent(
        action="labeled",
        installation_id=7,
        repository_id=99,
        repository="octo/hello",
        sender="mona",
        sender_is_bot=False,
        number=5,
        head_sha=SHA,
        base_ref="main",
        updated_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        label="x",
        changes_base=False,
        is_closed=False,
    )


def test_a_closed_pull_request_with_a_new_base() -> None:
    """State and changes are read."""
    payload = builders.pull_request("edited", changes={"base": {"ref": {"from": "d"}}})
    payload["pull_request"]["state"] = "closed"
    event = parse("pull_request", payload)
    assert isinstance(event, PullEvent)
    assert event.changes_base
    assert event.is_closed


def test_a_check_run_with_a_button() -> None:
    """App, head, external id and the pressed button are read."""
    payload = builders.check_run(
        "requested_action", requested_action={"identifier": "retry"}
    )
    event = parse("check_run", payload)
    assert isinstance(event, CheckEvent)
    assert (event.kind, event.app_id, event.head_sha) == (
        "check_run",
        builders.APP_ID,
        SHA,
    )
    assert event.identifier == "retry"
    assert event.external_id == f"octo/hello#5@{SHA}"
    assert event.pulls == (5,)


def test_pull_requests_of_other_repositories_are_left_out() -> None:
    """A check lists pull requests of forks' owners, too; they are not ours (B17)."""
    payload = builders.check_run()
    payload["check_run"]["pull_requests"] = [
        {"number": 1, "base": {"repo": {"id": 98}}},
        {"number": 2, "base": None},
        None,
        {"number": 5, "base": {"repo": {"id": 99}}},
        {"number": 5, "base": {"repo": {"id": 99}}},
    ]
    event = parse("check_run", payload)
    assert isinstance(event, CheckEvent)
    assert event.pulls == (5,)


def test_a_new_comment() -> None:
    """Text, place and the app that wrote it are read."""
    payload = builders.comment(performed_via_github_app={"id": 12345})
    event = parse("issue_comment", payload)
    assert isinstance(event, CommentEvent)
    assert (event.number, event.is_pull, event.comment_id) == (5, True, 3)
    assert event.body == "/recloser retry"
    assert event.via_app_id == 12345


@pytest.mark.parametrize("action", ["edited", "deleted"])
def test_an_edited_comment_is_no_command(action: str) -> None:
    """Only what was written anew is read."""
    assert isinstance(parse("issue_comment", builders.comment(action)), Ignored)


def test_a_review() -> None:
    """Author, state and reviewed head are read."""
    event = parse("pull_request_review", builders.review())
    assert isinstance(event, ReviewEvent)
    assert (event.number, event.review_id, event.head_sha) == (5, 4, SHA)
    assert (event.state, event.author) == ("approved", "coderabbitai[bot]")
    assert event.author_is_bot


def test_a_merge_group() -> None:
    """The group's head and branch are read."""
    event = parse("merge_group", builders.merge_group())
    assert isinstance(event, MergeGroupEvent)
    assert (event.action, event.head_sha) == ("checks_requested", SHA)
    assert event.base_ref == "refs/heads/main"
    assert "/pr-9-" in event.head_ref


def test_a_push() -> None:
    """Branch and touched paths are read."""
    event = parse("push", builders.push())
    assert isinstance(event, PushEvent)
    assert event.is_default_branch
    assert event.paths == {"a.py", ".github/recloser.yml"}
    assert (event.head_sha, event.action) == (SHA, "pushed")


@pytest.mark.parametrize("ref", ["refs/heads/mainline", "refs/tags/main", "main"])
def test_another_branch_is_not_the_default_branch(ref: str) -> None:
    """Only the exact name counts."""
    event = parse("push", builders.push(ref))
    assert isinstance(event, PushEvent)
    assert not event.is_default_branch


def test_an_installation() -> None:
    """Names that are none are left out; the others stay."""
    event = parse("installation", builders.installation())
    assert event == InstallationEvent(
        action="created",
        installation_id=7,
        account="octo",
        added=("octo/hello",),
        removed=(),
    )


def test_a_deleted_installation_takes_its_repositories_along() -> None:
    """The list that comes with it is what is gone."""
    event = parse("installation", builders.installation("deleted"))
    assert isinstance(event, InstallationEvent)
    assert (event.added, event.removed) == ((), ("octo/hello",))


def test_a_renamed_repository() -> None:
    """The id stays, the old name is told."""
    event = parse("repository", builders.repository())
    assert isinstance(event, RepositoryEvent)
    assert (event.repository_id, event.old_name) == (99, "old")


def test_an_event_that_nobody_reads_is_ignored() -> None:
    """Whatever else GitHub sends means nothing to us."""
    assert isinstance(parse("star", {"action": "created"}), Ignored)
    assert isinstance(parse("", {}), Ignored)


@pytest.mark.parametrize("event", sorted(READERS))
def test_an_event_without_content_is_not_one(event: str) -> None:
    """An empty object is told apart, and by what it lacks."""
    found = parse(event, {})
    assert isinstance(found, Malformed | Ignored)
    assert found.reason


@pytest.mark.parametrize(
    "name",
    [
        "octo",
        "octo/",
        "a/b/c",
        "../..",
        "octo/he llo",
        "octo/hé",
        "octo/x\n",
        "octo/.",
        5,
        None,
    ],
)
def test_a_name_that_is_no_repository(name: Any) -> None:
    """It goes into addresses, so nothing else is taken for one."""
    payload = builders.pull_request()
    payload["repository"]["full_name"] = name
    assert isinstance(parse("pull_request", payload), Malformed)


@pytest.mark.parametrize("number", [0, -1, True, "5", 5.0, 2**63, None])
def test_a_number_that_is_none(number: Any) -> None:
    """Ids are positive whole numbers that a database can hold."""
    payload = builders.pull_request()
    payload["repository"]["id"] = number
    assert isinstance(parse("pull_request", payload), Malformed)


@pytest.mark.parametrize("sha", ["", "abc", "A" * 40, "a" * 39, "a" * 41, None])
def test_a_head_that_is_no_commit(sha: Any) -> None:
    """Only a full id names a commit."""
    payload = builders.pull_request()
    payload["pull_request"]["head"]["sha"] = sha
    assert isinstance(parse("pull_request", payload), Malformed)


@pytest.mark.parametrize("moment", ["yesterday", "2026-01-02", 10**30, True, None])
def test_a_time_that_is_none(moment: Any) -> None:
    """An unreadable time is no time, and the event stands."""
    payload = builders.pull_request()
    payload["pull_request"]["updated_at"] = moment
    event = parse("pull_request", payload)
    assert isinstance(event, PullEvent)
    assert event.updated_at is None


@given(st.sampled_from(sorted(READERS)), st.dictionaries(st.text(max_size=8), JSON))
def test_no_object_breaks_the_border(event: str, payload: dict[str, Any]) -> None:
    """Whatever the shape: a value comes back."""
    parse(event, payload)


@settings(max_examples=400)
@given(st.sampled_from(sorted(READERS)), st.data())
def test_no_field_breaks_the_border(event: str, data: st.DataObject) -> None:
    """Any field of a real event may be anything at all (B09, B10, B11)."""

    def spoil(value: Any) -> Any:
        if data.draw(st.integers(0, 5)) == 0:
            return data.draw(JSON)
        if isinstance(value, dict):
            return {key: spoil(each) for key, each in value.items()}
        if isinstance(value, list):
            return [spoil(each) for each in value]
        return value

    payload = builders.EVERY_EVENT[event]
    found = parse(event, {key: spoil(value) for key, value in payload.items()})
    assert found is not None
    str(found).encode("utf-8")  # nothing that a database could not keep
