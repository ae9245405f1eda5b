"""Turns of phrase that are addressed to agents: a table. Pure.

In a phrase a blank stands for any parting of words (blanks, line ends, the marks of
comments), ``{3}`` for at most three words of any kind, ``<agent>`` and ``<change>``
for what people call those. Words and partings have no character in common and all
repetition is bounded: a text costs its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_GAP = r"""[\s#*/>_,'"`-]{1,12}"""
_WORD = r"[^\W_]{1,20}"
_AGENT = (
    r"(?:ai|llms?|a\.i\.|language model|agents?|assistants?|copilot|claude|chat ?gpt"
    r"|gpt|gemini|codex|cursor|coderabbit|bots?|reviewers?|recloser|models?)"
)
_MACHINE = (
    r"(?:ai|llms?|language model|agents?|assistants?|copilot|claude|chat ?gpt|gpt"
    r"|gemini|codex|cursor|coderabbit|bots?|recloser)"
)
_CHANGE = (
    r"(?:this|the|my|these|all|it)(?: (?:pr|prs|pull request|merge request|changes?"
    r"|diff|patch|commit|code))?"
)
_START = r"(?:^|\n|[.!:;#*/>-]\s{0,8}|<!--\s{0,8}|(?:please|just|must|should|and|to) )"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """One turn of phrase: what it is after, and words without which it is not there."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _phrase(kind: str, hints: str, *alternatives: str) -> Phrase:
    text = "|".join(alternatives)
    text = text.replace("<start>", _START).replace("<change>", _CHANGE)
    text = text.replace("<machine>", _MACHINE).replace("<agent>", _AGENT)
    text = text.replace(" ", _GAP)
    for most in ("1", "2", "3"):
        text = text.replace("{" + most + "}", f"(?:{_WORD}{_GAP}){{0,{most}}}")
    return Phrase(
        kind=kind,
        hints=tuple(hints.split()),
        pattern=re.compile(text, re.IGNORECASE),
    )


PHRASES: tuple[Phrase, ...] = (
    _phrase(
        "override",
        "instruction prompt guideline rule directive context",
        r"\b(?:ignore|disregard|forget|override|bypass) {3}(?:previous|prior|above"
        r"|earlier|preceding|system|your|existing|original|other|all) {2}"
        r"(?:instructions?|prompts?|guidelines|directives?|review rules)\b",
        r"<start>(?:your )?(?:new|updated|real|actual|special) {1}"
        r"(?:instructions?|prompt|task)(?:\s{0,4}:| for {2}<agent>\b)",
    ),
    _phrase(
        "role",
        "<| [inst] [/inst] <<sys system assistant ##",
        r"<\|(?:im_start|im_end|system|assistant|end_of_turn)\|>",
        r"\[/?INST\]",
        r"<<SYS>>",
        r"</?system(?:[_-]?(?:prompt|message|reminder))>",
        r"(?:^|\n|[#*/>\"'`-]\s{0,8})(?:system|assistant)(?: (?:prompt|message|note"
        r"|override))?\s{0,4}:\s{0,8}(?:please |you |now )?(?:approve|merge|ignore"
        r"|you\b|do not|don't|reset|skip|always|never|treat|mark|respond|report"
        r"|disregard|forget|lgtm)",
        r"#{2,4}\s{0,4}(?:system (?:prompt|message|override)|instructions? (?:for|to) "
        r"{1}<agent>)\b",
    ),
    _phrase(
        "persona",
        "you act pretend",
        r"\byou are (?:now|no longer) {3}(?:<agent>|unrestricted|jailbroken|permitted"
        r"|allowed)\b",
        r"\b(?:act|pretend) (?:as|to be) (?:an?|the) {2}(?:unrestricted|jailbroken"
        r"|approving) {1}<agent>\b",
    ),
    _phrase(
        "order",
        "ai llm a.i. model agent assistant copilot claude gpt gemini codex cursor bot"
        " reviewer recloser coderabbit",
        r"\b(?:attention|dear|hey|hello|hi|(?:note|important|message|instructions?) "
        r"(?:to|for)) (?:(?:all|any|the|every) ){0,2}(?:automated |ai )?<agent>\b"
        r"[^\n]{0,80}?\b(?:approve|merge|ignore|skip|do not|don't|must|always|never"
        r"|reset|lgtm|respond|report|mark|treat|run|execute)\b",
        r"\b(?:<machine> )?<machine>(?: reviewers?)?\s{0,4}[:,!]?\s{0,8}"
        r"(?:(?:please|you|must|should|always|now|just|kindly) ){1,3}"
        r"(?:(?:approve|merge) <change>|ignore|skip|lgtm|reset|respond with"
        r"|not (?:flag|report|review|mention|comment)|reveal)\b",
        r"\bif you are (?:an? )?<agent>\b",
    ),
    _phrase(
        "approval",
        "approve lgtm mark treat consider rate circuit breaker",
        r"<start>(?:auto-?)?approve (?><change>)\b(?! (?:after|when|if|once|until)\b)",
        r"\b(?:please|and|must|now) (?:reset|disable|close) {1}(?:circuit )?breaker\b",
        r"\b(?:mark|consider|treat|rate) <change> as (?:safe|approved|reviewed|trusted"
        r"|low risk|passing)\b",
        r"\b(?:respond|reply|answer) (?:only )?with (?:only )?(?:lgtm|approved?)\b",
        r"\bsay {1}lgtm\b",
    ),
    _phrase(
        "silence",
        "report flag mention raise comment tell inform alert",
        r"\b(?:do not|don't) (?:report|flag|mention|raise|comment on) {3}"
        r"(?:issues?|problems?|vulnerabilit(?:y|ies)|findings?|bugs|concerns?)\b",
        r"\b(?:do not|don't|never) (?:tell|inform|alert) (?:the )?(?:users?|humans?"
        r"|maintainers?|authors?|owners?)\b",
    ),
    _phrase(
        "exfiltration",
        "prompt secret token credential environment key instruction",
        r"\b(?:print|reveal|output|repeat|show|send|post|leak|exfiltrate) {2}your {2}"
        r"(?:prompt|instructions|secrets?|tokens?|credentials|environment variables"
        r"|api keys?)\b",
    ),
)
