"""Write a set of words as one string, so that tables stay readable. Pure."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``, which are parted by blanks."""
    return frozenset(text.split())
