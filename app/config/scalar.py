"""What a scalar of the file means: the core schema of YAML 1.2. Pure.

``on``, ``no`` and ``1:30`` are texts here, as YAML 1.2 says; in YAML 1.1 they are
booleans and a number in base 60. ``012`` is twelve in the one and ten in the
other, so it is neither: the parser asks for a clear spelling (B20).
"""

from __future__ import annotations

import math
import re

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_WHOLE = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NOT_A_NUMBER = frozenset({".nan", ".NaN", ".NAN"})
_AMBIGUOUS = re.compile(r"[-+]?0[0-9]+")
#: int() refuses texts of more than 4300 digits; no bound of the file is near.
_MOST_DIGITS = 40


def is_ambiguous(text: str) -> bool:
    """Tell whether a plain scalar is a different number to different readers."""
    return _AMBIGUOUS.fullmatch(text) is not None


def value_of(text: str) -> str | int | float | bool | None:
    """Return what a plain (unquoted) scalar means."""
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else _infinity(text)
    if _BASED.fullmatch(text):
        return int(text, 0) if len(text) <= _MOST_DIGITS else math.inf
    if _REAL.fullmatch(text):
        return float(text)
    if text in _NOT_A_NUMBER:
        return math.nan
    if _INFINITE.fullmatch(text):
        return _infinity(text)
    return text


def _infinity(text: str) -> float:
    return -math.inf if text.startswith("-") else math.inf
