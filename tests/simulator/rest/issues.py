"""Labels and comments of a pull request, which is also an issue."""

from __future__ import annotations

import re
from typing import Any

from tests.simulator import forge
from tests.simulator.bodies import common, pulls, repositories
from tests.simulator.rest.call import ApiError, Call, Reply, invalid
from tests.simulator.state import Comment, Label, Pull, Reaction

MOST_LABEL = 50
MOST_BODY = 65_536


def get_issue(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/issues/{issue_number}."""
    return Reply(body=pulls.issue(call.world, call.repository, call.pull))


def list_labels_on_issue(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/issues/{issue_number}/labels."""
    labels = pulls.labels(call.world, call.repository, call.pull)
    return call.page(labels, lambda each: each)


def add_labels(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/issues/{issue_number}/labels."""
    known, pull = call.repository, call.pull
    wanted = call.body if isinstance(call.body, list) else call.body.get("labels", [])
    names = [each if isinstance(each, str) else each["name"] for each in wanted]
    for name in names:
        if not name.strip() or len(name) > MOST_LABEL:
            error = {"resource": "Label", "field": "name", "code": "invalid"}
            raise ApiError(422, "Validation Failed", [{**error, "value": name}])
    for name in names:
        forge.add_label(call.world, call.events, known, pull, name, _actor(call))
    return Reply(body=pulls.labels(call.world, known, pull))


def remove_label(call: Call) -> Reply:
    """DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}."""
    known, pull = call.repository, call.pull
    if not forge.remove_label(
        call.events, known, pull, call.path["name"], _actor(call)
    ):
        raise ApiError(404, "Label does not exist")
    return Reply(body=pulls.labels(call.world, known, pull))


def list_labels(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/labels."""
    known = call.repository
    found = sorted(known.labels.values(), key=lambda each: each.name.lower())
    return call.page(found, lambda each: repositories.label(call.world, known, each))


def get_label(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/labels/{name}."""
    known = call.repository
    found = known.labels.get(call.path["name"].casefold())
    if found is None:
        raise ApiError(404, "Not Found")
    return Reply(body=repositories.label(call.world, known, found))


def create_label(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/labels: names are unique whatever their case."""
    known, body = call.repository, call.body
    name = body["name"]
    _check_name(name)
    if name.casefold() in known.labels:
        error = {"resource": "Label", "code": "already_exists", "field": "name"}
        raise ApiError(422, "Validation Failed", [error])
    color = body.get("color", "ededed")
    if not re.fullmatch(r"[0-9a-fA-F]{6}", color):
        raise invalid("Label", "color", "color is invalid", "invalid")
    description = body.get("description")
    if description is not None and len(description) > 100:
        message = "description is too long (maximum is 100 characters)"
        raise invalid("Label", "description", message)
    label = Label(
        id=call.world.new_id(), name=name, color=color, description=description
    )
    known.labels[name.casefold()] = label
    call.events.label(known, label, "created", _actor(call))
    shown = repositories.label(call.world, known, label)
    return Reply(status=201, body=shown, headers={"Location": shown["url"]})


def list_comments(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/issues/{issue_number}/comments."""
    known, pull = call.repository, call.pull
    return call.page(
        pull.comments, lambda each: pulls.comment(call.world, known, pull, each)
    )


def create_comment(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/issues/{issue_number}/comments."""
    known, pull = call.repository, call.pull
    body = _body(call)
    made = forge.add_comment(call.world, call.events, known, pull, body, _actor(call))
    shown = pulls.comment(call.world, known, pull, made)
    return Reply(status=201, body=shown, headers={"Location": shown["url"]})


def update_comment(call: Call) -> Reply:
    """PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}."""
    pull, comment = _comment(call)
    comment.body, comment.updated_at = _body(call), call.world.now()
    shown = pulls.comment(call.world, call.repository, pull, comment)
    return Reply(body=shown)


def delete_comment(call: Call) -> Reply:
    """DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}."""
    pull, comment = _comment(call)
    pull.comments.remove(comment)
    return Reply(status=204)


def react(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions."""
    _, comment = _comment(call)
    actor, content = _actor(call), call.body["content"]
    for each in comment.reactions:
        if each.author is actor and each.content == content:
            return Reply(body=_reaction(call, each))
    made = Reaction(
        id=call.world.new_id(),
        author=actor,
        content=content,
        created_at=call.world.now(),
    )
    comment.reactions.append(made)
    return Reply(status=201, body=_reaction(call, made))


def _reaction(call: Call, each: Reaction) -> dict[str, Any]:
    return {
        "id": each.id,
        "node_id": f"REA_{each.id}",
        "user": common.user(call.world, each.author),
        "content": each.content,
        "created_at": common.time(each.created_at),
    }


def _actor(call: Call) -> Any:
    return call.principal.actor


def _comment(call: Call) -> tuple[Pull, Comment]:
    wanted = int(call.path["comment_id"])
    for pull in call.repository.pulls.values():
        for each in pull.comments:
            if each.id == wanted:
                return pull, each
    raise ApiError(404, "Not Found")


def _body(call: Call) -> str:
    body: str = call.body["body"]
    if not body.strip():
        raise invalid("IssueComment", "body", "body can't be blank", "missing_field")
    if len(body) > MOST_BODY:
        message = f"Body is too long (maximum is {MOST_BODY} characters)"
        raise invalid("IssueComment", "data", message, "unprocessable")
    return body


def _check_name(name: str) -> None:
    if not name.strip():
        raise invalid("Label", "name", "name can't be blank", "missing_field")
    if len(name) > MOST_LABEL:
        message = f"name is too long (maximum is {MOST_LABEL} characters)"
        raise invalid("Label", "name", message)
