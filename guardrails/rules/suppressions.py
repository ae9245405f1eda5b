"""suppression: a comment is added that tells a security scanner to look away.

Threat: the author of a change silences what would have found it (B27). Scanners are
run so that no such comment is obeyed; that one was written is LOW by itself.
Guarantees: only comments count, neither strings nor prose that has the word in it;
only security tools count, not types or style.
Limits: a bare ``noqa`` silences security checks too and counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, Finding, Line, Severity
from guardrails.policy import Policy
from guardrails.rules.added import Added, added_texts
from guardrails.rules.comments import (
    comment_markers,
    comments_in,
    is_python,
    python_comments,
)
from guardrails.rules.evidence import shown
from guardrails.rules.paths import PROSE, name_of, suffix
from guardrails.rules.word_set import word_set

# After the mark of a comment, or after another mark within it.
_START = r"(?:#|//|/\*|<!--|--|;|^\*|\{\{?)[\s!*]{0,8}"
_DIRECTIVES = re.compile(
    _START + r"(?:nosec\b|nosemgrep\b|nosem\b|ruff: noqa\b|flake8: noqa\b"
    r"|noqa\s{0,4}(?::\s{0,4}(?:[A-Z]{1,4}\d{1,5}[,\s]{1,4}){0,20}S\d{1,4}\b|$)"
    r"|gitleaks:allow\b|pragma: (?:allowlist|whitelist)(?: nextline)? secret\b"
    r"|trufflehog:ignore\b|ggignore\b|nosonar\b|lgtm\s?\[|codeql\s?\[|nolint\b(?!:)"
    r"|nolint:[\w,]{0,80}gosec\b|tfsec:ignore|trivy:ignore|checkov:skip|kics-scan\b"
    r"|hadolint (?:global )?ignore|zizmor: ?ignore|bearer:disable|skipcq\b"
    r"|snyk:ignore|devskim: ?ignore|njsscan-ignore|brakeman:ignore|detect-secrets:"
    r"|eslint-disable(?:-next-line|-line)?(?:\s{0,4}(?:\*/|$|--)"
    r"|[^\n]{0,200}(?:security/|no-eval|no-implied-eval|no-new-func|no-script-url"
    r"|no-unsanitized|no-danger|no-secrets|xss/)))"
    r"|\bnosemgrep(?=\s{0,4}(?::|$|\*/|-->))",
    re.IGNORECASE,
)
_WORTH_A_LOOK = re.compile(
    r"nosec|nosem|noqa|gitleaks|pragma|trufflehog|ggignore|nosonar|lgtm|codeql|nolint"
    r"|tfsec|trivy|checkov|kics|hadolint|zizmor|bearer|skipcq|snyk|devskim|njsscan"
    r"|brakeman|detect-secrets|eslint-disable",
    re.IGNORECASE,
)
_IGNORE_FILES = word_set(
    ".semgrepignore .bandit .gitleaksignore .gitleaks.toml .trivyignore .snyk"
    " .secrets.baseline .tfsec .checkov.yaml .checkov.yml .hadolint.yaml .hadolint.yml"
    " .zizmor.yml zizmor.yml .trufflehogignore .gitguardian.yml .gitguardian.yaml"
)


class Suppressions:
    """Finds added comments and files that silence security scanners."""

    id = "suppression"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each of them."""
        for change in change_set.files:
            if change.kind in (ChangeKind.REMOVED, ChangeKind.UNCHANGED):
                continue
            if name_of(change.path) in _IGNORE_FILES:
                message = "This file says what a security scanner leaves out."
                yield self._finding(change.path, message)
        for added in added_texts(change_set):
            path = added.change.path
            if suffix(path) not in PROSE and _WORTH_A_LOOK.search(added.text):
                yield from self._in_file(added)

    def _in_file(self, added: Added) -> Iterator[Finding]:
        change = added.change
        markers = comment_markers(change.path)
        is_exact = is_python(change.path) and change.after is not None
        comments: dict[int, tuple[int, str]] | None = None
        for line in added.lines:
            if not _DIRECTIVES.search(line.text):
                continue
            if is_exact and comments is None:
                comments = python_comments(change.after or "")
                is_exact = comments is not None
            if comments is None:
                found = list(comments_in(line.text, markers))
            else:
                found = [comments[line.new or 0]] if line.new in comments else []
            for at, text in found:
                match = _DIRECTIVES.search(text)
                if match is not None:
                    message = "This comment tells a security scanner to look away."
                    yield self._finding(change.path, message, line, at + match.start())

    def _finding(
        self, path: str, message: str, line: Line | None = None, at: int = 0
    ) -> Finding:
        return Finding(
            rule=self.id,
            severity=Severity.LOW,
            category=Category.SUPPRESSION,
            path=path,
            line=(line.new or 0) if line else 0,
            message=message,
            evidence=shown(line.text, at) if line else "",
            remedy="Repair what it hides, or let a human accept it.",
        )
