"""secret: a token, key or password that can be told by its own look is added.

Threat: what was pushed once is leaked for good; the history keeps it.
Guarantees: only added content counts (B26); the value is in no message and no
evidence; a line of any length is looked at whole.
Limits: secrets without a look of their own are for hard-coded-credential; a value
that a program puts together is not seen; nothing is tried against its issuer.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeSet, Finding
from guardrails.policy import Policy
from guardrails.rules.added import Added, added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.secret_search import Hit, find_secrets


class Secrets:
    """Finds secrets by prefix, structure and checksum."""

    id = "secret"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each added secret."""
        for added in added_texts(change_set):
            for hit in find_secrets(added.text):
                yield self._finding(added, hit)

    def _finding(self, added: Added, hit: Hit) -> Finding:
        line, column = added.place(hit.start)
        return Finding(
            rule=self.id,
            severity=hit.severity,
            category=Category.SECRET,
            path=added.change.path,
            line=line.new or 0,
            message=f"This adds {hit.title} ({hit.kind}).",
            confidence=hit.confidence,
            evidence=shown(line.text, column),
            remedy="Revoke it, then take it out: the history keeps it otherwise.",
            cwe="CWE-798",
        )
