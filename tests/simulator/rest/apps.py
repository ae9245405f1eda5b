"""The app, its installations, tokens and webhook deliveries."""

from __future__ import annotations

import json
import secrets
from typing import Any

from tests.simulator.access import TOKEN_LIFE, permits
from tests.simulator.bodies import common, repositories
from tests.simulator.hooks import KEPT, Delivery
from tests.simulator.rest.call import ApiError, Call, Reply, invalid
from tests.simulator.state import Installation, Token

MOST_REPOSITORIES = 500


def get_app(call: Call) -> Reply:
    """GET /app."""
    count = len(call.world.installations)
    return Reply(body={**common.app(call.world), "installations_count": count})


def list_installations(call: Call) -> Reply:
    """GET /app/installations."""
    found = list(call.world.installations.values())
    return call.page(found, lambda each: common.installation(call.world, each))


def get_installation(call: Call) -> Reply:
    """GET /app/installations/{installation_id}."""
    return Reply(body=common.installation(call.world, _installation(call)))


def get_repository_installation(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/installation."""
    found = call.world.installation_of(call.repository)
    if found is None:
        raise ApiError(404, "Not Found")
    return Reply(body=common.installation(call.world, found))


def create_token(call: Call) -> Reply:
    """POST /app/installations/{installation_id}/access_tokens."""
    installed = _installation(call)
    if installed.suspended_at is not None:
        raise ApiError(403, "This installation has been suspended")
    body = call.body or {}
    chosen = _chosen(call, installed, body)
    # PyGithub always sends {"permissions": {}}, which means all of them.
    permissions = body.get("permissions") or installed.permissions
    for name, level in permissions.items():
        if not permits(installed.permissions, name, level):
            message = "The permissions requested are not granted to this installation."
            raise ApiError(422, message)
    token = Token(
        value=f"ghs_{secrets.token_hex(18)}",
        installation=installed,
        permissions=dict(permissions),
        repositories=chosen,
        expires_at=call.world.now() + TOKEN_LIFE,
    )
    call.world.tokens[token.value] = token
    made: dict[str, Any] = {
        "token": token.value,
        "expires_at": common.time(token.expires_at),
        "permissions": token.permissions,
        "repository_selection": "selected",
    }
    if chosen is not None:
        made["repositories"] = [
            repositories.repository(call.world, call.world.repositories[each])
            for each in sorted(chosen)
        ]
    return Reply(status=201, body=made)


def revoke_token(call: Call) -> Reply:
    """DELETE /installation/token."""
    token = call.principal.token
    assert token is not None
    call.world.tokens.pop(token.value, None)
    return Reply(status=204)


def list_repositories(call: Call) -> Reply:
    """GET /installation/repositories."""
    found = [r for r in call.world.repositories.values() if call.principal.sees(r)]
    return call.page(
        found,
        lambda each: repositories.repository(call.world, each),
        key="repositories",
        repository_selection="selected",
    )


def list_deliveries(call: Call) -> Reply:
    """GET /app/hook/deliveries: newest first, by cursor."""
    oldest = call.world.now() - KEPT
    cursor = call.query.get("cursor", "")
    if cursor and not cursor.isdigit():
        raise ApiError(400, "Invalid cursor")
    wanted = call.query.get("status")
    found = [
        each
        for each in sorted(call.hooks.deliveries, key=lambda each: -each.id)
        if each.created_at >= oldest
        and each.is_done
        and each.status != "no hook"
        and (not cursor or each.id <= int(cursor))
        and (wanted is None or (wanted == "success") == (each.status == "OK"))
    ]
    size = min(max(call.number("per_page", 30), 1), 100)
    headers = {}
    if len(found) > size:
        following = f"{call.url}?per_page={size}&cursor={found[size].id}"
        headers["Link"] = f'<{following}>; rel="next"'
    return Reply(body=[_delivery(each) for each in found[:size]], headers=headers)


def get_delivery(call: Call) -> Reply:
    """GET /app/hook/deliveries/{delivery_id}, with what was sent."""
    wanted = int(call.path["delivery_id"])
    for each in call.hooks.deliveries:
        if each.id == wanted and each.is_done:
            body = {
                **_delivery(each),
                "url": call.world.hook.url,
                "request": {
                    "headers": call.hooks.headers(each),
                    "payload": json.loads(each.body),
                },
                "response": {"headers": {}, "payload": None},
            }
            return Reply(body=body)
    raise ApiError(404, "Not Found")


def redeliver(call: Call) -> Reply:
    """POST /app/hook/deliveries/{delivery_id}/attempts."""
    if not call.hooks.redeliver(int(call.path["delivery_id"])):
        raise ApiError(404, "Not Found")
    return Reply(status=202, body={})


def _installation(call: Call) -> Installation:
    found = call.world.installations.get(int(call.path["installation_id"]))
    if found is None:
        raise ApiError(404, "Not Found")
    return found


def _chosen(
    call: Call, installed: Installation, body: dict[str, Any]
) -> frozenset[int] | None:
    ids = body.get("repository_ids")
    names = body.get("repositories")
    if ids is None and names is None:
        return None
    by_name = {
        call.world.repositories[each].name: each for each in installed.repositories
    }
    found = [*(ids or []), *(by_name.get(name, 0) for name in names or [])]
    if len(found) > MOST_REPOSITORIES:
        raise invalid("Token", "repository_ids", "too many repositories")
    if any(each not in installed.repositories for each in found):
        message = "There is at least one repository that does not exist or is not "
        raise ApiError(422, f"{message}accessible to the parent installation.")
    return frozenset(found)


def _delivery(each: Delivery) -> dict[str, Any]:
    return {
        "id": each.id,
        "guid": each.guid,
        "delivered_at": common.time(each.created_at),
        "redelivery": each.is_redelivery,
        "duration": each.duration,
        "status": each.status,
        "status_code": each.status_code,
        "event": each.event,
        "action": each.action,
        "installation_id": each.installation_id,
        "repository_id": each.repository_id,
        "throttled_at": None,
    }
