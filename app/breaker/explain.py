"""Say in one sentence why a circuit tripped. Pure."""

from __future__ import annotations

from app.breaker.rules import CircuitRules


def odds_in_words(share: float) -> str:
    """Return a share as people say it: ``0.083`` is "1 in 12"."""
    return f"1 in {max(1, round(1.0 / share))}" if share > 0 else "never"


def trip_sentence(recent: tuple[float, ...], p0: float, rules: CircuitRules) -> str:
    """Say how strong the evidence of a trip is, in words that need no statistics."""
    scores = _telling_part(recent)
    failed = sum(1 for score in scores if score >= 0.5)
    return (
        f"{failed} of the last {len(scores)} reviews failed; this agent normally "
        f"fails {odds_in_words(p0)} here. A healthy agent gives evidence this strong "
        f"at most once in {rules.threshold:.0f} reviews."
    )


def streak_sentence(streak: int) -> str:
    """Say why a circuit tripped that counts failures in a row."""
    return f"{streak} reviews in a row failed."


def _telling_part(recent: tuple[float, ...]) -> tuple[float, ...]:
    """Return the latest run of outcomes, from the first of its failures on."""
    for index, score in enumerate(recent):
        if score >= 0.5:
            return recent[index:]
    return recent
