"""Builders: say what matters, the rest is ordinary."""

from __future__ import annotations

from app.store.reviews import ReviewRow
from tests.app.breaker.builders import NOON

A, B = "a" * 40, "b" * 40


def finished(review_id: str = "r", **changes: object) -> ReviewRow:
    """Return a finished review of pull request 7 that cost a dollar."""
    values: dict[str, object] = {
        "review_id": review_id,
        "repository": "o/r",
        "number": 7,
        "head_sha": A,
        "agent": "builtin",
        "mode": "agent",
        "conclusion": "success",
        "situation": "reviewed",
        "tokens": 10,
        "cost_usd": 1.0,
        "finished_at": NOON,
        "result": {},
    }
    return ReviewRow(**(values | changes))  # type: ignore[arg-type]  # test builder
