"""hard-coded-credential: a value in the code is assigned to a credential's name.

Threat: passwords and keys without a look of their own, as ``db_password = "…"``.
Guarantees: only added content counts; the value is in no message and no evidence.
Limits: told by name and randomness, so both kinds of error happen; what stands in
tests and examples is LOW. Values without quotes count in configuration alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeSet, Confidence, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.added import Added, added_texts
from guardrails.rules.credential_search import find_credentials
from guardrails.rules.evidence import shown
from guardrails.rules.paths import is_configuration, is_example, is_locked
from guardrails.rules.secret_search import Hit, find_secrets


class HardCodedCredentials:
    """Finds credentials by their names and how random their values are."""

    id = "hard-coded-credential"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each added value that no other rule names better."""
        for added in added_texts(change_set):
            path = added.change.path
            if is_locked(path):
                continue
            hits = find_credentials(added.text, bare=is_configuration(path))
            known = find_secrets(added.text) if hits else []
            for hit in hits:
                if not any(hit.start < k.end and k.start < hit.end for k in known):
                    yield self._finding(added, hit)

    def _finding(self, added: Added, hit: Hit) -> Finding:
        line, column = added.place(hit.start)
        in_example = is_example(added.change.path)
        return Finding(
            rule=self.id,
            severity=Severity.LOW if in_example else hit.severity,
            category=Category.SECRET,
            path=added.change.path,
            line=line.new or 0,
            message=f"This adds {hit.title}.",
            confidence=Confidence.LOW if in_example else hit.confidence,
            evidence=shown(line.text, column),
            remedy="Read it from the environment or a secret store, and change it.",
            cwe="CWE-798",
        )
