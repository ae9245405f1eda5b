"""Show a line as evidence: short, visible, free of secrets. Pure and linear.

Guarantees: of a secret at most its first four characters are shown; characters
that a reader cannot see are shown by their numbers; the length is bounded.
"""

from __future__ import annotations

import re
import unicodedata

from guardrails.rules.credential_search import find_credentials
from guardrails.rules.secret_search import SHOWN, Hit, find_secrets

MOST = 160  # characters of a line that are shown
_AROUND = 2_000  # characters of a long line that are looked at
_LEAD = 60
# A line of a key's body has no mark of its own; nothing readable is that long.
_RUN = re.compile(r"[A-Za-z0-9+=_-]{48,}|[A-Za-z0-9+/=]{60,}")


def shown(line: str, position: int = 0) -> str:
    """Return ``line``, or what of it stands around ``position``, as evidence."""
    start = max(0, position - _AROUND)
    end = position + _AROUND
    return shorten(hidden(line[start:end]), min(position, _AROUND))


def hidden(text: str) -> str:
    """Return ``text`` without the secrets in it, all else as it was."""
    hits = [*find_secrets(text), *find_credentials(text, bare=True)]
    return _RUN.sub(lambda run: run[0][:SHOWN] + "…", masked(text, hits))


def masked(text: str, hits: list[Hit]) -> str:
    """Return ``text`` with each hit cut to its first characters."""
    parts: list[str] = []
    at = 0
    for hit in sorted(hits, key=lambda each: each.start):
        if hit.end <= at:
            continue
        # Overlapping hits hide all that either of them covers.
        if hit.start >= at:
            few = min(SHOWN, (hit.end - hit.start) // 4)
            parts.append(text[at : hit.start + few] + "…")
        at = hit.end
    parts.append(text[at:])
    return "".join(parts)


def shorten(text: str, position: int = 0) -> str:
    """Return at most MOST visible characters of ``text`` around ``position``."""
    start = max(0, min(position - _LEAD, len(text) - MOST))
    cut = visible(text[start : start + MOST].strip())
    return ("…" if start else "") + cut + ("…" if start + MOST < len(text) else "")


def visible(text: str) -> str:
    """Return ``text`` with what a reader cannot see written as numbers."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        each if _is_visible(each) else f"\\u{{{ord(each):x}}}" for each in text
    )


def _is_visible(character: str) -> bool:
    if character == "\t":
        return True
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
