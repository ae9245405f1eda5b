"""Read semgrep's JSON: matches by file, and everything that it did not look at.

Pure. semgrep exits 0 although files or rules were skipped, so each way in which
it can look away is turned into a reason here (B28).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardrails.errors import ScannerError
from guardrails.model import Category, Confidence, Finding, Severity
from guardrails.scanners.sources import line_at

_SEVERITIES = {
    "ERROR": Severity.HIGH,
    "WARNING": Severity.MEDIUM,
    "INFO": Severity.LOW,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run of semgrep said, by the name of the materialised file."""

    matches: Mapping[str, tuple[Mapping[str, Any], ...]]
    failures: Mapping[str, str]
    scanned: frozenset[str]


def parse(stdout: bytes, names: Collection[str]) -> Report:
    """Parse the output of ``semgrep scan --json`` about the files ``names``.

    Raises:
        ScannerError: it is no such output, or a rule was not applied at all.
    """
    try:
        data = json.loads(stdout)
        errors, skipped = data["errors"], data["skipped_rules"]
        matches = defaultdict[str, list[Mapping[str, Any]]](list)
        for each in data["results"]:
            matches[Path(each["path"]).name].append(each)
        scanned = frozenset(Path(each).name for each in data["paths"]["scanned"])
        left_out = data["paths"].get("skipped") or ()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ScannerError("semgrep's output is not its JSON") from error
    if skipped:
        names = ", ".join(sorted(str(each.get("rule_id", each)) for each in skipped))
        raise ScannerError(f"semgrep skipped rules: {names[:300]}")
    failures = dict[str, str]()
    for each in errors:
        name, reason = _failure(each)
        if name not in names:  # a rule file, or no file: all results are in doubt
            raise ScannerError(f"{reason} {each.get('rule_id', '')}".rstrip())
        failures.setdefault(name, reason)
    for each in left_out:
        reason = f"semgrep skipped the file: {each.get('reason', 'no reason given')}"
        failures.setdefault(Path(each["path"]).name, reason)
    return Report(
        matches={name: tuple(found) for name, found in matches.items()},
        failures=failures,
        scanned=scanned,
    )


def _failure(error: Mapping[str, Any]) -> tuple[str, str]:
    """Return the file that an error is about, and what it means."""
    kind = error.get("type", "error")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    lines = sorted(
        {each["start"]["line"] for each in error.get("spans") or () if "start" in each}
    )
    where = f" around line {lines[0]}" if lines else ""
    name = Path(error.get("path") or "").name
    return name, f"semgrep could not read all of the file{where}: {kind}"


def finding(match: Mapping[str, Any], text: str) -> Finding:
    """Return a match as a Finding without a path.

    The line comes from ``text``: semgrep prints ``requires login`` instead.
    """
    extra = match["extra"]
    metadata = extra.get("metadata") or {}
    line, evidence = _line(text, match["start"])
    last, _ = _line(text, match["end"])
    try:
        severity = _SEVERITIES[extra["severity"]]
        confidence = Confidence[str(metadata.get("confidence", "MEDIUM"))]
        category = Category(metadata.get("category", "security"))
    except (KeyError, ValueError) as error:
        raise ScannerError(f"rule {match['check_id']} is badly described") from error
    return Finding(
        rule=f"semgrep.{match['check_id'].rpartition('.')[2]}",
        severity=severity,
        confidence=confidence,
        category=category,
        path="",
        line=line,
        end_line=last,
        message=" ".join(extra["message"].split()),
        evidence=evidence,
        remedy=" ".join(str(metadata.get("remediation", "")).split()),
        cwe=metadata.get("cwe"),
        origin="semgrep",
    )


def _line(text: str, position: Mapping[str, int]) -> tuple[int, str]:
    """Return the line at semgrep's byte offset, as git counts it."""
    if text.isascii():
        return line_at(text, position["offset"])
    data = text.encode("utf-8", "surrogateescape")[: position["offset"]]
    return line_at(text, len(data.decode("utf-8", "surrogateescape")))
