"""broken-syntax: a file can no longer be read by its own language.

Threat: an agent leaves a file half edited; a merge marker stays; everything that
looks at the file afterwards looks at nothing (B28).
Guarantees: HIGH only for what the change did: a file that was broken before is not
its doing. Whatever could not be told is a Gap. Nothing of a file is run.
Limits: Python, JSON, YAML and TOML. Fixtures may be broken on purpose: LOW there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    FileChange,
    Finding,
    Gap,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.parsers import Broken, Unknown, parse, parser_of
from guardrails.rules.paths import PROSE, is_fixture, suffix

_MARKER = re.compile(r"^(?:<{7}|>{7}) \S", re.MULTILINE)


class Syntax:
    """Finds files that a change breaks."""

    id = "broken-syntax"

    def evaluate(
        self, change_set: ChangeSet, policy: Policy
    ) -> Iterator[Finding | Gap]:
        """Yield a finding for each file broken by the change, and what is unknown."""
        for change in change_set.files:
            yield from self._in_file(change, policy)
        for added in added_texts(change_set):
            if suffix(added.change.path) in PROSE:
                continue
            match = _MARKER.search(added.text)
            if match is not None:
                line, _ = added.place(match.start())
                message = "A merge conflict was left in this file."
                number = line.new or 0
                yield self._finding(added.change.path, number, message, line.text)

    def _in_file(self, change: FileChange, policy: Policy) -> Iterator[Finding | Gap]:
        text = change.after
        if text is None or change.is_symlink or change.is_submodule or change.is_binary:
            return
        parser = parser_of(change.path)
        if parser is None or change.kind is ChangeKind.REMOVED or text == change.before:
            return
        if len(text) > policy.max_file_bytes:
            reason = "it is too large to be parsed"
            yield Gap(reason=reason, path=change.path, source=self.id)
            return
        parsed = parse(parser, text)
        if isinstance(parsed, Unknown):
            yield Gap(reason=parsed.reason, path=change.path, source=self.id)
        elif isinstance(parsed, Broken) and not _was_broken(change):
            lines = text.split("\n")
            line = min(parsed.line, len(lines))
            message = f"This file can no longer be parsed: {parsed.reason}."
            yield self._finding(change.path, line, message, lines[line - 1])

    def _finding(self, path: str, line: int, message: str, evidence: str) -> Finding:
        return Finding(
            rule=self.id,
            severity=Severity.LOW if is_fixture(path) else Severity.HIGH,
            category=Category.CORRECTNESS,
            path=path,
            line=line,
            message=message,
            evidence=shown(evidence),
            remedy="Repair the file and parse it before proposing it.",
        )


def _was_broken(change: FileChange) -> bool:
    """Tell whether the old text could not be parsed either, as what it was."""
    parser = parser_of(change.old_path or change.path)
    if change.before is None or change.kind is ChangeKind.COPIED or parser is None:
        return False
    return isinstance(parse(parser, change.before), Broken)
