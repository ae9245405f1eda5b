"""B30: a 403 means several different things, and only some of them pass by waiting."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.errors import GitHubLimited, GitHubUnavailable
from app.github.client import GitHubClient
from app.github.faults import Refused, answered
from app.github.hub import GitHubHubFactory
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.server import FixedClock, Reply, ScriptedServer

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."
PRIMARY = "API rate limit exceeded for installation ID 11."


def _reset(seconds: int) -> dict[str, str]:
    return {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": str(int(NOW.timestamp()) + seconds),
    }


@pytest.mark.parametrize(
    ("headers", "message", "wait"),
    [
        ({"retry-after": "17"}, "Forbidden", 17),
        (_reset(120), PRIMARY, 121),
        (_reset(-5), PRIMARY, 1),
        (_reset(99_999), PRIMARY, 3_600),
        ({}, SECONDARY, 60),
        ({}, "Something else. Please retry your request again later.", 60),
        ({"retry-after": "soon"}, SECONDARY, 60),
    ],
)
def test_a_limit_says_how_long(
    headers: dict[str, str], message: str, wait: float
) -> None:
    """The three kinds of limit are waited for as long as GitHub says."""
    error = answered(403, headers, message, NOW)
    assert isinstance(error, GitHubLimited)
    assert error.retry_after == wait


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Resource not accessible by integration", "permission"),
        ("Unable to create comment because issue is locked.", "locked"),
        ("Repository was archived so is read-only.", "archived"),
        ("This installation has been suspended", "suspended"),
        ("Must have admin rights to Repository.", "other"),
    ],
)
def test_a_refusal_says_why(message: str, reason: str) -> None:
    """What no waiting cures is told apart, for each costs something else."""
    error = answered(403, {"x-ratelimit-remaining": "4990"}, message, NOW)
    assert isinstance(error, Refused)
    assert error.reason == reason
    assert error.status == 403


@pytest.mark.parametrize(
    "message",
    [
        "Resource not accessible by integration",
        "Unable to create comment because issue is locked.",
        "Repository was archived so is read-only.",
    ],
)
@pytest.mark.parametrize("verb", ["GET", "POST", "PATCH", "DELETE"])
def test_a_refusal_is_asked_for_once(
    client: GitHubClient,
    server: ScriptedServer,
    clock: FixedClock,
    verb: str,
    message: str,
) -> None:
    """No retry and no wait: the answer will not change."""
    server.script = [Reply(status=403, body={"message": message})]
    with pytest.raises(Refused):
        client.send(verb, "/x")
    assert clock.slept == []


@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_a_secondary_limit_without_headers_is_handed_up(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock, verb: str
) -> None:
    """A minute is too long for a thread; the job comes back later."""
    server.script = [Reply(status=403, body={"message": SECONDARY})]
    with pytest.raises(GitHubLimited) as caught:
        client.send(verb, "/x")
    assert caught.value.retry_after >= 60
    assert clock.slept == []


def test_another_installation_goes_on(
    client: GitHubClient, server: ScriptedServer, factory: GitHubHubFactory
) -> None:
    """A limit of one installation is not that of another."""
    server.script = [Reply(status=403, body={"message": SECONDARY}), Reply(body={})]
    with pytest.raises(GitHubLimited):
        client.get("/x")
    assert factory.hub(12, "o/other")._client.get("/x") == {}


def test_a_401_is_a_matter_of_credentials_and_a_500_is_none() -> None:
    """Neither is mixed up with a 403."""
    refused = answered(401, {}, "Bad credentials", NOW)
    assert isinstance(refused, Refused)
    assert refused.reason == "credentials"
    assert isinstance(answered(500, {}, "", NOW), GitHubUnavailable)
