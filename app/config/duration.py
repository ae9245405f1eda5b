"""Durations as the file writes them: ``90s``, ``10m``, ``1h``. Pure.

One whole number and one unit, from one second to one day: a bare number says no
unit, and ``1:30`` is 90 to one YAML reader and text to the next (B20).
"""

from __future__ import annotations

import re

#: Exactly the durations from 1 second to 24 hours, so that an editor with the
#: JSON schema refuses what the parser refuses.
PATTERN = (
    r"^(?:"
    r"(?:[1-9][0-9]{0,3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400)s"
    r"|(?:[1-9][0-9]{0,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)m"
    r"|(?:[1-9]|1[0-9]|2[0-4])h"
    r")$"
)
_DURATION = re.compile(PATTERN.removesuffix("$"))
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def to_seconds(text: str) -> float | None:
    """Return the seconds that ``text`` means, ``None`` when it is no duration."""
    if _DURATION.fullmatch(text) is None:
        return None
    return float(int(text[:-1]) * _SECONDS[text[-1]])


def to_text(seconds: float) -> str:
    """Return whole ``seconds`` in the largest unit that divides them."""
    whole = int(seconds)
    for unit in ("h", "m"):
        if whole % _SECONDS[unit] == 0:
            return f"{whole // _SECONDS[unit]}{unit}"
    return f"{whole}s"
