"""B27: the author's suppression comment is a finding of its own, and hides none."""

from __future__ import annotations

import pytest

from guardrails import Category, Severity, evaluate
from tests.guardrails.builders import GITHUB_TOKEN, change, change_set

ADDED = [
    ("a.py", "subprocess.call(cmd, shell=True)  # nosec"),
    ("a.py", "eval(x)  # nosemgrep"),
    ("a.js", "eval(x) // nosemgrep : rule"),
]


@pytest.mark.parametrize(("path", "line"), ADDED)
def test_an_added_suppression_is_a_low_finding(path: str, line: str) -> None:
    """It is told, and blocks nothing by itself."""
    verdict = evaluate(change_set(change(path, "x\n", f"x\n{line}\n")))
    told = [e for e in verdict.findings if e.category is Category.SUPPRESSION]
    assert [each.severity for each in told] == [Severity.LOW]


@pytest.mark.parametrize(
    "line", ["# the word nosem in a comment", 'os.system("ls # nosec")']
)
def test_words_and_strings_are_no_suppression(line: str) -> None:
    """A comment that merely has the word, and a string."""
    verdict = evaluate(change_set(change("a.py", "x\n", f"x\n{line}\n")))
    assert verdict.findings == ()


def test_an_allow_marker_hides_no_secret() -> None:
    """The token blocks, and the marker is the second finding."""
    line = f'x = "{GITHUB_TOKEN}"  # gitleaks:allow'
    verdict = evaluate(change_set(change("a.py", None, f"{line}\n")))
    assert [each.rule for each in verdict.findings] == ["secret", "suppression"]
    assert verdict.blocking(Severity.HIGH)


def test_a_suppression_that_was_there_is_not_told() -> None:
    """What the base holds is the base's."""
    before = "eval(x)  # nosemgrep\na = 1\n"
    verdict = evaluate(change_set(change("a.py", before, before + "b = 2\n")))
    assert verdict.findings == ()
