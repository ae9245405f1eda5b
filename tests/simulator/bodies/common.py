"""Accounts, times and the app."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import quote

from tests.simulator.state import Account, Installation, Repository, World

Json = dict[str, Any]


def time(value: datetime | None) -> str | None:
    """Return a time as GitHub writes it."""
    return None if value is None else value.strftime("%Y-%m-%dT%H:%M:%SZ")


def user(world: World, account: Account) -> Json:
    """Return an account."""
    name = quote(account.login)  # a raw [bot] is no URI
    api = f"{world.base_url}/users/{name}"
    urls = {
        f"{each}_url": f"{api}/{each}"
        for each in (
            "followers", "following", "gists", "starred", "subscriptions",
            "organizations", "repos", "events", "received_events",
        )
    }  # fmt: skip
    slug = account.login.removesuffix("[bot]")
    page = f"apps/{slug}" if account.type == "Bot" else name
    return {
        **urls,
        "login": account.login,
        "id": account.id,
        "node_id": f"U_{account.id}",
        "avatar_url": f"{world.base_url}/avatars/{account.id}",
        "gravatar_id": "",
        "url": api,
        "html_url": f"{world.base_url}/{page}",
        "type": account.type,
        "site_admin": False,
        "user_view_type": "public",
    }


def app(world: World) -> Json:
    """Return the app itself."""
    known = world.app
    return {
        "id": known.id,
        "slug": known.slug,
        "client_id": f"Iv1.{known.id:016x}",
        "node_id": f"A_{known.id}",
        "owner": user(world, known.owner),
        "name": known.slug,
        "description": "",
        "external_url": "https://example.com",
        "html_url": f"{world.base_url}/apps/{known.slug}",
        "created_at": time(known.created_at),
        "updated_at": time(known.created_at),
        "permissions": known.permissions,
        "events": known.events,
    }


def installation(world: World, known: Installation) -> Json:
    """Return an installation."""
    url = f"{world.base_url}/app/installations/{known.id}"
    return {
        "id": known.id,
        "account": user(world, known.account),
        "repository_selection": "selected",
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{world.base_url}/installation/repositories",
        "html_url": f"{world.base_url}/settings/installations/{known.id}",
        "app_id": world.app.id,
        "client_id": f"Iv1.{world.app.id:016x}",
        "app_slug": world.app.slug,
        "target_id": known.account.id,
        "target_type": known.account.type,
        "permissions": known.permissions,
        "events": known.events,
        "created_at": time(known.created_at),
        "updated_at": time(known.created_at),
        "single_file_name": None,
        "suspended_by": None,
        "suspended_at": time(known.suspended_at),
    }


def association(repository: Repository, account: Account) -> str:
    """Return how an account belongs to a repository."""
    if account.id == repository.owner.id:
        return "OWNER"
    known = repository.roles.get(account.login.lower())
    return "COLLABORATOR" if known not in (None, "none") else "NONE"


def short_repository(repository: Repository) -> Json:
    """Return the five fields that installation events carry."""
    return {
        "id": repository.id,
        "node_id": f"R_{repository.id}",
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.is_private,
    }
