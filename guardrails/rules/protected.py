"""protected-path: a file is touched that the policy protects.

Threat: a change to workflows, owners or this guard's own configuration changes who
guards the guard (B21). An agent's is HIGH, a human's is reported.
Guarantees: a removal counts, a rename counts from both ends, a change of the mode
alone counts. Limits: what stands in a submodule is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    FileChange,
    Finding,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.globs import matches

CONFIG_PATH = ".github/recloser.yml"
_VERBS = {
    ChangeKind.ADDED: "adds",
    ChangeKind.REMOVED: "removes",
    ChangeKind.RENAMED: "moves",
    ChangeKind.COPIED: "adds",
}


class ProtectedPaths:
    """Finds changes of protected files."""

    id = "protected-path"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield one finding for each protected file that is touched."""
        severity = Severity.HIGH if policy.author_is_agent else Severity.MEDIUM
        for change in change_set.files:
            if change.kind is ChangeKind.UNCHANGED:
                continue
            hit = _protecting(change, policy.protected)
            if hit is not None:
                path, pattern = hit
                yield Finding(
                    rule=self.id,
                    severity=severity,
                    category=Category.PROTECTED,
                    path=change.path,
                    line=_first_line(change),
                    message=_message(change, path, pattern),
                    evidence=f"{pattern}",
                    remedy="Let a human who owns this file make or approve the change.",
                )


def _protecting(
    change: FileChange, patterns: tuple[str, ...]
) -> tuple[str, str] | None:
    """Return the touched path and the pattern that protects it."""
    touched = [change.path]
    if change.old_path is not None and change.kind is not ChangeKind.COPIED:
        touched.append(change.old_path)
    return next(
        (
            (path, pattern)
            for path in touched
            for pattern in patterns
            if matches(pattern, path)
        ),
        None,
    )


def _message(change: FileChange, path: str, pattern: str) -> str:
    verb = _VERBS.get(change.kind, "changes")
    if path.casefold() == CONFIG_PATH:
        return (
            f"This {verb} the configuration of Recloser itself; the file of the"
            " default branch stays in force."
        )
    if path != change.path:
        return f"This moves a file away from a protected path ({pattern})."
    return f"This {verb} a protected file ({pattern})."


def _first_line(change: FileChange) -> int:
    """Return the first added line, where a note can stand."""
    if change.kind is ChangeKind.REMOVED:
        return 0
    return next((line.new or 0 for line in change.added_lines()), 0)
