"""Read fields of a webhook's JSON without trusting its shape. Pure.

Everything may be null, absent or of another type (B09, B10, B11). A reader returns
the value when it is what it has to be, and nothing otherwise; it never raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

Payload = Mapping[str, Any]

MOST_ID = 2**63 - 1  # what a database column and GitHub's own ids hold
_REPOSITORY = re.compile(r"[A-Za-z0-9_-]{1,100}/(?!\.\.?$)[A-Za-z0-9._-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_WORD = re.compile(r"[a-z_]{1,64}")


def table(payload: Payload, *path: str) -> Payload:
    """Return the object at ``path``, an empty one where there is none."""
    value: Any = payload
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def tables(payload: Payload, key: str) -> Iterator[Payload]:
    """Yield the objects of the list at ``key``; other entries are left out."""
    value = payload.get(key)
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, Mapping))


def text(payload: Payload, key: str) -> str:
    """Return the text at ``key``, and no text for anything else.

    Half a surrogate pair, which JSON can spell and no database can keep, becomes
    a question mark.
    """
    value = payload.get(key)
    if not isinstance(value, str):
        return ""
    return value.encode("utf-8", "replace").decode("utf-8")


def texts(payload: Payload, key: str) -> Iterator[str]:
    """Yield the texts of the list at ``key``."""
    value = payload.get(key)
    if isinstance(value, list):
        yield from (text({"": each}, "") for each in value if isinstance(each, str))


def number(payload: Payload, key: str) -> int | None:
    """Return the positive whole number at ``key``; ``true`` is none."""
    value = payload.get(key)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_ID:
        return value
    return None


def flag(payload: Payload, key: str) -> bool:
    """Tell whether ``key`` is exactly true."""
    return payload.get(key) is True


def word(payload: Payload, key: str) -> str:
    """Return a word of GitHub's own, such as an action; nothing for all else."""
    value = text(payload, key)
    return value if _WORD.fullmatch(value) else ""


def repository_name(payload: Payload, key: str) -> str:
    """Return ``owner/name``; it goes into addresses, so its letters are few."""
    value = text(payload, key)
    return value if _REPOSITORY.fullmatch(value) else ""


def sha(payload: Payload, key: str) -> str:
    """Return a full commit id, SHA-1 or SHA-256."""
    value = text(payload, key)
    return value if _SHA.fullmatch(value) else ""


def moment(payload: Payload, key: str) -> datetime | None:
    """Return a time in UTC; GitHub writes it as text, in pushes as seconds."""
    value = payload.get(key)
    try:
        if isinstance(value, str):
            parsed = datetime.fromisoformat(value)
            return parsed.astimezone(UTC) if parsed.tzinfo else None
        if isinstance(value, int) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None
