"""B31: an installation token lives for an hour, a review may live longer."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from app.errors import GitHubRefused, SettingsError
from app.github.auth import AppKey, Token, TokenCache
from app.github.client import GitHubClient
from app.github.hub import GitHubApp, GitHubHub, GitHubHubFactory
from app.ports import CheckReport
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.conftest import OpenPull
from tests.app.github.server import FixedClock, Reply, ScriptedServer
from tests.simulator.client import SimulatorClient

OK = Reply(body={"ok": True})


def test_a_jump_of_the_clock_renews_the_token(
    client: GitHubClient, server: ScriptedServer, clock: FixedClock
) -> None:
    """The hub that read the pull request writes the check an hour later."""
    server.script = [OK, Reply(status=201, body={})]
    client.get("/pull")
    clock.time += timedelta(minutes=61)
    client.send("POST", "/check", {})
    used = [each.headers["authorization"] for each in server.requests]
    assert used == ["token token-1", "token token-2"]


def test_an_hour_passes_between_reading_and_writing(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, clock: FixedClock
) -> None:
    """Against a GitHub that really refuses old tokens, the result is not lost."""
    now = live.pull(pull.number)
    clock.time += timedelta(minutes=61)
    check_id = live.open_check(now.head_sha, "x", "Looking")
    clock.time += timedelta(minutes=61)
    report = CheckReport(conclusion="success", title="t", summary="s")
    live.complete_check(check_id, report)
    run = pull.state.check("Recloser")
    assert run is not None
    assert run.conclusion == "success"
    assert people.requests()["apps/create-installation-access-token"] == 3


@pytest.mark.parametrize(("minutes", "tokens"), [(54, 1), (56, 2)])
def test_a_token_is_renewed_five_minutes_early(
    client: GitHubClient,
    server: ScriptedServer,
    clock: FixedClock,
    minutes: int,
    tokens: int,
) -> None:
    """No request starts with a token that may end on its way."""
    server.script = [OK, OK]
    client.get("/x")
    clock.time += timedelta(minutes=minutes)
    client.get("/x")
    assert len(server.minted) == tokens


@pytest.mark.parametrize("verb", ["GET", "POST", "PATCH"])
def test_a_refused_token_is_renewed_once(
    client: GitHubClient, server: ScriptedServer, verb: str
) -> None:
    """By our clock it was good; GitHub has the last word."""
    server.bad_tokens = {"token-1"}
    server.script = [OK]
    assert client.send(verb, "/x").data == {"ok": True}
    assert server.minted == ["token-1", "token-2"]


def test_a_second_refusal_is_final(
    client: GitHubClient, server: ScriptedServer
) -> None:
    """One retry after a 401, never two."""
    server.bad_tokens = {"token-1", "token-2", "token-3"}
    with pytest.raises(GitHubRefused) as caught:
        client.get("/x")
    assert caught.value.status == 401
    assert len(server.requests) == 2
    assert server.minted == ["token-1", "token-2"]


def test_a_refused_token_does_not_throw_away_its_successor() -> None:
    """Two threads meet a 401 with one old token: one new token is made."""
    clock = FixedClock()
    made = list[str]()

    def mint(_: int) -> Token:
        made.append(f"t{len(made)}")
        return Token(value=made[-1], expires_at=clock.now() + timedelta(hours=1))

    tokens = TokenCache(mint, clock)
    old = tokens.get(1)
    tokens.drop(1, old)
    new = tokens.get(1)
    tokens.drop(1, old)
    assert tokens.get(1) == new
    assert made == ["t0", "t1"]


def test_sixteen_threads_mint_one_token() -> None:
    """A cold start is no stampede."""
    clock = FixedClock()
    made = list[int]()
    gate = threading.Barrier(16)

    def mint(installation: int) -> Token:
        made.append(installation)
        return Token(value="t", expires_at=clock.now() + timedelta(hours=1))

    tokens = TokenCache(mint, clock)

    def ask() -> None:
        gate.wait()
        tokens.get(1)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_a_clock_that_runs_ahead_mints_no_token_a_request() -> None:
    """A token that looks old at once still serves for a while."""
    clock = FixedClock()
    made = list[int]()

    def mint(installation: int) -> Token:
        made.append(installation)
        return Token(value="t", expires_at=datetime(2020, 1, 1, tzinfo=UTC))

    tokens = TokenCache(mint, clock)
    for _ in range(5):
        tokens.get(1)
    assert made == [1]


def test_the_jwt_is_signed_and_short(private_key: str, clock: FixedClock) -> None:
    """Issued a minute ago for at most ten minutes in all, by the app's id."""
    key = AppKey(7, private_key, clock)
    public = load_pem_private_key(private_key.encode(), None).public_key()
    claims = jwt.decode(
        key.token,
        public,  # type: ignore[arg-type]  # an RSA key, by the fixture
        algorithms=["RS256"],
        options={"verify_exp": False, "verify_iat": False},
    )
    now = int(clock.now().timestamp())
    assert claims["iss"] == "7"
    assert claims["iat"] == now - 60
    assert now < claims["exp"] <= claims["iat"] + 600


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN RSA PRIVATE KEY-----"])
def test_a_key_that_is_none_is_a_clear_error(text: str, clock: FixedClock) -> None:
    """The operator learns it at the start, not at the first event."""
    app = GitHubApp(app_id=7, private_key=text)
    with pytest.raises(SettingsError, match="private key"):
        GitHubHubFactory(app, clock, clock.sleep)


def test_secrets_do_not_show(private_key: str) -> None:
    """Neither the key nor a token is in a representation."""
    app = GitHubApp(app_id=7, private_key=private_key)
    token = Token(value="ghs_" + "A" * 36, expires_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert "PRIVATE" not in repr(app)
    assert "ghs_" not in repr(token)
