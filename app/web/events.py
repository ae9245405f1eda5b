"""Read what a webhook says. Pure.

This is the one tolerant border: ``parse`` takes any JSON object and returns an
event, ``Ignored`` or ``Malformed``, and never raises; what may be null is dealt with
here and nowhere else (B09, B10, B11). A payload is a hint: whoever acts asks GitHub
for the state first (B13).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypedDict, TypeVar

from app.web import fields
from app.web.event_types import (
    MOST_PATHS,
    CheckEvent,
    CommentEvent,
    Event,
    Ignored,
    InstallationEvent,
    Known,
    Malformed,
    MergeGroupEvent,
    Origin,
    PullEvent,
    PushEvent,
    RepositoryEvent,
    ReviewEvent,
)
from app.web.fields import Payload

__all__ = [
    "READERS",
    "CheckEvent",
    "CommentEvent",
    "Event",
    "Ignored",
    "InstallationEvent",
    "Known",
    "Malformed",
    "MergeGroupEvent",
    "Origin",
    "PullEvent",
    "PushEvent",
    "RepositoryEvent",
    "ReviewEvent",
    "parse",
]

T = TypeVar("T")


class _OriginFields(TypedDict):
    action: str
    installation_id: int | None
    repository_id: int
    repository: str
    sender: str
    sender_is_bot: bool


class _Lacking(Exception):
    """A field without which the event is none."""


def parse(event_name: str, payload: Payload) -> Event:
    """Return what the webhook ``event_name`` with ``payload`` says."""
    read = READERS.get(event_name)
    if read is None:
        return Ignored("this event is not used")
    try:
        return read(payload)
    except _Lacking as fault:
        return Malformed(f"no usable {fault}")


def _pull(payload: Payload) -> Event:
    pull = fields.table(payload, "pull_request")
    label = fields.text(fields.table(payload, "label"), "name")
    base = fields.table(pull, "base")
    # "changes" names what an edit changed; a new base is a new diff (B15).
    changed = fields.table(payload, "changes")
    return PullEvent(
        **_origin(payload, fields.table(base, "repo")),
        number=_number(pull, payload),
        head_sha=_need(fields.sha(fields.table(pull, "head"), "sha"), "head SHA"),
        base_ref=fields.text(base, "ref"),
        updated_at=fields.moment(pull, "updated_at"),
        label=label or None,
        changes_base="base" in changed,
        is_closed=fields.text(pull, "state") == "closed",
    )


def _check_run(payload: Payload) -> Event:
    run = fields.table(payload, "check_run")
    asked = fields.table(payload, "requested_action")
    return _check(payload, run, fields.text(asked, "identifier") or None, "check_run")


def _check_suite(payload: Payload) -> Event:
    suite = fields.table(payload, "check_suite")
    return _check(payload, suite, None, "check_suite")


def _check(
    payload: Payload,
    check: Payload,
    identifier: str | None,
    kind: Literal["check_run", "check_suite"],
) -> CheckEvent:
    origin = _origin(payload)
    app = fields.table(check, "app")
    return CheckEvent(
        **origin,
        kind=kind,
        app_id=fields.number(app, "id"),
        app_slug=fields.text(app, "slug"),
        head_sha=_need(fields.sha(check, "head_sha"), "head SHA"),
        external_id=fields.text(check, "external_id"),
        identifier=identifier,
        pulls=_pulls(check, origin["repository_id"]),
    )


def _pulls(check: Payload, repository_id: int) -> tuple[int, ...]:
    """Return the pull requests of this repository; others are listed, too (B17)."""
    found = dict[int, None]()
    for each in fields.tables(check, "pull_requests"):
        base = fields.table(each, "base", "repo")
        number = fields.number(each, "number")
        if number is not None and fields.number(base, "id") == repository_id:
            found[number] = None
    return tuple(found)


def _comment(payload: Payload) -> Event:
    if fields.word(payload, "action") != "created":
        return Ignored("only new comments are read")
    issue = fields.table(payload, "issue")
    comment = fields.table(payload, "comment")
    app = fields.table(comment, "performed_via_github_app")
    return CommentEvent(
        **_origin(payload),
        number=_number(issue),
        is_pull=isinstance(issue.get("pull_request"), Mapping),
        comment_id=_need(fields.number(comment, "id"), "comment"),
        body=fields.text(comment, "body"),
        via_app_id=fields.number(app, "id"),
    )


def _review(payload: Payload) -> Event:
    pull = fields.table(payload, "pull_request")
    review = fields.table(payload, "review")
    author = fields.table(review, "user")
    return ReviewEvent(
        **_origin(payload),
        number=_number(pull),
        review_id=_need(fields.number(review, "id"), "review"),
        head_sha=fields.sha(review, "commit_id"),
        state=fields.text(review, "state").lower(),
        author=fields.text(author, "login"),
        author_is_bot=fields.text(author, "type") == "Bot",
    )


def _merge_group(payload: Payload) -> Event:
    group = fields.table(payload, "merge_group")
    return MergeGroupEvent(
        **_origin(payload),
        head_sha=_need(fields.sha(group, "head_sha"), "head SHA"),
        head_ref=fields.text(group, "head_ref"),
        base_ref=fields.text(group, "base_ref"),
    )


def _push(payload: Payload) -> Event:
    ref = _need(fields.text(payload, "ref"), "ref")
    default = fields.text(fields.table(payload, "repository"), "default_branch")
    after = fields.sha(payload, "after")
    paths = set[str]()
    for commit in fields.tables(payload, "commits"):
        for key in ("added", "modified", "removed"):
            paths.update(fields.texts(commit, key))
        if len(paths) > MOST_PATHS:
            break
    return PushEvent(
        **_origin({**payload, "action": "pushed"}),  # the one event without an action
        ref=ref,
        head_sha=after,
        is_default_branch=bool(default) and ref == f"refs/heads/{default}",
        paths=frozenset(sorted(paths)[:MOST_PATHS]),
    )


def _installation(payload: Payload) -> Event:
    installation = fields.table(payload, "installation")
    number = fields.number(installation, "id")
    if number is None:  # seen in the wild (B11); there is nothing to act through
        return Ignored("no installation")
    action = fields.word(payload, "action")
    # The whole list comes with every action of an installation as such.
    listed = _names(payload, "repositories")
    added = _names(payload, "repositories_added")
    removed = _names(payload, "repositories_removed")
    return InstallationEvent(
        action=_need(action, "action"),
        installation_id=number,
        account=fields.text(fields.table(installation, "account"), "login"),
        added=listed if action == "created" else added,
        removed=listed if action == "deleted" else removed,
    )


def _names(payload: Payload, key: str) -> tuple[str, ...]:
    names = (
        fields.repository_name(each, "full_name")
        for each in fields.tables(payload, key)
    )
    return tuple(name for name in names if name)


def _repository(payload: Payload) -> Event:
    old = fields.text(fields.table(payload, "changes", "repository", "name"), "from")
    return RepositoryEvent(**_origin(payload), old_name=old or None)


def _origin(payload: Payload, second: Payload | None = None) -> _OriginFields:
    """Read the envelope; ``second`` is where the repository is named once more."""
    repository = fields.table(payload, "repository") or second or {}
    sender = fields.table(payload, "sender")
    name = fields.repository_name(repository, "full_name")
    return {
        "action": _need(fields.word(payload, "action"), "action"),
        "installation_id": fields.number(fields.table(payload, "installation"), "id"),
        "repository_id": _need(fields.number(repository, "id"), "repository"),
        "repository": _need(name, "repository"),
        "sender": fields.text(sender, "login"),
        "sender_is_bot": fields.text(sender, "type") == "Bot",
    }


def _number(*places: Payload) -> int:
    """Return the number of a pull request or issue from the first that has one."""
    found = (fields.number(place, "number") for place in places)
    return _need(next((each for each in found if each), None), "number")


def _need(value: T | None, name: str) -> T:
    """Return ``value``; there is no event without it."""
    if not value:
        raise _Lacking(name)
    return value


#: All events that are read, and what the manifest (app.yml) subscribes to.
READERS: Mapping[str, Callable[[Payload], Event]] = {
    "pull_request": _pull,
    "check_run": _check_run,
    "check_suite": _check_suite,
    "issue_comment": _comment,
    "pull_request_review": _review,
    "merge_group": _merge_group,
    "push": _push,
    "installation": _installation,
    "installation_repositories": _installation,
    "repository": _repository,
}
