"""Find credentials by the name they are assigned to. Pure and linear.

A keyword is searched first; the name around it is read word by word, so that
``max_tokens``, ``token_url`` and ``public_key`` are no credentials; then the value
is judged (see credential_values).

Args of the search: ``bare`` also takes values without quotes, as environment and
configuration files have them; in code those are names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.rules.credential_values import Strength, strength
from guardrails.rules.secret_search import Hit
from guardrails.rules.word_set import word_set

_KEYWORDS = ("passw", "passphrase", "pwd", "secret", "token", "key", "credential")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_NAME_BEFORE = 48
_NAME_AFTER = re.compile(r"[\w-]{0,40}", re.ASCII)
_ASSIGNED = re.compile(
    r"""["'\])]{0,2}[ \t]{0,12}"""
    r"(?::[ \t]{0,4}[A-Za-z][\w\[\], |.]{0,40}=(?!=)|=>|:=|\?=|=(?!=)|:(?!:))"
    r"[ \t]{0,12}(?:[rbuf]{1,2}(?=[\"']))?",
    re.ASCII,
)
_QUOTED = re.compile(
    r'"([^"\n\\]{8,512})"|' + r"'([^'\n\\]{8,512})'|" + r"`([^`\n\\]{8,512})`"
)
_BARE = re.compile(r"""([^\s"'`,;(){}\[\]<>|&\\]{8,256})(?=[\s,;]|$)""")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", re.ASCII)
_LAST = word_set(
    "password passwords passwd passphrase pwd secret secrets token key apikey"
    " credential credentials secretkey accesskey"
)
_TRAILING = word_set(
    "value default prod production dev live staging v old new base b hex text raw"
    " string str"
)
_KEY_OWNERS = word_set(
    "api access secret private auth encryption signing master account storage service"
    " app application client shared admin deploy jwt session hmac cipher aes webhook"
    " license consumer security database db"
)
_HARMLESS = word_set(
    "public pub hash hashed digest sha checksum page next cursor continuation csrf xsrf"
    " max min num count type kind name id file path dir url uri header field prefix"
    " suffix regex pattern label format length len size fake dummy sample mock example"
    " reset forgot missing invalid wrong end start eos bos pad unk sep cls mask foreign"
    " primary sort partition cache row lock idempotency ssh"
)


def find_credentials(text: str, *, bare: bool) -> list[Hit]:
    """Return the values in ``text`` that are assigned to a credential's name."""
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two characters
        lowered = text.translate(_LOWER)
    found: dict[int, Hit] = {}
    for keyword in _KEYWORDS:
        at = lowered.find(keyword)
        while at >= 0:
            name_end = _end_of_name(text, at)
            for hit in _at(text, at, name_end, bare=bare):
                found.setdefault(hit.start, hit)
            at = lowered.find(keyword, name_end)
    return [found[start] for start in sorted(found)]


def _end_of_name(text: str, at: int) -> int:
    match = _NAME_AFTER.match(text, at)
    return max(match.end() if match else at, at + 1)


def _at(text: str, at: int, name_end: int, *, bare: bool) -> Iterator[Hit]:
    assigned = _ASSIGNED.match(text, name_end)
    if assigned is None:
        return
    value = _QUOTED.match(text, assigned.end())
    if value is None and bare:
        value = _BARE.match(text, assigned.end())
    if value is None:
        return
    start = at
    while (
        start > 0
        and at - start < _NAME_BEFORE
        and (text[start - 1].isalnum() or text[start - 1] in "_-.")
    ):
        start -= 1
    words = name_words(text[start:name_end])
    if not is_credential_name(words):
        return
    group = value.lastindex or 1
    is_password = bool({"password", "passwd", "pwd", "passphrase"} & set(words))
    judged = strength(value[group], is_password=is_password)
    if judged is not Strength.NONE:
        yield Hit(
            kind="credential",
            title=f"a value that looks like a real {words[-1]}",
            start=value.start(group),
            end=value.end(group),
            severity=judged.severity,
            confidence=judged.confidence,
        )


def name_words(name: str) -> list[str]:
    """Return the words of an identifier in lower case, without what trails it."""
    words = [each.lower() for each in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1] in _TRAILING or words[-1].isdigit()):
        words.pop()
    return words


def is_credential_name(words: list[str]) -> bool:
    """Tell whether a name of these words holds a credential."""
    if not words or words[-1] not in _LAST or _HARMLESS & set(words):
        return False
    if words[-1] == "key":
        return len(words) > 1 and words[-2] in _KEY_OWNERS
    return True
