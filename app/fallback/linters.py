"""Run static linters where the agent may not: on an open circuit or a blown fuse.

Guarantees: the verdict holds what the guardrail rules and the linters say about
the changed files. Whatever no linter looked at is a Gap with what to do about
it, so that a fallback is never green because it looked away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Literal

from guardrails import (
    ChangeKind,
    ChangeSet,
    FileChange,
    Gap,
    Policy,
    Scanner,
    Verdict,
    evaluate,
)
from guardrails.scanners import default_scanners

SOURCE = "linters"

# Code that people would expect to be linted, and for which we have no linter.
# Words and data (Markdown, JSON, pictures) are the rules' work alone.
WITHOUT_LINTER = {
    ".c": "C",
    ".cc": "C++",
    ".clj": "Clojure",
    ".cpp": "C++",
    ".cs": "C#",
    ".cxx": "C++",
    ".dart": "Dart",
    ".erl": "Erlang",
    ".ex": "Elixir",
    ".exs": "Elixir",
    ".fs": "F#",
    ".go": "Go",
    ".groovy": "Groovy",
    ".h": "C",
    ".hpp": "C++",
    ".hs": "Haskell",
    ".ipynb": "Jupyter",
    ".java": "Java",
    ".jl": "Julia",
    ".kt": "Kotlin",
    ".kts": "Kotlin",
    ".lua": "Lua",
    ".m": "Objective-C",
    ".ml": "OCaml",
    ".php": "PHP",
    ".pl": "Perl",
    ".pm": "Perl",
    ".ps1": "PowerShell",
    ".r": "R",
    ".rb": "Ruby",
    ".rs": "Rust",
    ".scala": "Scala",
    ".sol": "Solidity",
    ".sql": "SQL",
    ".svelte": "Svelte",
    ".swift": "Swift",
    ".tf": "Terraform",
    ".vb": "Visual Basic",
    ".vue": "Vue",
    ".zig": "Zig",
}


def run_linters(
    change_set: ChangeSet,
    policy: Policy,
    *,
    names: Literal["auto"] | tuple[str, ...] = "auto",
    scanners: Sequence[Scanner] | None = None,
) -> Verdict:
    """Judge ``change_set`` without an agent.

    Args:
        change_set: what changed, with texts attached where they are known.
        policy: thresholds and lists.
        names: the linters of the repository's config; ``auto`` takes all that
            know a language of the change.
        scanners: the linters that exist; those of guardrails when ``None``.
    """
    known = tuple(default_scanners() if scanners is None else scanners)
    chosen = tuple(each for each in known if names == "auto" or each.name in names)
    verdict = evaluate(change_set, policy, scanners=chosen)
    gaps = [
        *verdict.gaps,
        *_unknown_linters(names, known),
        *_unseen_files(change_set, chosen, verdict),
    ]
    return replace(verdict, gaps=tuple(dict.fromkeys(gaps)))


def _unknown_linters(
    names: Literal["auto"] | tuple[str, ...], known: Sequence[Scanner]
) -> Iterator[Gap]:
    there = ", ".join(each.name for each in known) or "none"
    if names == "auto":
        return
    if not names:
        reason = "fallback.linters is an empty list: write auto, or name linters"
        yield Gap(reason=f"{reason} ({there})", source=SOURCE)
    for name in names:
        if all(each.name != name for each in known):
            reason = f"there is no linter {name!r}: change fallback.linters to one of"
            yield Gap(reason=f"{reason} {there}", source=SOURCE)


def _unseen_files(
    change_set: ChangeSet, chosen: Sequence[Scanner], verdict: Verdict
) -> Iterator[Gap]:
    explained = {gap.path for gap in verdict.gaps}
    for file in change_set.files:
        if not _has_text(file):
            continue
        if file.after is None:
            if file.path not in explained:
                reason = "the text was not loaded: run again, or look at it yourself"
                yield Gap(reason=reason, path=file.path, source=SOURCE)
            continue
        if any(each.accepts(file.path) for each in chosen):
            continue
        language = _expected_language(file.path)
        if language is not None:
            reason = f"no linter that may run knows {language}: look at it yourself"
            yield Gap(reason=reason, path=file.path, source=SOURCE)


def _has_text(file: FileChange) -> bool:
    gone = file.kind is ChangeKind.REMOVED
    return not (gone or file.is_binary or file.is_symlink or file.is_submodule)


def _expected_language(path: str) -> str | None:
    """Return the language of ``path`` if it should have been linted."""
    for scanner in default_scanners():
        if scanner.accepts(path) and PurePosixPath(path).suffix:
            return f"such files ({scanner.name} would)"
    return WITHOUT_LINTER.get(PurePosixPath(path).suffix.lower())
