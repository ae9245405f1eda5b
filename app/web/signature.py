"""Check the signature of a webhook. Pure.

Threat: anybody on the internet can post to us. Only SHA-256 over the raw body
counts; the older SHA-1 header is never looked at, so nobody can choose the weaker
one. Digests are compared as bytes and in constant time: as text, a header with a
byte above 127 would raise instead of being refused (B11).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

HEADER = b"x-hub-signature-256"
PREFIX = b"sha256="


def sign(body: bytes, secret: bytes) -> bytes:
    """Return the header that GitHub sends with ``body``."""
    return PREFIX + hmac.new(secret, body, hashlib.sha256).hexdigest().encode("ascii")


def verify(body: bytes, header: bytes | None, secrets: Sequence[bytes]) -> bool:
    """Tell whether ``header`` signs ``body`` with one of ``secrets``.

    Several secrets are for the time in which one replaces the other. An empty
    secret signs nothing: with it, everybody could.
    """
    if header is None:
        return False
    # Every secret is tried, so that the time tells nothing about which one fits.
    fits = [
        hmac.compare_digest(sign(body, secret), header) for secret in secrets if secret
    ]
    return any(fits)
