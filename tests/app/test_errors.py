"""Errors survive being kept: a durable step stores them pickled."""

from __future__ import annotations

import pickle

import pytest

from app.errors import GitHubError, RecloserError
from app.github import faults


def all_of(kind: type[RecloserError]) -> list[type[RecloserError]]:
    """Return a class and everything below it."""
    return [kind, *(each for sub in kind.__subclasses__() for each in all_of(sub))]


@pytest.mark.parametrize("kind", all_of(RecloserError), ids=lambda kind: kind.__name__)
def test_an_error_comes_back_as_it_was(kind: type[RecloserError]) -> None:
    """Message and all that hangs on it."""
    error = kind("what happened")
    error.__dict__["note"] = "kept"

    again = pickle.loads(pickle.dumps(error))

    assert type(again) is kind
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__


def test_the_reason_of_a_refusal_is_kept() -> None:
    """Recovery decides by it."""
    error = faults.Refused("locked", status=403, reason="locked")

    again = pickle.loads(pickle.dumps(error))

    assert isinstance(again, GitHubError)
    assert (again.status, again.reason) == (403, "locked")
