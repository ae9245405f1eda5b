"""What an action wants, in a form that can be compared. Pure.

Similar words are not the same intent: "read validate_token" and "read refresh_token"
look more alike than two ways to say one thing. So the *targets* are taken out of the
words first (paths, names, numbers, ranges, yes or no) and compared exactly; the rest
is wording, which counts second or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker.actions import Action


@dataclass(frozen=True, slots=True)
class Intent:
    """One intent.

    ``key`` is equal for equal tools on equal targets; ``""`` equals nothing.
    ``wording`` is what remains of the words, normalised.
    """

    key: str = ""
    wording: str = ""


def intent_of(action: Action) -> Intent:
    """Return the intent of ``action``."""
    return Intent()
