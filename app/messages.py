"""Every sentence that a person reads on GitHub. Pure: values in, Markdown out.

What happened, why, what to do. Words that come from a pull request are quoted:
they ping nobody, render nothing and command nothing (B32).
"""

from __future__ import annotations

import re

LABEL_COLOR = "d93f0b"
LABEL_DESCRIPTION = "Recloser could not vouch for this change: a human has to look."

TITLES = {
    "approved": "Approved by a human",
    "blocking": "Blocking findings",
    "unreadable_config": "The configuration cannot be read",
    "gap": "Not everything could be looked at",
    "fuse_blown": "The agent was stopped",
    "not_reviewed": "Not reviewed",
    "budget_spent": "The budget is spent: linters instead of the agent",
    "circuit_open": "The circuit is open: linters instead of the agent",
    "partly_reviewed": "Only a part was reviewed",
    "on_probation": "The agent is on probation",
    "agent_objects": "The agent found something severe",
    "shared_head": "Another pull request with this head is not green",
    "reviewed": "Reviewed, nothing blocking",
}

IN_PROGRESS = "Looking at this change"
SUPERSEDED = "A newer head took over"
GAVE_UP = "Recloser could not finish"
GAVE_UP_WHY = (
    "This change was not vouched for. Push again or re-run the check; if that does "
    "not help, tell the operator:"
)
CANCELLED = "This head is no longer the newest; the check of the newest one counts."

WHAT_TO_DO = {
    "approved": "",
    "reviewed": "",
    "blocking": "Mend the findings and push.",
    "unreadable_config": (
        "Mend the configuration on the default branch. Until then the last good "
        "one, or the defaults, stay in force."
    ),
    "gap": (
        "Look at the listed paths by hand. What could not be looked at is never "
        "counted as good."
    ),
    "fuse_blown": (
        "A human reviews this change. Re-run the check, or push, to let the agent try "
        "again once the circuit is closed."
    ),
    "not_reviewed": (
        "A human reviews this change. Re-run the check, or push, to try again."
    ),
    "circuit_open": (
        "A human reviews this change. The circuit tests the agent again by itself."
    ),
    "budget_spent": (
        "A human reviews this change, or somebody who may raises the budget in the "
        "configuration on the default branch."
    ),
    "on_probation": (
        "A human reviews this change: the agent did, but it is not trusted again "
        "until the circuit has closed."
    ),
    "agent_objects": (
        "A human looks at what the agent says: its word alone blocks nothing, and it "
        "keeps the check from being green."
    ),
    "shared_head": (
        "A check belongs to a commit. Look at the other pull request, or push a commit "
        "of its own to this one."
    ),
    "partly_reviewed": (
        "A human reviews the rest, or push again once the circuit has closed."
    ),
}

HANDOFF_ADVICE = (
    "review the change as usual. Re-run the check, or push, to let Recloser look once "
    "more."
)

#: What Markdown, HTML or GitHub would act on: markup, pings, references, links.
_ACTIVE = re.compile(
    r"[\\`*\[\]<>#|~&@$]|(?<!\w)_|_(?!\w)|:(?=//)|\.(?<=www\.)|(?<=GH)-(?=\d)",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")


def quote(text: str, limit: int = 200) -> str:
    """Return untrusted ``text`` as one harmless line of Markdown.

    Characters with a meaning become entities, so that nothing pings, links,
    embeds or closes a table cell; bytes that were no UTF-8 become ``\\xNN``.
    """
    line = _SPACES.sub(" ", printable(text)).strip()
    if len(line) > limit:
        line = line[: limit - 1] + "…"
    return _ACTIVE.sub(_inert, line)


def _inert(match: re.Match[str]) -> str:
    """Return a character so that neither Markdown nor GitHub acts on it.

    An entity alone does not help against pings and references: they are looked for
    in the rendered text, where it is the character again. A zero-width space
    behind it does.
    """
    entity = f"&#{ord(match[0][0])};"
    return f"{entity}&#8203;" if match[0] in ("@", "#", "-") else entity


def code(text: str, limit: int = 200) -> str:
    """Return untrusted ``text`` as an inline code span that cannot be left."""
    line = _SPACES.sub(" ", printable(text)).strip().replace("|", "\\|")
    if len(line) > limit:
        line = line[: limit - 1] + "…"
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else "``  ``"


def fenced(text: str, language: str = "") -> str:
    """Return ``text`` in a fence that nothing inside it can close."""
    body = printable(text)
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if body.endswith("\n") or not body else "\n"
    return f"{fence}{language}\n{body}{end}{fence}"


def printable(text: str) -> str:
    """Return ``text`` without characters that hide or that JSON cannot carry."""
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    point = ord(char)
    if 0xDC80 <= point <= 0xDCFF:  # a byte that was no UTF-8
        return f"\\x{point - 0xDC00:02x}"
    if 0xD800 <= point <= 0xDFFF:
        return "\ufffd"
    is_control = point < 0x20 and char not in "\n\t"
    is_hidden = (
        point in (0x7F, 0x061C, 0xFEFF, 0x2060)
        or 0x200B <= point <= 0x200F
        or 0x202A <= point <= 0x202E
        or 0x2066 <= point <= 0x2069
        or 0xE0000 <= point <= 0xE007F
    )
    if is_control or is_hidden:
        return f"\\u{{{point:x}}}"
    return char
