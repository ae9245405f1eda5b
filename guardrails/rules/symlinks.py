"""symlink: a symbolic link is added or led elsewhere.

Threat: a link leads whoever reads the tree out of the repository (B08): scanners,
build tools, an agent with a file tool. HIGH when the target is absolute or leaves
the repository, or cannot be known; LOW otherwise.
Guarantees: nothing of the target is read; its name is told only when it stays inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import (
    SYMLINK_MODE,
    Category,
    ChangeKind,
    ChangeSet,
    FileChange,
    Finding,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.evidence import shown

_DRIVE = re.compile(r"[A-Za-z]:|\\")


class Symlinks:
    """Finds links that a change makes or moves."""

    id = "symlink"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each link on the head side."""
        for change in change_set.files:
            if not change.is_symlink or change.kind is ChangeKind.REMOVED:
                continue
            target = link_target(change)
            severity, what = _judged(change, target)
            yield Finding(
                rule=self.id,
                severity=severity,
                category=Category.SECURITY,
                path=change.path,
                line=1 if target is not None else 0,
                message=f"This is a symbolic link {what}.",
                evidence=shown(target) if severity is Severity.LOW and target else "",
                remedy="Put a copy of the file here, or link to a path inside.",
                cwe="CWE-59",
            )


def link_target(change: FileChange) -> str | None:
    """Return where the link leads, or ``None`` when the diff does not say.

    git keeps the target as the link's text; it is read from there alone.
    """
    if change.after is not None:
        return change.after.removesuffix("\n")
    added = [line.text for line in change.added_lines()]
    return "\n".join(added) if added else None


def leaves_repository(path: str, target: str) -> bool:
    """Tell whether a link at ``path`` to ``target`` leads out of the repository."""
    if target.startswith(("/", "~")) or _DRIVE.match(target) or "\\" in target:
        return True
    depth = len(path.split("/")) - 1
    for part in target.split("/"):
        if part == "..":
            depth -= 1
        elif part not in ("", "."):
            depth += 1
        if depth < 0:
            return True
    return False


def _judged(change: FileChange, target: str | None) -> tuple[Severity, str]:
    was_file = change.old_mode not in (None, SYMLINK_MODE)
    kind = "in place of a file" if was_file else ""
    if target is None:
        if change.kind in (ChangeKind.RENAMED, ChangeKind.COPIED):
            return Severity.HIGH, "whose target is not known, at a new place"
        return Severity.HIGH, "whose target is not known"
    if leaves_repository(change.path, target):
        return Severity.HIGH, f"{kind} that leads out of the repository".strip()
    if ".git" in target.lower().split("/"):
        return Severity.HIGH, f"{kind} that leads into git's own folder".strip()
    return Severity.LOW, f"{kind} to another path inside the repository".strip()
