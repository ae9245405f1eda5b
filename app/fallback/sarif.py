"""Render a verdict as SARIF 2.1.0, for GitHub code scanning and other readers. Pure.

Gaps become notifications and make the run unsuccessful, so that no reader takes
"nothing found" for "nothing there". Paths are percent-encoded by their bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal
from urllib.parse import quote

from guardrails.model import Category, Confidence, Finding, Gap, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"

Level = Literal["error", "warning", "note"]

_LEVELS: dict[Severity, Level] = {
    Severity.INFO: "note",
    Severity.LOW: "note",
    Severity.MEDIUM: "warning",
    Severity.HIGH: "error",
    Severity.CRITICAL: "error",
}
# GitHub sorts by these numbers: above 9.0 critical, from 7.0 high, from 4.0 medium.
_SECURITY_SEVERITY = {
    Severity.INFO: "0.0",
    Severity.LOW: "3.0",
    Severity.MEDIUM: "5.5",
    Severity.HIGH: "8.0",
    Severity.CRITICAL: "9.5",
}
_NO_SECURITY = (Category.CORRECTNESS, Category.STYLE)
_PRECISION = {
    Confidence.LOW: "low",
    Confidence.MEDIUM: "medium",
    Confidence.HIGH: "high",
}


def to_sarif(
    findings: Sequence[Finding], gaps: Sequence[Gap], *, version: str
) -> dict[str, Any]:
    """Return a SARIF log of one run.

    Args:
        findings: what was found; a rule's help is that of its worst finding.
        gaps: what could not be looked at.
        version: the version of Recloser that looked.
    """
    worst = _worst_of_each_rule(findings)
    places = {rule: index for index, rule in enumerate(worst)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Recloser",
                        "semanticVersion": version,
                        "rules": [_rule(each) for each in worst.values()],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": not gaps,
                        "toolExecutionNotifications": [_notification(g) for g in gaps],
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(each, places[_rule_id(each)], occurrence)
                    for each, occurrence in _with_occurrence(findings)
                ],
            }
        ],
    }


def _worst_of_each_rule(findings: Iterable[Finding]) -> dict[str, Finding]:
    worst: dict[str, Finding] = {}
    for each in findings:
        known = worst.setdefault(_rule_id(each), each)
        if each.severity > known.severity:
            worst[_rule_id(each)] = each
    return worst


def _with_occurrence(findings: Iterable[Finding]) -> Iterable[tuple[Finding, int]]:
    """Count equal fingerprints, so that two copies of a fault stay two alerts."""
    seen: dict[str, int] = {}
    for each in findings:
        seen[each.fingerprint] = seen.get(each.fingerprint, 0) + 1
        yield each, seen[each.fingerprint]


def _rule_id(finding: Finding) -> str:
    """Return an id that says which tool found it, since tools share names."""
    own = finding.origin == "recloser"
    return _plain(finding.rule if own else f"{finding.origin}/{finding.rule}")


def _rule(finding: Finding) -> dict[str, Any]:
    message = _message(finding.message or finding.rule)
    remedy = _message(finding.remedy)
    text = f"{message}\n\n{remedy}" if remedy else message
    tags = [finding.category.value]
    is_security = finding.cwe is not None or finding.category not in _NO_SECURITY
    if is_security and Category.SECURITY.value not in tags:
        tags.insert(0, Category.SECURITY.value)
    if finding.cwe is not None:
        tags.append(f"external/cwe/{_plain(finding.cwe).lower()}")
    properties: dict[str, Any] = {
        "tags": tags,
        "precision": _PRECISION[finding.confidence],
    }
    if is_security:
        properties["security-severity"] = _SECURITY_SEVERITY[finding.severity]
    return {
        "id": _rule_id(finding),
        "shortDescription": {"text": message},
        "help": {"text": text},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": properties,
    }


def _result(finding: Finding, place: int, occurrence: int) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(finding.path)}
    if finding.line > 0:
        # A snippet would repeat text of the change; the evidence is enough.
        end = max(finding.end_line or finding.line, finding.line)
        physical["region"] = {"startLine": finding.line, "endLine": end}
    return {
        "ruleId": _rule_id(finding),
        "ruleIndex": place,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding.message or finding.rule)},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {
            "recloser/v1": f"{finding.fingerprint}:{occurrence}",
        },
        "properties": {
            "severity": finding.severity.label,
            "confidence": finding.confidence.name.lower(),
            "origin": _plain(finding.origin),
        },
    }


def _notification(gap: Gap) -> dict[str, Any]:
    notification: dict[str, Any] = {
        "descriptor": {"id": f"gap/{_plain(gap.source)}"},
        "level": "error",
        "message": {"text": _message(gap.reason)},
    }
    if gap.path is not None:
        location = {"physicalLocation": {"artifactLocation": _artifact(gap.path)}}
        notification["locations"] = [location]
    return notification


def _artifact(path: str) -> dict[str, str]:
    raw = path.encode("utf-8", "surrogateescape")
    return {"uri": quote(raw, safe="/"), "uriBaseId": _ROOT}


def _message(text: str) -> str:
    """Return ``text`` as a SARIF message string that says just that.

    Braces are placeholders there and ``[words](target)`` is a link; words of a
    change must become neither.
    """
    escaped = _plain(text).replace("{", "{{").replace("}", "}}")
    return escaped.replace("](", "] (")


def _plain(text: str) -> str:
    """Return ``text`` without surrogates, which JSON in UTF-8 cannot carry."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
