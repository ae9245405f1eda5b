"""Clean a text before an agent reads it: what nobody sees, and secrets. Pure, linear.

Taken out: HTML comments and their kin in Markdown, characters without looks, images
with their descriptions, the titles of links and elements (B32). Secrets become
``[redacted: <kind>]``. The rest stays as it was, character for character.

Limits: instructions in plain sight stay; ``injection.find`` points at them. Text
that a style sheet or a collapsed section hides stays, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from guardrails.rules.credential_search import find_credentials
from guardrails.rules.invisible import ALL
from guardrails.rules.secret_search import Hit, find_secrets

IMAGE = "(image)"  # no bracket, so that it cannot become a part of other Markdown

_COMMENT_REFERENCE = re.compile(
    r"^[ \t]{0,3}\[[^\]\n]{0,80}\]:[ \t]{0,8}(?:#|<>)[ \t]{0,8}[(\"'][^\n]*$",
    re.MULTILINE,
)
_DESTINATION = r"\([^()\n]{0,2000}(?:\([^()\n]{0,300}\)[^()\n]{0,600})?\)"
_IMAGE = re.compile(rf"!\[[^\[\]]{{0,2000}}\](?:{_DESTINATION}|\[[^\[\]\n]{{0,300}}\])")
_IMAGE_ELEMENT = re.compile(r"<img\b[^<>]{0,4000}>", re.IGNORECASE)
_LINK_TITLE = re.compile(
    r"""(\]\([^()\s"']{0,2000})[ \t]{1,8}"""
    r"""(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}')[ \t]{0,8}\)"""
)
_ATTRIBUTE_NAME = re.compile(r"title|alt|aria-|data-|placeholder", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""[ \t\n]{1,8}(?:title|alt|aria-\w{1,20}|data-[\w-]{1,40}|placeholder)"""
    r"""[ \t]{0,4}=[ \t]{0,4}(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}')(?=[^<>]{0,2000}>)""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A cleaned text, the kinds of secrets and the kinds of noise it lost."""

    text: str
    redactions: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def clean(text: str) -> Cleaned:
    """Return ``text`` as an agent may read it, and what was taken out of it."""
    removed = list[str]()

    def note(kind: str, before: str, after: str) -> str:
        if before != after:
            removed.append(kind)
        return after

    if not text.isascii() or ALL.search(text):
        text = note("invisible characters", text, ALL.sub("", text))
    if "<!--" in text:
        text = note("comments", text, without_comments(text))
    if "]:" in text:
        text = note("comments", text, _COMMENT_REFERENCE.sub("", text))
    text, redactions = redact(text)
    if "![" in text:
        text = note("images", text, _IMAGE.sub(IMAGE, text))
    if "<" in text and "=" in text:
        text = note("images", text, _IMAGE_ELEMENT.sub(IMAGE, text))
        if _ATTRIBUTE_NAME.search(text):
            text = note("titles", text, _ATTRIBUTE.sub("", text))
    if "](" in text:
        text = note("titles", text, _LINK_TITLE.sub(r"\1)", text))
    return Cleaned(
        text=text, redactions=redactions, removed=tuple(dict.fromkeys(removed))
    )


def without_comments(text: str) -> str:
    """Return ``text`` without HTML comments; one that never ends takes all after it.

    A blank stands where one was, so that what it parted does not become another.
    """
    parts, at = list[str](), 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start + 2)  # "<!-->" is a whole comment
        if end < 0:
            return " ".join(parts)
        at = end + 3
    return " ".join([*parts, text[at:]])


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return ``text`` with its secrets replaced by their kinds, and those kinds."""
    hits = _disjoint([*find_secrets(text), *find_credentials(text, bare=True)])
    parts, at = list[str](), 0
    for hit in hits:
        parts += [text[at : hit.start], f"[redacted: {hit.kind}]"]
        at = hit.end
    return "".join([*parts, text[at:]]), tuple(hit.kind for hit in hits)


def _disjoint(hits: list[Hit]) -> list[Hit]:
    kept = list[Hit]()
    for hit in sorted(hits, key=lambda each: (each.start, -each.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept
