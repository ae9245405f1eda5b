"""Find secrets that can be told by their look, in any text. Pure and linear.

The same search serves the rule, the evidence of all other rules and the firewall
before generation, so that what one of them calls a secret the others hide.

Limits: a token that a program puts together from pieces is not seen.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from guardrails.model import Confidence, Severity
from guardrails.rules.secret_kinds import KINDS, SecretKind
from guardrails.rules.word_set import word_set

SHOWN = 4  # characters of a secret that may be shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One secret in a text, at ``start..end``. It never holds the secret itself."""

    kind: str
    title: str
    start: int
    end: int
    severity: Severity
    confidence: Confidence


_PLACEHOLDER = re.compile(
    r"example|placeholder|x{6}|\*{4}|\.{4}|your[_-]|change[_-]?me|dummy|redacted|<|\$\{",
    re.IGNORECASE,
)
_PEM_BEGIN = re.compile(
    r"-----BEGIN (?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP|SSH2 ENCRYPTED) )?"
    r"PRIVATE KEY(?: BLOCK)?-----"
)
_PEM_GLUE = re.compile(
    r"""(?:\\[nr]|[\s"'`+,;()>|\\-]){0,120}"""  # also the ends of quoted lines
    r"(?:[A-Z][A-Za-z-]{2,20}: [^\n]{1,120}\n\s{0,40}){0,4}"
    r"[A-Za-z0-9+/=]{40}"
)
_PEM_LONGEST = 20_000
_JWT = re.compile(
    r"(eyJ[A-Za-z0-9_-]{10,600})\.eyJ[A-Za-z0-9_-]{4,6000}\.[A-Za-z0-9_-]{10,1400}"
)
_USERINFO = re.compile(r"""://([^\s/:@"'`<>|\\]{0,80}):([^\s/@"'`<>|\\]{3,160})@""")
_HOST = re.compile(r"[A-Za-z0-9_.-]{1,120}")
_TELEGRAM = re.compile(r"(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9])")
_AZURE_CLIENT = re.compile(r"(?<=\dQ~)[A-Za-z0-9_~.-]{31,34}")
_PARTS = re.compile(r"[\s_.-]+")
_LOCAL = ("localhost", "0.0.0.0", "host", "db", "hostname")  # noqa: S104 - only names
_WEAK = word_set(
    "pass password passwd passw0rd pwd secret changeme test tests guest root admin user"
    " postgres mysql redis rabbitmq mongo minio example foo bar baz xxx pw token pat"
    " username hunter2 tiger s3cr3t p@ssw0rd letmein"
)


def find_secrets(text: str) -> list[Hit]:
    """Return the secrets in ``text``, in order and never overlapping."""
    hits = sorted(_all(text), key=lambda each: (each.start, -each.end))
    kept: list[Hit] = []
    for each in hits:
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _all(text: str) -> Iterator[Hit]:
    for kind in KINDS:
        for prefix in kind.prefixes:
            if prefix in text:
                yield from _of_kind(text, kind, prefix)
    if "-----BEGIN " in text:
        yield from _pem_keys(text)
    if "eyJ" in text:
        yield from _web_tokens(text)
    if "://" in text:
        yield from _passwords_in_addresses(text)
    if ":AA" in text:
        for match in _TELEGRAM.finditer(text):
            yield _hit("telegram-token", "a Telegram bot token", *match.span())
    if "Q~" in text:
        for match in _AZURE_CLIENT.finditer(text):
            yield _hit("azure-client-secret", "an Azure client secret", *match.span())


def _hit(
    kind: str,
    title: str,
    start: int,
    end: int,
    severity: Severity = Severity.HIGH,
    confidence: Confidence = Confidence.HIGH,
) -> Hit:
    return Hit(
        kind=kind,
        title=title,
        start=start,
        end=end,
        severity=severity,
        confidence=confidence,
    )


def _of_kind(text: str, kind: SecretKind, prefix: str) -> Iterator[Hit]:
    at = text.find(prefix)
    while at >= 0:
        end = at + len(prefix)
        match = kind.pattern.match(text, at) if _begins(text, at) else None
        if match is not None:
            value, end = match[0], match.end()
            confidence = kind.check(value)
            # B26: the keys of a vendor's documentation say so in themselves.
            if confidence is not None and not _PLACEHOLDER.search(value):
                yield _hit(kind.name, kind.title, at, end, kind.severity, confidence)
        at = text.find(prefix, end)


def _begins(text: str, at: int) -> bool:
    """Tell whether a token can begin here: not within a word."""
    if at == 0:
        return True
    before = text[at - 1]
    if not (before.isalnum() or before == "_"):
        return True
    return before in "nrt" and text[at - 2 : at - 1] == "\\"  # an escaped line end


def _pem_keys(text: str) -> Iterator[Hit]:
    past = 0
    for match in _PEM_BEGIN.finditer(text):
        if match.start() < past or not _PEM_GLUE.match(text, match.end()):
            continue  # code that only looks for the header has no key after it
        limit = match.end() + _PEM_LONGEST
        end = text.find("-----END", match.end(), limit)
        if end >= 0:
            end = min(end + len("-----END PRIVATE KEY-----"), len(text))
        else:
            end = min(limit, len(text))
        past = end
        title = "a private key"
        yield _hit("private-key", title, match.start(), end, Severity.CRITICAL)


def _web_tokens(text: str) -> Iterator[Hit]:
    at = text.find("eyJ")
    while at >= 0:
        end = at + 3
        before = text[at - 1 : at]
        # Only at the start of a run: a text of nothing but "eyJ" stays linear.
        if _begins(text, at) and before != "-":
            match = _JWT.match(text, at)
            if match is not None:
                end = match.end()
                if _is_jose_header(match[1]):
                    yield _hit("json-web-token", "a JSON web token", at, end)
        at = text.find("eyJ", end)


def _is_jose_header(part: str) -> bool:
    try:
        header = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header and header["alg"] != "none"


def _passwords_in_addresses(text: str) -> Iterator[Hit]:
    for match in _USERINFO.finditer(text):
        password = match[2]
        host = _HOST.match(text, match.end())
        if host is None or not _is_real_password(password):
            continue
        name = host[0].lower()
        local = (
            name in _LOCAL
            or name.startswith(("example.", "127."))
            or (".example" in name)
        )
        severity = Severity.LOW if local else Severity.HIGH
        if not local and password.isalpha() and len(password) < 10:
            severity = Severity.MEDIUM  # a word, as manuals have it
        confidence = Confidence.LOW if local else Confidence.MEDIUM
        title = "a password in an address"
        start, end = match.span(2)
        yield _hit("address-password", title, start, end, severity, confidence)


def _is_real_password(value: str) -> bool:
    plain = unquote(value).lower()
    if _PLACEHOLDER.search(plain) or all(
        each in _WEAK for each in _PARTS.split(plain) if len(each) > 1
    ):
        return False
    if value[0] in "${%[(" or value.endswith(("}", ")", "]")):
        return False  # a name that something else fills in
    return len(set(value)) > 2
