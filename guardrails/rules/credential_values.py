"""Judge a value that stands where a credential would. Pure.

Random values weigh most; placeholders, references to elsewhere, UUIDs, digests and
words of a language weigh nothing (B26). Words are told from random letters by
their pairs of letters: English has few, chance has all of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from enum import Enum
from itertools import pairwise

from guardrails.model import Confidence, Severity
from guardrails.rules.word_set import word_set


class Strength(Enum):
    """How much a value looks like a real credential."""

    NONE = (Severity.INFO, Confidence.LOW)
    WEAK = (Severity.MEDIUM, Confidence.LOW)
    FAIR = (Severity.MEDIUM, Confidence.MEDIUM)
    STRONG = (Severity.HIGH, Confidence.MEDIUM)

    @property
    def severity(self) -> Severity:
        """Return how bad such a value is."""
        return self.value[0]

    @property
    def confidence(self) -> Confidence:
        """Return how sure that is."""
        return self.value[1]


_REFERENCE = re.compile(
    r"[${<%@!]|.*(?:\$\{|\$\(|\{\{|%\(|%s|<[a-z_ -]{2,30}>|://)|"
    r"(?:arn|env|vault|ref|file|aws|gcp|secret|sm|ssm|kms|op|bws)[:+]|"
    r"(?:process|os|env|ENV|System|config|settings|self|this|var|local|data|secrets|"
    r"request|github|vars|options|args|props|params|process)[.\[]|"
    r"\.{1,2}/|~/|[A-Za-z]:\\|sha\d{3}-",
    re.DOTALL,
)
_BRACES = re.compile(r"\{[A-Za-z_0-9.!:\[\]]{0,40}\}")
_PLACEHOLDER = re.compile(
    r"example|sample|dummy|fake|placeholder|change[_-]?(?:me|this|it)|your|xxxx|todo|"
    r"redacted|replace|insert|removed|hidden|secret[_-]?here|goes[_-]?here|foobar|"
    r"foo[_-]?bar|testtest|not[_-]?a[_-]?(?:real|secret)|abcdef|123456|asdf|qwerty|"
    r"\*{3}|\.{3}|^(?:none|null|undefined|true|false|required|optional)$",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_NAME = re.compile(r"[A-Za-z]+(?:[A-Z]|_[A-Za-z])\w*")  # of a variable
_PHRASE = re.compile(r"[A-Za-z]+(?:[_. -][A-Za-z]+)*[:?!.]?")
_TOKEN = re.compile(r"[A-Za-z0-9+/=_.~:!@#$%^&*?-]+")
_COMMON_PAIRS = word_set(
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as"
    " ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur us ca el ta"
    " la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie"
    " wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am"
)


def strength(value: str, *, is_password: bool) -> Strength:
    """Return how much ``value`` looks like a credential in use."""
    if not _is_candidate(value):
        return Strength.NONE
    letters = sum(each.isalpha() for each in value)
    digits = sum(each.isdigit() for each in value)
    bits = entropy(value)
    if _HEX.fullmatch(value):
        fits = len(value) >= 24 and bits >= 2.8 and digits and letters
        return Strength.STRONG if fits else Strength.NONE
    is_words = wordiness(value) >= 0.62
    if len(value) >= 16 and bits >= 3.4 and digits >= 2 and letters and not is_words:
        return Strength.STRONG
    if len(value) >= 20 and bits >= 3.9 and wordiness(value) < 0.45:
        return Strength.STRONG
    others = len(value) - letters - digits
    if is_password and letters and (digits or others) and bits >= 2.5:
        is_name = is_words and _NAME.fullmatch(value)
        return Strength.NONE if is_name or _PHRASE.fullmatch(value) else Strength.FAIR
    if len(value) >= 16 and bits >= 3.2 and digits and not is_words:
        return Strength.WEAK
    return Strength.NONE


def _is_candidate(value: str) -> bool:
    if not _TOKEN.fullmatch(value) or _REFERENCE.match(value):
        return False
    if _PLACEHOLDER.search(value) or _BRACES.search(value) or _UUID.fullmatch(value):
        return False
    if value.startswith("/") and (len(value) < 30 or wordiness(value) >= 0.45):
        return False  # a path; base64 begins with a slash now and then
    return len(set(value)) >= 5


def entropy(value: str) -> float:
    """Return Shannon's entropy of ``value`` in bits a character."""
    size = len(value)
    counts = Counter(value).values()
    return -sum(count / size * math.log2(count / size) for count in counts)


def wordiness(value: str) -> float:
    """Return the share of letter pairs in ``value`` that English has often.

    Pairs count within words: camelCase, snake_case and kebab-case are cut first.
    """
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", value)
    letters = sum(map(len, words))
    known = pairs = 0
    for word in map(str.lower, words):
        for left, right in pairwise(word):
            pairs += 1
            known += left + right in _COMMON_PAIRS
    if pairs < 3 or letters < len(value) / 2:
        return 0.0
    # Random text has many words of one letter; those have no pairs to count.
    return known / pairs * min(1.0, letters / len(words) / 3)
