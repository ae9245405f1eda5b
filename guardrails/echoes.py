"""Drop what a second scanner says again. Pure.

ruff's ``S602`` is bandit's ``B602``: on one line they are one finding. A finding
of our own rulepack speaks for both, where it names the same weakness (CWE).
"""

from __future__ import annotations

from collections.abc import Iterable

from guardrails.model import Finding


def without_echoes(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return ``findings`` without echoes; the severest voice is kept, in place."""
    kept = dict[tuple[str, int, str], Finding]()
    result = list[Finding]()
    for each in sorted(findings, key=_loudness):
        keys = [(each.path, each.line, weakness) for weakness in _weaknesses(each)]
        if any(key in kept and kept[key].origin != each.origin for key in keys):
            continue
        for key in keys:
            kept.setdefault(key, each)
        result.append(each)
    return tuple(sorted(result, key=_order))


def _order(finding: Finding) -> tuple[int, str, int, str]:
    return (-finding.severity, finding.path, finding.line, finding.rule)


def _loudness(finding: Finding) -> tuple[int, int, str]:
    order = {"semgrep": 0, "bandit": 1, "ruff": 2}
    return (-finding.severity, order.get(finding.origin, -1), finding.rule)


def _weaknesses(finding: Finding) -> list[str]:
    if finding.origin not in ("semgrep", "bandit", "ruff") or not finding.line:
        return []
    code = finding.rule.rpartition(".")[2]
    names = [finding.cwe] if finding.cwe else []
    if finding.origin != "semgrep" and code[:1] in ("B", "S") and code[1:].isdigit():
        names.append(code[1:])
    return names
