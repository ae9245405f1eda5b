"""Durations: the pattern of the schema and the parser are one."""

from __future__ import annotations

import pytest

from app.config.duration import to_seconds, to_text

SECONDS = {"s": 1, "m": 60, "h": 3_600}


@pytest.mark.parametrize("unit", ["s", "m", "h"])
def test_all_durations_up_to_a_day_are_read_and_no_others(unit: str) -> None:
    """The bounds that the pattern spells out in digits are those of a day."""
    for number in range(90_000):
        seconds = number * SECONDS[unit]
        expected = float(seconds) if 0 < seconds <= 86_400 else None
        assert to_seconds(f"{number}{unit}") == expected


@pytest.mark.parametrize("text", ["", "s", "5", "05s", "5s\n", " 5s", "٥s", "1.5h"])
def test_what_only_looks_like_a_duration_is_none(text: str) -> None:
    """No blank, sign, point, leading zero or foreign digit."""
    assert to_seconds(text) is None


@pytest.mark.parametrize(
    ("seconds", "text"), [(90.0, "90s"), (300.0, "5m"), (3_600.0, "1h"), (60.0, "1m")]
)
def test_seconds_are_written_in_the_largest_unit(seconds: float, text: str) -> None:
    """Writing is the inverse of reading."""
    assert to_text(seconds) == text
    assert to_seconds(text) == seconds
