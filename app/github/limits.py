"""GitHub's limits on what is written, and how to stay below them. Pure.

Texts are counted in bytes of UTF-8, the strictest way to count: a text that fits so
fits however GitHub counts (B22). Nothing is cut inside a character; a code fence
or ``<details>`` that the cut leaves open is closed again, so that what follows is
never swallowed.
"""

from __future__ import annotations

import re

MOST_TEXT = 65_535  # summary and text of a check run, body of a comment or review
MOST_TITLE = 255  # title of an annotation or of a check run's report
MOST_MESSAGE = 64_000  # message of an annotation; GitHub says 64 KB
MOST_ANNOTATIONS_A_REQUEST = 50
MOST_ANNOTATIONS = 500  # our own cap: ten requests
MOST_COMMENTS = 30  # of one review
MOST_ACTIONS = 3
MOST_ACTION_LABEL = 20
MOST_ACTION_DESCRIPTION = 40
MOST_ACTION_IDENTIFIER = 20
MOST_LABEL_DESCRIPTION = 100
MOST_FILES = 3_000  # rows of the files API

CUT = "\n\n*Cut here: GitHub takes no longer text.*"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_DETAILS = re.compile(r"<(/?)details\b[^>]*>", re.IGNORECASE)
_UNSENDABLE = re.compile("[\ud800-\udfff\0]")


def sendable(text: str) -> str:
    """Return ``text`` without what JSON or GitHub cannot carry.

    Lone surrogates stand for bytes that were no UTF-8; NUL is refused.
    """
    return _UNSENDABLE.sub("\ufffd", text)


def size(text: str) -> int:
    """Return how long ``text`` is as the strictest counter counts."""
    return len(text.encode("utf-8", "replace"))


def cut_line(text: str, most: int) -> str:
    """Return one short text of at most ``most`` bytes, with an ellipsis when cut."""
    text = sendable(text)
    if size(text) <= most:
        return text
    return _head(text, most - size("…")) + "…"


def cut_characters(text: str, most: int) -> str:
    """Return at most ``most`` characters, with an ellipsis when cut."""
    text = sendable(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def cut_markdown(text: str, most: int = MOST_TEXT, *, tail: str = "") -> str:
    """Return Markdown of at most ``most`` bytes that ends with ``tail``.

    The cut is made at the end of a line where one is near; whatever fence and
    ``<details>`` stand open there are closed. ``tail`` is never cut.
    """
    text, tail = sendable(text), sendable(tail)
    if size(text) + size(tail) <= most:
        return text + tail
    room = most - size(CUT) - size(tail)
    while True:
        head = _at_line_end(_head(text, room))
        closing = _closing(head)
        over = size(head) + size(closing) + size(CUT) + size(tail) - most
        if over <= 0 or not head:
            break
        room = size(head) - over
    if not head:
        closing = ""
    return head + closing + CUT + tail


def _head(text: str, most: int) -> str:
    """Return the longest start of ``text`` that has at most ``most`` bytes."""
    return text.encode("utf-8")[: max(0, most)].decode("utf-8", "ignore")


def _at_line_end(text: str) -> str:
    """Go back to the end of a line, unless that would lose more than a quarter."""
    end = text.rfind("\n")
    return text[:end] if end >= len(text) * 3 // 4 else text


def _closing(text: str) -> str:
    """Return what closes the fence and the details that ``text`` leaves open."""
    fence = ""
    depth = 0
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match is not None and not fence:
            if match[1][0] == "~" or "`" not in match[2]:
                fence = match[1]
                continue
        elif match is not None and _ends(fence, match):
            fence = ""
            continue
        if not fence:
            for tag in _DETAILS.finditer(line):
                depth = max(0, depth - 1) if tag[1] else depth + 1
    closing = f"\n{fence}" if fence else ""
    return closing + "\n\n</details>" * depth


def _ends(fence: str, match: re.Match[str]) -> bool:
    run, rest = match[1], match[2]
    return run[0] == fence[0] and len(run) >= len(fence) and not rest.strip()
