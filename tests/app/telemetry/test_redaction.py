"""Secrets do not get into the log."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.telemetry.redaction import GONE, redact

KIND = "RSA PRIVATE" + " KEY-----"
PEM = f"-----BEGIN {KIND}\n{'QUJD' * 20}\n-----END {KIND}"
SECRETS = [
    *(f"gh{kind}_" + "A" * 36 for kind in "pousr"),
    "ghs_" + "12345_" + "eyJhbGciOi" + "." + "B" * 40,
    "github_" + "pat_" + "A" * 22 + "_" + "b" * 59,
    "sk-" + "ant-api03-" + "x" * 40,
    "eyJ" + "a" * 20 + "." + "eyJ" + "b" * 20 + "." + "c" * 20,
    PEM,
    PEM.partition("\n-----END")[0],
    "Bearer " + "abcDEF123-._~",
    "sha256=" + "0f" * 32,
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_replaced(secret: str) -> None:
    """In the midst of words, inside of values, and as bytes."""
    core = secret.removeprefix("Bearer ")
    for event in (
        f"failed with {secret} in it",
        {"why": [("x", {"deep": f"'{secret}'"})]},
        f"x={secret}".encode(),
        ValueError(secret),
    ):
        found = str(redact(event))
        assert core not in found
        assert GONE in found


def test_the_password_of_an_address_goes_and_the_host_stays() -> None:
    """One still sees which database it is."""
    password = "hunter" + "2"
    url = f"postgresql://app:{password}@db.example:5432/recloser"
    assert redact(url) == f"postgresql://{GONE}@db.example:5432/recloser"


@pytest.mark.parametrize(
    "key", ["Authorization", "webhook_secret", "api_key", "token", "Set-Cookie"]
)
def test_what_is_called_a_secret_is_one(key: str) -> None:
    """Whatever it looks like."""
    assert redact({key: "plain"}) == {key: GONE}


def test_ordinary_words_and_numbers_stay() -> None:
    """A log from which everything is gone helps nobody."""
    event: dict[str, Any] = {
        "event": "review done",
        "tokens": 1234,
        "token": None,
        "sha": "a" * 40,
        "repository": "octo/hello",
        "url": "https://github.com/octo/hello/pull/5",
        "basic": "a basic check",
        "ok": True,
        "seconds": 0.5,
    }
    assert redact(event) == event


def test_a_value_without_an_end() -> None:
    """Something that holds itself is cut off."""
    endless: list[Any] = []
    endless.append(endless)
    assert GONE in str(redact(endless))


@given(st.recursive(st.text() | st.integers() | st.binary(), st.lists))
def test_nothing_makes_it_raise(value: Any) -> None:
    """A log line is written whatever is in it."""
    redact(value)
