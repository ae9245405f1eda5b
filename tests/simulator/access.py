"""Who asks, and what it may do.

An app shows a JWT signed with its key (RS256, at most ten minutes); an installation
shows a token of one hour with permissions. Both are checked as GitHub documents it.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

import jwt

from tests.simulator.state import Account, Installation, Repository, Token, World

JWT_LIFE = timedelta(minutes=10)
TOKEN_LIFE = timedelta(hours=1)
_SKEW = timedelta(minutes=1)
_RANK = {"read": 1, "write": 2, "admin": 3}


class Denied(Exception):
    """GitHub does not take these credentials, or they do not reach this far."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who makes a request: the app itself, or one of its installations."""

    token: Token | None
    actor: Account

    @property
    def installation(self) -> Installation | None:
        """Return the installation, None for the app itself."""
        return self.token.installation if self.token else None

    def sees(self, repository: Repository) -> bool:
        """Tell whether the token reaches a repository."""
        if self.token is None:
            return False
        chosen = self.token.repositories
        if chosen is not None and repository.id not in chosen:
            return False
        return repository.id in self.token.installation.repositories


# Which permission an operation needs; any one of the alternatives is enough.
class Whoever(Enum):
    """An operation that asks for credentials and no permission."""

    APP = "the app's JWT"
    TOKEN = "any installation token"
    NOBODY = "no credentials at all"


Needs = tuple[tuple[str, str], ...] | Whoever
APP, ANY, NOBODY = Whoever.APP, Whoever.TOKEN, Whoever.NOBODY
_PULLS, _ISSUES = "pull_requests", "issues"
NEEDS: dict[str, Needs] = {
    "apps/get-authenticated": APP,
    "apps/list-installations": APP,
    "apps/get-installation": APP,
    "apps/create-installation-access-token": APP,
    "apps/list-webhook-deliveries": APP,
    "apps/redeliver-webhook-delivery": APP,
    "apps/get-webhook-delivery": APP,
    "apps/create-from-manifest": NOBODY,
    "pulls/request-reviewers": (("pull_requests", "write"),),
    "reactions/create-for-issue-comment": (
        ("issues", "write"),
        ("pull_requests", "write"),
    ),
    "apps/get-repo-installation": APP,
    "apps/revoke-installation-access-token": ANY,
    "apps/list-repos-accessible-to-installation": ANY,
    "rate-limit/get": ANY,
    "repos/get": (("metadata", "read"),),
    "repos/get-collaborator-permission-level": (("metadata", "read"),),
    "repos/list-pull-requests-associated-with-commit": (
        (_PULLS, "read"),
        ("contents", "read"),
    ),
    "checks/create": (("checks", "write"),),
    "checks/update": (("checks", "write"),),
    "checks/rerequest-run": (("checks", "write"),),
}
_FAMILIES = {
    "repos": (("contents", "read"),),
    "git": (("contents", "read"),),
    "checks": (("checks", "read"),),
    "pulls": ((_PULLS, "read"),),
    "issues": ((_ISSUES, "read"), (_PULLS, "read")),
}
_WRITING = ("create", "update", "delete", "dismiss", "add", "remove")


def needs(operation: str) -> Needs:
    """Return what an operation needs."""
    if operation in NEEDS:
        return NEEDS[operation]
    family, _, verb = operation.partition("/")
    found = _FAMILIES[family]
    if verb.split("-")[0] in _WRITING:
        return tuple((name, "write") for name, _ in found)
    return found


def authenticate(world: World, authorization: str) -> Principal:
    """Return who shows these credentials.

    Raises:
        Denied: nobody that GitHub knows.
    """
    scheme, _, value = authorization.partition(" ")
    value = value.strip()
    if not value:
        raise Denied(401, "Requires authentication")
    if scheme.lower() == "basic":
        value = _password(value)
    elif scheme.lower() not in ("bearer", "token"):
        raise Denied(401, "Bad credentials")
    if value.count(".") == 2 and not value.startswith("ghs_"):
        return _app(world, value)
    token = world.tokens.get(value)
    if token is None or token.expires_at <= world.now():
        raise Denied(401, "Bad credentials")
    if token.installation.suspended_at is not None:
        raise Denied(403, "This installation has been suspended")
    return Principal(token=token, actor=world.app.bot)


def allow(principal: Principal, operation: str) -> None:
    """Check that the principal may do an operation.

    Raises:
        Denied: it may not.
    """
    wanted = needs(operation)
    if wanted is NOBODY:
        return
    if wanted is APP:
        if principal.token is not None:
            raise Denied(401, "A JSON web token could not be decoded")
        return
    if principal.token is None:
        message = "You must authenticate with an installation access token"
        raise Denied(403, message)
    if isinstance(wanted, Whoever):
        return
    for name, level in wanted:
        if permits(principal.token.permissions, name, level):
            return
    raise Denied(403, "Resource not accessible by integration")


def permits(permissions: dict[str, str], name: str, level: str) -> bool:
    """Tell whether permissions reach a level."""
    return _RANK.get(permissions.get(name, ""), 0) >= _RANK[level]


def _password(value: str) -> str:
    try:
        pair = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise Denied(401, "Bad credentials") from None
    return pair.partition(":")[2]


def _app(world: World, value: str) -> Principal:
    options: Any = {
        "verify_exp": False,
        "verify_iat": False,
        "verify_nbf": False,
        "require": ["iat", "exp", "iss"],
    }
    try:
        claims = jwt.decode(
            value, world.app.public_key, algorithms=["RS256"], options=options
        )
        issued, expires = int(claims["iat"]), int(claims["exp"])
    except (jwt.InvalidTokenError, ValueError, TypeError):
        raise Denied(401, "A JSON web token could not be decoded") from None
    now = world.now().timestamp()
    if str(claims["iss"]) != str(world.app.id):
        raise Denied(401, "Integration not found")
    if issued > now + _SKEW.total_seconds():
        raise Denied(401, "'Issued at' claim ('iat') must not be in the future")
    if expires > now + (JWT_LIFE + _SKEW).total_seconds():
        raise Denied(401, "'Expiration time' claim ('exp') is too far in the future")
    if expires <= now:
        raise Denied(401, "'Expiration time' claim ('exp') must be in the future")
    return Principal(token=None, actor=world.app.bot)
