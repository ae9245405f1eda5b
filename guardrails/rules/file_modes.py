"""executable: a file becomes executable, or a mode changes in a way git rarely sees.

Threat: a mode change has no hunk and passes reviews unseen (B04).
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import (
    SUBMODULE_MODE,
    SYMLINK_MODE,
    Category,
    ChangeKind,
    ChangeSet,
    FileChange,
    Finding,
    Severity,
)
from guardrails.policy import Policy

_EXECUTABLE = "100755"
_NOT_FILES = (SYMLINK_MODE, SUBMODULE_MODE)


class FileModes:
    """Finds files that become executable and links that become files."""

    id = "executable"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each such change of a mode."""
        for change in change_set.files:
            message = _message(change)
            if message is not None:
                yield Finding(
                    rule=self.id,
                    severity=Severity.LOW,
                    category=Category.SECURITY,
                    path=change.path,
                    message=message,
                    cwe="CWE-732",
                )


def _message(change: FileChange) -> str | None:
    old, new = change.old_mode, change.new_mode
    if change.kind is ChangeKind.REMOVED or new is None or new in _NOT_FILES:
        return None
    if new == _EXECUTABLE and old != _EXECUTABLE:
        if change.kind in (ChangeKind.ADDED, ChangeKind.COPIED):
            return "This new file is executable."
        return "This file becomes executable."
    if old in _NOT_FILES:
        return "This was a link or a submodule and becomes a file."
    return None
