"""Who we are to GitHub: the app's JWT and the installations' tokens.

Tokens are minted once for all threads (a lock an installation), renewed five
minutes before they end, and dropped when GitHub does not take one any more. A
token is held here and nowhere else; who calls asks for it each time (B31).
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from github import Auth

from app.errors import SettingsError
from app.ports import Clock

REFRESH_BEFORE = timedelta(minutes=5)
# Even when our clock runs far ahead of GitHub's, a token serves for a while.
SERVES_AT_LEAST = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An installation token and when it ends."""

    value: str = field(repr=False)
    expires_at: datetime


class RenewableAuth(Auth.Auth, ABC):
    """Credentials that may be worth a second try after a 401."""

    @abstractmethod
    def renew(self) -> bool:
        """Forget what was refused; tell whether to try once more."""


class AppKey(Auth.JWT, RenewableAuth):
    """The app's private key: signs a short JWT for every request."""

    def __init__(self, app_id: int, private_key: str, clock: Clock) -> None:
        """Take the key.

        Raises:
            SettingsError: it is no RSA private key in PEM form.
        """
        try:
            key = load_pem_private_key(private_key.encode(), password=None)
        except (ValueError, TypeError) as error:
            raise SettingsError(
                "the app's private key cannot be read: it must be the PEM file "
                "that GitHub gave, without a password"
            ) from error
        if not isinstance(key, RSAPrivateKey):
            raise SettingsError("the app's private key is no RSA key")
        self._app_id = app_id
        self._key = key
        self._clock = clock

    @property
    def token(self) -> str:
        """Return a JWT for this moment; GitHub takes at most ten minutes."""
        now = self._clock.now()
        claims = {
            # A minute back: GitHub refuses a JWT from the future.
            "iat": int((now - timedelta(minutes=1)).timestamp()),
            "exp": int((now + timedelta(minutes=8)).timestamp()),
            "iss": str(self._app_id),
        }
        return jwt.encode(claims, self._key, algorithm="RS256")

    def renew(self) -> bool:
        """Tell that a refused JWT is not worth a second try."""
        return False


class TokenCache:
    """The tokens of all installations. Safe from any thread."""

    def __init__(self, mint: Callable[[int], Token], clock: Clock) -> None:
        self._mint = mint
        self._clock = clock
        self._tokens = dict[int, tuple[Token, datetime]]()
        self._locks = dict[int, threading.Lock]()
        self._lock = threading.Lock()

    def get(self, installation_id: int) -> str:
        """Return a token with some minutes left."""
        with self._lock_of(installation_id):
            now = self._clock.now()
            kept = self._tokens.get(installation_id)
            if kept is None or now >= kept[1]:
                token = self._mint(installation_id)
                refresh_at = max(
                    now + SERVES_AT_LEAST, token.expires_at - REFRESH_BEFORE
                )
                kept = self._tokens[installation_id] = (token, refresh_at)
            return kept[0].value

    def drop(self, installation_id: int, value: str) -> None:
        """Forget a token that GitHub refused, unless another took its place."""
        with self._lock_of(installation_id):
            kept = self._tokens.get(installation_id)
            if kept is not None and kept[0].value == value:
                del self._tokens[installation_id]

    def _lock_of(self, installation_id: int) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(installation_id, threading.Lock())


class InstallationAuth(RenewableAuth):
    """The token of one installation, asked for anew for every request.

    One for each thread, because it remembers which token was used last.
    """

    def __init__(self, installation_id: int, tokens: TokenCache) -> None:
        self._installation_id = installation_id
        self._tokens = tokens
        self._last = ""

    @property
    def token_type(self) -> str:
        """Return the word before the token."""
        return "token"

    @property
    def token(self) -> str:
        """Return a token that is good now."""
        self._last = self._tokens.get(self._installation_id)
        return self._last

    def renew(self) -> bool:
        """Drop the token that was refused; tell that a second try makes sense."""
        self._tokens.drop(self._installation_id, self._last)
        return True
