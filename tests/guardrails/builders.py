"""Changes for tests, and the secrets in them by recipe."""

from __future__ import annotations

import random
import string
from dataclasses import replace
from typing import Any

from guardrails import ChangeKind, ChangeSet, FileChange, Finding, Gap, Policy, Severity
from guardrails.diff import from_texts
from guardrails.rules import RULES

LETTERS = string.ascii_letters + string.digits


def change(
    path: str, before: str | None = None, after: str | None = None, **fields: Any
) -> FileChange:
    """Return the change of ``path`` between two texts, with other fields set."""
    return replace(from_texts(path, before, after), **fields)


def renamed(old: str, new: str, text: str, after: str | None = None) -> FileChange:
    """Return a rename, by default without a hunk."""
    made = from_texts(new, text, text if after is None else after)
    return replace(made, kind=ChangeKind.RENAMED, old_path=old)


def bare(
    path: str, kind: ChangeKind = ChangeKind.MODIFIED, **fields: Any
) -> FileChange:
    """Return a change without texts: a mode, a link, a binary."""
    return FileChange(path=path, kind=kind, **fields)


def change_set(*files: FileChange) -> ChangeSet:
    """Return a change of these files."""
    return ChangeSet(files=files)


def outcome(
    rule: str, *files: FileChange, policy: Policy | None = None
) -> list[Finding | Gap]:
    """Return all that the rule of this id says about these files."""
    asked = next(each for each in RULES if each.id == rule)
    return list(asked.evaluate(change_set(*files), policy or Policy()))


def findings(
    rule: str, *files: FileChange, policy: Policy | None = None
) -> list[Finding]:
    """Return the findings of the rule of this id; it must not give a Gap."""
    told = outcome(rule, *files, policy=policy)
    made = [each for each in told if isinstance(each, Finding)]
    assert made == told
    return made


def found(rule: str, path: str, *lines: str, **policy: Any) -> list[Severity]:
    """Return how bad the rule takes a new file of these lines to be."""
    file = change(path, None, "\n".join(lines) + "\n")
    return [each.severity for each in findings(rule, file, policy=Policy(**policy))]


def chance(size: int, alphabet: str = LETTERS, seed: int = 7) -> str:
    """Return letters by chance, always the same ones."""
    return "".join(random.Random(seed).choices(alphabet, k=size))


def words(count: int, start: int = 0, line: int = 8) -> str:
    """Return a text of ``count`` different words, some to a line."""
    names = [f"word{number}" for number in range(start, start + count)]
    cut = range(0, count, line)
    return "\n".join(" ".join(names[at : at + line]) for at in cut) + "\n"


AGENT = Policy(author_is_agent=True)
GITHUB_TOKEN = "ghp_" + "A" * 36
