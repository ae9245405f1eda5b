"""Who may do what: JWT, tokens, permissions and their ends."""

from __future__ import annotations

from typing import Any

import jwt
import pytest

from tests.simulator.builders import (
    FILES,
    NAME,
    OWNER,
    Api,
    Shop,
    app_jwt,
    as_app,
    as_installation,
    at,
)
from tests.simulator.keys import make_key_pair


@pytest.mark.parametrize(
    "ahead",
    [
        pytest.param({"exp": {"minutes": 20}}, id="too far"),
        pytest.param({"exp": {"minutes": -1}}, id="expired"),
        pytest.param({"iat": {"minutes": 5}}, id="from the future"),
    ],
)
def test_a_jwt_of_the_wrong_time_is_refused(
    shop: Shop, ahead: dict[str, dict[str, float]]
) -> None:
    """At most ten minutes ahead, not over, not issued in the future."""
    claims = {name: at(shop.github, **moved) for name, moved in ahead.items()}
    assert as_app(shop.github, **claims).send("GET", "/app").status_code == 401


def test_a_jwt_of_another_key_or_app_is_refused(shop: Shop) -> None:
    """The signature and the issuer are checked."""
    claims = jwt.decode(app_jwt(shop.github), options={"verify_signature": False})
    forged = jwt.encode(claims, make_key_pair().private, algorithm="RS256")
    for token in (forged, app_jwt(shop.github, iss="2"), "a.b.c"):
        api = Api(github=shop.github, token=token)
        assert api.send("GET", "/app").status_code == 401


def test_a_token_ends_after_an_hour(shop: Shop) -> None:
    """Then it is 401, until the app takes a new one."""
    shop.sim.shift_clock(3599)
    assert shop.api.send("GET", "/{repo}").status_code == 200
    shop.sim.shift_clock(2)
    assert shop.api.send("GET", "/{repo}").status_code == 401
    fresh = as_installation(shop.github, shop.installation_id)
    assert fresh.send("GET", "/{repo}").status_code == 200


def test_a_token_can_be_revoked(shop: Shop) -> None:
    """After that it is worth nothing."""
    assert shop.api.send("DELETE", "/installation/token").status_code == 204
    assert shop.api.send("GET", "/{repo}").status_code == 401


@pytest.mark.parametrize(
    ("permissions", "path", "body"),
    [
        ({"checks": "read"}, "/{repo}/check-runs", {"name": "a", "head_sha": "0"}),
        ({"checks": "write"}, "/{repo}/issues/1/comments", {"body": "a"}),
        ({"contents": "read"}, "/{repo}/issues/1/labels", {"labels": ["a"]}),
        ({"contents": "read"}, "/{repo}/pulls/1/reviews", {"body": "a"}),
    ],
)
def test_a_narrow_token_may_not_write(
    shop: Shop, permissions: dict[str, str], path: str, body: Any
) -> None:
    """A permission that is missing is 403 with GitHub's words."""
    api = as_installation(shop.github, shop.installation_id, permissions=permissions)
    answer = api.post(path, body)
    assert answer.status_code == 403
    assert answer.json()["message"] == "Resource not accessible by integration"


def test_empty_permissions_mean_all(shop: Shop) -> None:
    """PyGithub always sends an empty object."""
    api = as_installation(shop.github, shop.installation_id, permissions={})
    answer = api.post("/{repo}/issues/1/comments", {"body": "a"})
    assert answer.status_code == 201


def test_more_than_was_granted_is_refused(shop: Shop) -> None:
    """A token cannot have more than the installation."""
    place = f"/app/installations/{shop.installation_id}/access_tokens"
    body = {"permissions": {"contents": "write"}}
    assert as_app(shop.github).post(place, body).status_code == 422


def test_a_token_for_one_repository_sees_no_other(shop: Shop) -> None:
    """``repository_ids`` narrows the token; the rest is 404."""
    other = shop.sim.create_repository(OWNER, "other", FILES)
    api = as_installation(shop.github, shop.installation_id, repository_ids=[other.id])
    assert api.send("GET", "/{repo}").status_code == 404
    found = api.get("/installation/repositories")
    assert [each["name"] for each in found["repositories"]] == ["other"]


def test_a_repository_without_the_app_is_not_found(shop: Shop) -> None:
    """Neither its installation nor its contents."""
    shop.sim.create_repository("else", "where", FILES, install=False)
    place = "/repos/else/where"
    assert shop.api.send("GET", place).status_code == 404
    answer = as_app(shop.github).send("GET", f"{place}/installation")
    assert answer.status_code == 404


def test_the_app_sees_its_installations(shop: Shop) -> None:
    """By list, by id and by repository it is the same one."""
    app = as_app(shop.github)
    listed = app.get("/app/installations")
    assert [each["id"] for each in listed] == [shop.installation_id]
    assert app.get(f"/app/installations/{shop.installation_id}") == listed[0]
    assert app.get("/{repo}/installation") == listed[0]
    assert app.get("/app")["installations_count"] == 1


def test_a_jwt_is_no_token_and_a_token_is_no_jwt(shop: Shop) -> None:
    """Each opens its own half of the API."""
    assert as_app(shop.github).send("GET", "/{repo}").status_code == 403
    assert shop.api.send("GET", "/app").status_code == 401


def test_the_primary_limit_counts_and_a_304_is_free(shop: Shop) -> None:
    """With nothing left GitHub says 403; an unchanged answer costs nothing."""
    first = shop.api.send("GET", "/{repo}")
    tag, left = first.headers["etag"], first.headers["x-ratelimit-remaining"]
    again = shop.api.send("GET", "/{repo}", If_None_Match=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["x-ratelimit-remaining"] == left
    shop.sim.set_rate_limit(1)
    answer = shop.api.send("GET", "/{repo}")
    assert answer.status_code == 403
    assert answer.headers["x-ratelimit-remaining"] == "0"
    assert shop.api.get("/rate_limit")["rate"]["remaining"] == 0
    shop.sim.shift_clock(3600)


@pytest.mark.parametrize(
    ("role", "permission"),
    [("admin", "admin"), ("maintain", "write"), ("triage", "read"), ("none", "none")],
)
def test_a_role_and_its_coarser_permission(
    shop: Shop, role: str, permission: str
) -> None:
    """``role_name`` is exact, ``permission`` knows four words."""
    shop.sim.set_role(OWNER, NAME, "eve", role)
    found = shop.api.get("/{repo}/collaborators/eve/permission")
    assert (found["role_name"], found["permission"]) == (role, permission)


def test_an_unknown_version_is_refused(shop: Shop) -> None:
    """Only the version of the contract is spoken."""
    answer = shop.api.send("GET", "/{repo}", X_GitHub_Api_Version="1999-01-01")
    assert answer.status_code == 400
