"""An RSA key pair for an app that exists only in tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A private key as GitHub hands it out, and its public half; both PEM."""

    private: str = field(repr=False)
    public: str


def make_key_pair() -> KeyPair:
    """Make a fresh key pair."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    return KeyPair(private=private.decode(), public=public_half(private.decode()))


def public_half(private: str) -> str:
    """Return the public key of a private one."""
    key = serialization.load_pem_private_key(private.encode(), password=None)
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return public.decode()
