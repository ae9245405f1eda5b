"""Two scanners that say one thing say it once."""

from __future__ import annotations

from guardrails.echoes import without_echoes
from guardrails.model import Category, Finding, Severity


def _finding(
    rule: str, severity: Severity, *, line: int = 3, cwe: str | None = None
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        category=Category.SECURITY,
        path="a.py",
        line=line,
        message="m",
        cwe=cwe,
        origin=rule.split(".")[0],
    )


def test_ruff_echoes_bandit_by_number() -> None:
    """S602 on the line of B602 is the same finding."""
    bandit = _finding("bandit.B602", Severity.HIGH, cwe="CWE-78")
    ruff = _finding("ruff.S602", Severity.MEDIUM)
    assert without_echoes([ruff, bandit]) == (bandit,)


def test_the_rulepack_speaks_for_the_same_weakness() -> None:
    """Of two equally severe voices ours is kept, for it has a remedy."""
    ours = _finding("semgrep.py-command-injection", Severity.HIGH, cwe="CWE-78")
    bandit = _finding("bandit.B602", Severity.HIGH, cwe="CWE-78")
    assert without_echoes([bandit, ours]) == (ours,)


def test_the_severest_voice_is_kept() -> None:
    """An echo never makes a finding weaker."""
    ours = _finding("semgrep.x", Severity.LOW, cwe="CWE-78")
    bandit = _finding("bandit.B602", Severity.HIGH, cwe="CWE-78")
    assert without_echoes([ours, bandit]) == (bandit,)


def test_another_line_or_weakness_is_no_echo() -> None:
    """Only the same weakness on the same line is one finding."""
    bandit = _finding("bandit.B602", Severity.HIGH, cwe="CWE-78")
    elsewhere = _finding("ruff.S602", Severity.MEDIUM, line=9)
    other = _finding("ruff.S307", Severity.MEDIUM)
    assert set(without_echoes([bandit, elsewhere, other])) == {bandit, elsewhere, other}


def test_one_scanner_does_not_echo_itself() -> None:
    """Two rules of one scanner on one line are two findings."""
    first = _finding("bandit.B602", Severity.HIGH, cwe="CWE-78")
    second = _finding("bandit.B605", Severity.HIGH, cwe="CWE-78")
    assert len(without_echoes([first, second])) == 2


def test_a_rule_of_ours_is_never_an_echo() -> None:
    """Secrets and the like stand beside whatever scanners say."""
    secret = _finding("secrets.aws", Severity.HIGH, cwe="CWE-798")
    bandit = _finding("bandit.B105", Severity.HIGH, cwe="CWE-798")
    assert len(without_echoes([secret, bandit])) == 2
