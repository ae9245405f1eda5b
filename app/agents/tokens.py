"""Estimate the tokens of a prompt before it is sent, rather too many. Pure.

The real tokenizers are not at hand offline, and a budget that is checked before a
call must not be fooled by text that tokenizes badly. So plain words count three
letters a token (they need about four), digits and signs more, characters outside
ASCII one token per one and a half bytes, and a long unbroken run such as base64
one token a character. ``Estimator`` learns: a provider that counted more than was
estimated raises every later estimate of the same review.
"""

from __future__ import annotations

import math
import re

_DENSE = re.compile(r"[A-Za-z0-9+/=_-]{32,}")
_LETTERS = re.compile(r"[A-Za-z \n]+")
_DIGITS = re.compile(r"[0-9]+")
_SIGNS = re.compile(r"[!-/:-@\[-`{-~\t\r\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_MARGIN = 1.1  # above the worst ratio that was seen


def estimate(text: str) -> int:
    """Return about how many tokens ``text`` has, rather too many."""
    dense = _length(_DENSE, text)
    rest = _DENSE.sub("", text)
    letters, digits = _length(_LETTERS, rest), _length(_DIGITS, rest)
    signs = _length(_SIGNS, rest)
    ascii_size = letters + digits + signs
    wide = len(rest.encode("utf-8", "surrogatepass")) - ascii_size
    return math.ceil(dense + letters / 3 + digits / 2 + (signs + wide) / 1.5)


class Estimator:
    """Estimates the prompts of one review, and learns from what was counted."""

    def __init__(self) -> None:
        self._factor = 1.0

    def estimate(self, text: str) -> int:
        """Return about how many tokens ``text`` has."""
        return math.ceil(estimate(text) * self._factor)

    def learn(self, estimated: int, counted: int) -> None:
        """Take note of what the provider counted for what was ``estimated``."""
        if estimated > 0 and counted > estimated:
            self._factor *= counted / estimated * _MARGIN


def _length(pattern: re.Pattern[str], text: str) -> int:
    return sum(match.end() - match.start() for match in pattern.finditer(text))
