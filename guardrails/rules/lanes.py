"""lane: a term enters paths that the policy keeps free of it.

Threat: what belongs to one part of a repository (a customer's name, an internal
host, a database call in a view) is carried into another.
Guarantees: only added content and new names count; case does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.added import Added, added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.globs import matches


class Lanes:
    """Finds terms outside their lane."""

    id = "lane"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for the first line of each term in each file."""
        for change in change_set.files:
            if change.kind is ChangeKind.REMOVED:
                continue
            for term in _barred(policy, change.path):
                if term.casefold() in change.path.casefold():
                    yield self._finding(change.path, term, 0, "")
        for added in added_texts(change_set):
            for term in _barred(policy, added.change.path):
                yield from self._in_text(added, term)

    def _in_text(self, added: Added, term: str) -> Iterator[Finding]:
        wanted = term.casefold()
        if wanted not in added.text.casefold():
            return
        for line in added.lines:
            at = line.text.casefold().find(wanted)
            if at >= 0:
                evidence = shown(line.text, at)
                yield self._finding(added.change.path, term, line.new or 0, evidence)
                return

    def _finding(self, path: str, term: str, line: int, evidence: str) -> Finding:
        return Finding(
            rule=self.id,
            severity=Severity.HIGH,
            category=Category.PROTECTED,
            path=path,
            line=line,
            message=f"“{shown(term)}” must not enter this path.",
            evidence=evidence,
            remedy="Keep it in its own part of the repository.",
        )


def _barred(policy: Policy, path: str) -> list[str]:
    return [
        term
        for pattern, terms in policy.lanes.items()
        if matches(pattern, path)
        for term in terms
        if term.strip()
    ]
