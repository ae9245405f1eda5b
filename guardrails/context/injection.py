"""Find instructions that are addressed to agents, in any text. Pure and linear.

Threat: words in a pull request, in code or in a name that are meant for the model
that reads them (B32). A finding changes no decision; it tells a human, and callers
may show the span or leave it out.
Guarantees: characters that hide words do not hide them from this search.
Limits: known turns of phrase in English. What is not found is not thereby harmless:
only that no decision follows such words protects.
"""

from __future__ import annotations

from dataclasses import dataclass

from guardrails.context.phrases import PHRASES
from guardrails.rules.invisible import ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One instruction in a text, at ``start..end``, and what it is after."""

    start: int
    end: int
    kind: str


def find(text: str) -> tuple[Span, ...]:
    """Return the instructions to agents in ``text``, in order, not overlapping."""
    seen, places = _without_invisible(text)
    lowered = seen.lower()
    spans = list[Span]()
    for phrase in PHRASES:
        if any(each in lowered for each in phrase.hints):
            for match in phrase.pattern.finditer(seen):
                start, end = match.span()
                while start < end and seen[start].isspace():
                    start += 1
                if places is not None:
                    start, end = places[start], places[end - 1] + 1
                spans.append(Span(start=start, end=end, kind=phrase.kind))
    kept = list[Span]()
    for each in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return tuple(kept)


def _without_invisible(text: str) -> tuple[str, list[int] | None]:
    """Return ``text`` without what hides words, and where each character stood."""
    if text.isascii() or not ALL.search(text):
        return text, None
    places = list[int]()
    at = 0
    for match in ALL.finditer(text):
        places.extend(range(at, match.start()))
        at = match.end()
    places.extend(range(at, len(text)))
    return "".join(text[each] for each in places), places
