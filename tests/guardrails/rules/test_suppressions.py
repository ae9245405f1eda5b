"""The rule for comments that silence security scanners."""

from __future__ import annotations

import pytest

from guardrails import Category, ChangeKind, Severity
from tests.guardrails.builders import bare, change, findings, found

RULE = "suppression"

SILENCING = [
    ("a.py", "subprocess.call(cmd, shell=True)  # nosec"),
    ("a.py", "x = 1  # nosec B602"),
    ("a.py", "eval(x)  # nosemgrep"),
    ("a.py", "eval(x)  # nosemgrep: rule"),
    ("a.py", "eval(x)  # nosem"),
    ("a.py", "eval(x)  # noqa"),
    ("a.py", "eval(x)  # noqa: S307"),
    ("a.py", "eval(x)  # noqa: E501, S307"),
    ("a.py", "# ruff: noqa"),
    ("a.py", "eval(x)  # checked by hand  # nosec"),
    ("a.py", 't = "x"  # pragma: allowlist secret'),
    ("a.js", "eval(x) // nosemgrep : rule"),
    ("a.js", "eval(x) // eslint-disable-line"),
    ("a.js", "/* eslint-disable security/detect-eval */"),
    ("a.js", "// eslint-disable-next-line no-eval"),
    ("a.go", "x := 1 //#nosec G101"),
    ("a.go", "x := 1 //nolint:gosec"),
    ("a.yml", "token: x # gitleaks:allow"),
    ("a.tf", "# tfsec:ignore:aws-s3"),
    ("a.html", "<!-- nosemgrep -->"),
    ("Dockerfile", "# hadolint ignore=DL3002"),
    ("a.sh", "echo don't # nosec"),
    ("a.java", "x(); // NOSONAR"),
]
HARMLESS = [
    ("a.py", 'os.system("ls # nosec")'),
    ("a.py", "# a word on nosem and nosec and noqa"),
    ("a.py", "nosec = 1"),
    ("a.py", "x = 1  # noqa: E501"),
    ("a.py", "x = 1  # noqa: SIM102"),
    ("a.py", "x = f()  # type: ignore"),
    ("a.py", 'x = "gitleaks:allow"'),
    ("a.js", "const s = '// nosemgrep'"),
    ("a.js", "// eslint-disable-next-line no-console"),
    ("a.js", "fetch('https://nosec.org')"),
    ("a.go", "x := 1 //nolint:lll"),
    ("a.md", "Write `# nosec` to silence it."),
]


@pytest.mark.parametrize(("path", "line"), SILENCING)
def test_a_silencing_comment_is_low(path: str, line: str) -> None:
    """Told at its line, in every language."""
    (finding,) = findings(RULE, change(path, "x\n", f"x\n{line}\n"))
    assert (finding.severity, finding.category) == (
        Severity.LOW,
        Category.SUPPRESSION,
    )
    assert finding.line == 2


@pytest.mark.parametrize(("path", "line"), HARMLESS)
def test_words_strings_and_style_are_fine(path: str, line: str) -> None:
    """Only comments that silence security count."""
    assert found(RULE, path, line) == []


def test_a_string_over_many_lines_is_no_comment() -> None:
    """Python is read as a whole, where it can be."""
    lines = ('"""', "x()  # nosec", '"""', "y()  # nosec")
    assert found(RULE, "a.py", *lines) == [Severity.LOW]


def test_broken_python_is_read_line_by_line() -> None:
    """A file that cannot be parsed does not hide its comments."""
    assert found(RULE, "a.py", "def f(:", '"""', "x()  # nosec") == [Severity.LOW]


def test_a_comment_that_goes_or_stays_is_fine() -> None:
    """Only added ones count."""
    assert findings(RULE, change("a.py", "x()  # nosec\ny\n", "x()\ny\n")) == []
    assert findings(RULE, change("a.py", "x()  # nosec\ny\n", "x()  # nosec\n")) == []


def test_files_that_tell_scanners_what_to_skip_are_told() -> None:
    """They silence more than any comment."""
    for path in (".semgrepignore", ".bandit", "sub/.gitleaksignore"):
        assert len(findings(RULE, change(path, None, "*\n"))) == 1
    assert findings(RULE, bare(".bandit", ChangeKind.REMOVED)) == []
