"""submodule: a pointer to another repository is added, moved or led elsewhere.

Threat: code arrives that no diff shows; its address stands in ``.gitmodules``.
Limits: what the other repository holds is not looked at, so this is also a Gap of
the eye that a human must close: hence MEDIUM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.paths import name_of

_ADDRESS = re.compile(r"\s{0,40}(?:url|update|branch)\s{0,20}=\s{0,20}(\S.{0,400})")
_RISKY = re.compile(r"(?:http|git|ftp|ext)::?//?|!|ext::", re.IGNORECASE)


class Submodules:
    """Finds changed submodule pointers and their addresses."""

    id = "submodule"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each pointer, and for each address that is added."""
        for change in change_set.files:
            if change.is_submodule and change.kind is not ChangeKind.REMOVED:
                yield Finding(
                    rule=self.id,
                    severity=Severity.MEDIUM,
                    category=Category.SECURITY,
                    path=change.path,
                    message="This points a submodule at other code, which is not"
                    " part of the review.",
                    remedy="Review the other repository up to that commit.",
                    cwe="CWE-829",
                )
        for added in added_texts(change_set):
            if name_of(added.change.path) != ".gitmodules":
                continue
            for line in added.lines:
                match = _ADDRESS.match(line.text)
                if match is not None:
                    risky = _RISKY.match(match[1]) is not None
                    yield Finding(
                        rule=self.id,
                        severity=Severity.HIGH if risky else Severity.MEDIUM,
                        category=Category.SECURITY,
                        path=added.change.path,
                        line=line.new or 0,
                        message="This says where a submodule's code comes from"
                        + (", over an open or commanding address." if risky else "."),
                        evidence=shown(line.text),
                        cwe="CWE-829",
                    )
