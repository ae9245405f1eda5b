"""The signature: SHA-256 over the raw body, with one of our secrets."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.signature import sign, verify

OLD, NEW = b"old-secret", b"new-secret"
BODY = b'{"zen": "Keep it logically awesome."}'


def test_the_example_of_github_is_right() -> None:
    """GitHub's own documented example verifies."""
    header = b"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert verify(b"Hello, World!", header, [b"It's a Secret to Everybody"])


@pytest.mark.parametrize("secrets", [[OLD, NEW], [NEW, OLD], [OLD]])
def test_either_secret_fits_while_they_change(secrets: list[bytes]) -> None:
    """The old secret goes on to work while the new one takes its place."""
    assert verify(BODY, sign(BODY, OLD), secrets)


def test_another_secret_does_not_fit() -> None:
    """A signature by nobody we know is none."""
    assert not verify(BODY, sign(BODY, b"guess"), [OLD, NEW])


def test_no_secret_lets_nobody_in() -> None:
    """Without a secret, and with an empty one, nothing is signed."""
    assert not verify(BODY, sign(BODY, b""), [])
    assert not verify(BODY, sign(BODY, b""), [b""])


def test_sha1_is_no_signature() -> None:
    """The old algorithm does not count, under neither name."""
    digest = hmac.new(OLD, BODY, hashlib.sha1).hexdigest().encode()
    assert not verify(BODY, b"sha1=" + digest, [OLD])
    assert not verify(BODY, b"sha256=" + digest, [OLD])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda header: None,
        lambda header: b"",
        lambda header: b"sha256=",
        lambda header: b"sha256=\xe9",
        lambda header: header.upper(),
        lambda header: header[:-1],
        lambda header: header + b" ",
        lambda header: header.removeprefix(b"sha256="),
    ],
)
def test_anything_but_the_exact_header_is_refused(spoil) -> None:  # type: ignore[no-untyped-def]  # lambdas of a table
    """Missing, empty, cut or not ASCII: refused, never an exception (B11)."""
    assert not verify(BODY, spoil(sign(BODY, OLD)), [OLD])


@given(st.binary(), st.binary(max_size=80) | st.none())
def test_no_header_by_chance(body: bytes, header: bytes | None) -> None:
    """No bytes whatever raise, and none that were not made with the secret fit."""
    assert verify(body, header, [OLD]) == (header == sign(body, OLD))


@given(st.binary(min_size=1), st.integers(min_value=0))
def test_one_other_bit_in_the_body_is_noticed(body: bytes, place: int) -> None:
    """The signature covers every byte as it came."""
    spoiled = bytearray(body)
    spoiled[place % len(body)] ^= 1
    assert verify(body, sign(body, OLD), [OLD])
    assert not verify(bytes(spoiled), sign(body, OLD), [OLD])
