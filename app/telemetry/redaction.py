"""Keep secrets out of logs. Pure.

A net below the rule that secrets are never logged: what looks like a token, a
private key or a password in an address is replaced wherever it appears in an event,
also in the text of an exception. What looks like nothing cannot be found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

GONE = "[redacted]"
MOST_DEPTH = 8

_PATTERNS = (
    re.compile(r"\bgh[a-z]_[A-Za-z0-9_.-]{16,}"),  # GitHub's tokens of all kinds
    re.compile(r"\bgithub_pat_[A-Za-z0-9_]{16,}"),
    re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"),  # model providers
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        re.DOTALL,
    ),
    re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"(?i)\bsha256=[0-9a-f]{64}\b"),  # a signature of ours
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"),  # user:password@host
)
_SECRET_KEYS = re.compile(
    r"(?i)(?:^|[_-])(?:authorization|password|passwd|secrets?|private_key|api_key|"
    r"token|cookie|signature)$"
)


def redact(value: Any, depth: int = 0) -> Any:
    """Return ``value`` without what looks like a secret."""
    if isinstance(value, str):
        return _redact_text(value)
    if isinstance(value, bytes):
        return _redact_text(value.decode("utf-8", "replace"))
    if depth >= MOST_DEPTH:
        return GONE if isinstance(value, Mapping | list | tuple | set) else value
    if isinstance(value, Mapping):
        return {key: _of_key(key, each, depth) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redact(each, depth + 1) for each in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return _redact_text(str(value))  # what a renderer would make of it


def _of_key(key: Any, value: Any, depth: int) -> Any:
    # Numbers stay: "tokens" and the like are counted, not kept secret.
    is_secret = isinstance(value, str | bytes) and _SECRET_KEYS.search(str(key))
    return GONE if is_secret and value else redact(value, depth + 1)


def _redact_text(text: str) -> str:
    for pattern in _PATTERNS:
        text = pattern.sub(GONE, text)
    return text
