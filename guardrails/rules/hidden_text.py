"""hidden-text: characters that a reader does not see, or takes for others.

Threat: direction controls let code read in another order than it runs; tag and
zero-width characters carry words to a model that no human sees; a letter of another
script makes a second name of the same looks; escape sequences repaint a terminal.
HIGH for direction controls and tag characters, MEDIUM for the others.
Limits: joiners between letters of scripts that need them, and in emoji, are fine;
so are direction controls that are closed again beside letters written right to left
(MEDIUM then). Only letters that look like Latin ones count as disguises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.invisible import (
    DIRECTION,
    ESCAPES,
    SMUGGLED,
    first_zero_width,
    is_balanced,
)

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_IDENTIFIER = re.compile(r"[^\W\d_][\w]{1,80}")
# Letters of Cyrillic, Greek and Armenian that look like Latin ones.
_DISGUISES = frozenset(
    "асеорхуіјѕһԁԛԝӏАВЕЅІЈКМНОРСТУХԌԚԜ" + "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ" + "օսհոցԼՕՍ"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


class HiddenText:
    """Finds invisible and disguised characters in added lines and names."""

    id = "hidden-text"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield the worst finding of each added line, and of each new name."""
        for change in change_set.files:
            if change.kind not in (ChangeKind.REMOVED, ChangeKind.UNCHANGED):
                hit = judged(change.path)
                if hit is not None:
                    yield self._finding(change.path, 0, change.path, hit)
        for added in added_texts(change_set):
            if added.text.isascii() and not ESCAPES.search(added.text):
                continue
            for line in added.lines:
                hit = judged(line.text, is_first=line.new == 1)
                if hit is not None:
                    number = line.new or 0
                    yield self._finding(added.change.path, number, line.text, hit)

    def _finding(
        self, path: str, number: int, text: str, hit: tuple[int, Severity, str]
    ) -> Finding:
        at, severity, message = hit
        return Finding(
            rule=self.id,
            severity=severity,
            category=Category.DECEPTION,
            path=path,
            line=number,
            message=message,
            evidence=shown(text, at),
            remedy="Write it with visible characters, or as an escape.",
            cwe="CWE-1007",
        )


def judged(text: str, *, is_first: bool = False) -> tuple[int, Severity, str] | None:
    """Return the worst that ``text`` hides: where, how bad, what."""
    match = ESCAPES.search(text)
    escape = (
        (match.start(), Severity.MEDIUM, "This line holds control characters.")
        if match
        else None
    )
    if text.isascii():
        return escape
    match = SMUGGLED.search(text)
    if match is not None:
        message = "This line holds invisible characters that can carry words."
        return match.start(), Severity.HIGH, message
    match = DIRECTION.search(text)
    if match is not None:
        fine = is_balanced(text) and _RIGHT_TO_LEFT.search(text)
        severity = Severity.MEDIUM if fine else Severity.HIGH
        message = "This line holds characters that change the direction of reading."
        return match.start(), severity, message
    at = first_zero_width(text, is_first=is_first)
    if at is not None:
        message = "This line holds characters without width."
        return at, Severity.MEDIUM, message
    at = _first_disguise(text)
    if at is not None:
        message = "This name mixes Latin letters with others that look the same."
        return at, Severity.MEDIUM, message
    return escape


def _first_disguise(text: str) -> int | None:
    for match in _IDENTIFIER.finditer(text):
        word = match[0]
        if word.isascii():
            continue
        foreign = set(_BEYOND_ASCII.findall(word))
        has_latin = any(each.isascii() and each.isalpha() for each in word)
        if has_latin and foreign <= _DISGUISES:
            return match.start()
    return None
