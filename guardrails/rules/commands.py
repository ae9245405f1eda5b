"""destructive-command: a script, a workflow or a statement destroys what it meets.

Threat: ``rm -rf /``, a forced push, a dropped table, a destroyed cluster, a script
fed from the network: run once, they cannot be taken back.
Guarantees: only added lines count; comments do not; ``rm -rf build/`` and the like
are left alone; the way back of a migration may drop what its way there made.
Limits: commands are read as words, no shell is interpreted; a command put together
from variables is not seen. In prose nothing is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeSet, Finding, Line, Severity
from guardrails.policy import Policy
from guardrails.rules.added import Added, added_texts
from guardrails.rules.command_patterns import (
    PATTERNS,
    Danger,
    download_runs,
    pushes_by_force,
    removes_everything,
)
from guardrails.rules.evidence import shown
from guardrails.rules.paths import is_example, is_fixture, name_of, suffix
from guardrails.rules.sql_patterns import destroys_data, drops, way_back_lines
from guardrails.rules.word_set import word_set

_SUFFIXES = word_set(
    ".sh .bash .zsh .ksh .fish .ps1 .psm1 .bat .cmd .mk .yml .yaml .sql .py .js .ts"
    " .mjs .cjs .rb .pl .php .go .json .toml .tf .hcl .groovy .gradle .dockerfile .cron"
)
_NAMES = word_set("makefile gnumakefile justfile rakefile jenkinsfile procfile crontab")
_COMMENT = re.compile(r"\s{0,200}(?:#(?!!)|//|--\s|\*|<!--|@?rem\s|::)", re.IGNORECASE)
_WORTH_A_LOOK = re.compile(
    r"\brm\b|\bgit\b|destroy|delete|drop|truncate|\|\s{0,8}\S{0,20}(?:sh|python|perl|node)"
    r"|curl|wget|\biwr\b|\birm\b|mkfs|/dev/|wipefs|shred|chmod|chown|flush|prune|crontab"
    r"|gsutil|\baws\b|remove-item|\brd\b|rmdir|\bdel\b|:\(\)",
    re.IGNORECASE,
)


class DestructiveCommands:
    """Finds commands and statements that cannot be taken back."""

    id = "destructive-command"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each line that holds one."""
        for added in added_texts(change_set):
            if _is_looked_at(added.change.path) and _WORTH_A_LOOK.search(added.text):
                yield from self._in_file(added)

    def _in_file(self, added: Added) -> Iterator[Finding]:
        back: frozenset[int] | None = None
        position = 0
        for line in added.lines:
            end = position + len(line.text)
            if _WORTH_A_LOOK.search(line.text) and not _COMMENT.match(line.text):
                hit = _hit(added.text, position, end)
                if hit is None and (hit := drops(line.text)) is not None:
                    if back is None:
                        back = way_back_lines(added.change.path, added.change.after)
                    hit = None if line.new in back else hit
                if hit is not None:
                    yield self._finding(added, line, *hit)
            position = end + 1

    def _finding(self, added: Added, line: Line, at: int, danger: Danger) -> Finding:
        path = added.change.path
        return Finding(
            rule=self.id,
            severity=Severity.LOW if is_example(path) else danger.severity,
            category=Category.DESTRUCTIVE,
            path=path,
            line=line.new or 0,
            message=f"{danger.message}.",
            evidence=shown(line.text, at),
            remedy="Narrow it down to what is yours, or let a human run it by hand.",
            cwe=danger.cwe,
        )


def _is_looked_at(path: str) -> bool:
    name = name_of(path)
    if is_fixture(path) and suffix(path) not in (".sh", ".yml", ".yaml", ".sql", ".py"):
        return False
    return (
        suffix(path) in _SUFFIXES
        or name in _NAMES
        or "dockerfile" in name
        or "." not in name  # hooks and scripts often have no suffix
    )


def _hit(text: str, position: int, end: int) -> tuple[int, Danger] | None:
    line = text[position:end]
    found = removes_everything(line) or pushes_by_force(line) or download_runs(line)
    if found is not None:
        return found
    for pattern, danger in PATTERNS:
        match = pattern.search(line)
        if match is not None:
            return match.start(), danger
    return destroys_data(text, position, end)
