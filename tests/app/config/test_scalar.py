"""Plain scalars mean what YAML 1.2 says."""

from __future__ import annotations

import math

import pytest

from app.config.scalar import is_ambiguous, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("FALSE", False),
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("nUll", "nUll"),
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.10", 1.1),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1.2.3", "1.2.3"),
        ("٥", "٥"),
        ("2020-01-01", "2020-01-01"),
    ],
)
def test_a_plain_scalar_has_one_meaning(text: str, value: object) -> None:
    """Value and type are those of the core schema."""
    read = value_of(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("text", ["9" * 5_000, "1e999", ".inf", "+.INF"])
def test_a_number_beyond_all_bounds_is_infinite(text: str) -> None:
    """A number too long for int() is no exception; no bound accepts infinity."""
    assert value_of(text) == math.inf
    assert value_of("-" + text.lstrip("+")) == -math.inf


def test_a_number_that_is_none_is_none() -> None:
    """``.nan`` is read, so that the model can refuse it by its key."""
    read = value_of(".nan")
    assert isinstance(read, float)
    assert math.isnan(read)


@pytest.mark.parametrize("text", ["012", "-012", "00", "08"])
def test_a_leading_zero_is_ambiguous(text: str) -> None:
    """Octal for one reader, decimal for the next."""
    assert is_ambiguous(text)


@pytest.mark.parametrize("text", ["0", "-0", "0.5", "10", "0x10", "0o7", "0s"])
def test_other_numbers_are_not_ambiguous(text: str) -> None:
    """A zero alone, a fraction and a marked base say what they are."""
    assert not is_ambiguous(text)
