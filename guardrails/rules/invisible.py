"""Which characters cannot be seen, and where they are at home. Pure and linear."""

from __future__ import annotations

import re

# Written as escapes, so that this file holds none of them.
DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
SMUGGLED = re.compile(
    "[\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
    "|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007f]"
    "|[\U000e0020-\U000e007f]{8}"  # the tags of a flag are fewer
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}"  # selectors in a row are bytes
)
ESCAPES = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
ZERO_WIDTH = re.compile(
    "[\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u00ad\u034f\u061c\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180e\u3164\uffa0]"
)
_JOINERS = "\u200c\u200d"
_MARKS = "\u200e\u200f\u061c"
_OPENING = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_CLOSING = "\u202c\u2069"
ALL = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\u034f\u061c\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180e\u3164\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)


def is_balanced(text: str) -> bool:
    """Tell whether each direction control of ``text`` is closed within it."""
    depth = 0
    for match in DIRECTION.finditer(text):
        depth += 1 if match[0] in _OPENING else -1
        if depth < 0:
            return False
    return depth == 0


def first_zero_width(text: str, *, is_first: bool = False) -> int | None:
    """Return the first character without width that is not at home in ``text``.

    Args:
        text: one line.
        is_first: the line begins its file, where a byte order mark may stand.
    """
    for match in ZERO_WIDTH.finditer(text):
        at = match.start()
        before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
        if match[0] == "\ufeff" and at == 0 and is_first:
            continue
        if match[0] in _JOINERS and _needs_joiners(before) and _needs_joiners(after):
            continue
        if match[0] in _MARKS and (_is_foreign(before) or _is_foreign(after)):
            continue
        return at
    return None


def _needs_joiners(character: str) -> bool:
    """Tell whether joiners are at home beside ``character``: emoji, Indic, Arabic."""
    return character != "" and (
        ord(character) >= 0x1F000
        or character == "\ufe0f"
        or 0x2600 <= ord(character) <= 0x27BF
        or 0x0600 <= ord(character) <= 0x1FFF
    )


def _is_foreign(character: str) -> bool:
    return character != "" and ord(character) >= 0x0590
