"""Guardrails: judge a change before anybody sees it. ``ChangeSet + Policy -> Verdict``.

A library of its own: it never imports the app. Rules are pure; subprocesses
start in ``guardrails.scanners`` alone.
"""

from __future__ import annotations

from guardrails.engine import Scanner, ScanResult, Source, evaluate
from guardrails.errors import GuardrailError, ScannerError
from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    Confidence,
    FileChange,
    Finding,
    Gap,
    Hunk,
    Line,
    LineKind,
    Severity,
    Verdict,
)
from guardrails.policy import Policy

__all__ = [
    "Category",
    "ChangeKind",
    "ChangeSet",
    "Confidence",
    "FileChange",
    "Finding",
    "Gap",
    "GuardrailError",
    "Hunk",
    "Line",
    "LineKind",
    "Policy",
    "ScanResult",
    "Scanner",
    "ScannerError",
    "Severity",
    "Source",
    "Verdict",
    "evaluate",
]
