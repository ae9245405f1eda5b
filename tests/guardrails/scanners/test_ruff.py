"""ruff as a second parser and for plain correctness."""

from __future__ import annotations

from guardrails.engine import Source
from guardrails.model import Category, Severity
from guardrails.scanners.ruff import RuffScanner


def _source(text: str, path: str = "head/a.py") -> Source:
    return Source(path=path, text=text)


def test_an_undefined_name_is_a_fault_but_does_not_block() -> None:
    """Correctness findings weigh medium."""
    (finding,) = RuffScanner().scan([_source("print(nothing)\n")]).findings
    assert finding.rule == "ruff.F821"
    assert finding.severity is Severity.MEDIUM
    assert finding.category is Category.CORRECTNESS
    assert finding.evidence == "print(nothing)"


def test_broken_syntax_is_a_finding() -> None:
    """A file that no Python can read is wrong whatever it says."""
    findings = RuffScanner().scan([_source("def f(:\n    pass\n")]).findings
    assert findings[0].rule == "ruff.invalid-syntax"
    assert findings[0].line == 1


def test_the_newest_syntax_is_read_on_an_old_python() -> None:
    """Where bandit gives up, ruff still finds."""
    text = "type Name = str\n\n\ndef f[T](x: T) -> object:\n    return eval(x)\n"
    result = RuffScanner().scan([_source(text)])
    assert [each.rule for each in result.findings] == ["ruff.S307"]
    assert result.gaps == ()


def test_security_shapes_never_block() -> None:
    """No S rule weighs high: bandit and the rulepack decide what blocks."""
    text = "import os, requests\nos.system(input())\nrequests.get('u', verify=False)\n"
    found = RuffScanner().scan([_source(text)]).findings
    assert {each.rule for each in found} >= {"ruff.S605", "ruff.S501"}
    assert max(each.severity for each in found) is Severity.MEDIUM


def test_a_file_that_is_no_text_is_a_gap() -> None:
    """Bytes that ruff cannot read are named."""
    text = b"x = '\xff'\n".decode("utf-8", "surrogateescape")
    (gap,) = RuffScanner().scan([_source(text)]).gaps
    assert gap.path == "head/a.py"
    assert "UTF-8" in gap.reason


def test_a_file_that_kills_ruff_is_a_gap_and_the_others_are_seen() -> None:
    """The guilty file is found by halves."""
    deep = _source("x = " + "-" * 100_000 + "1", "head/deep.py")
    others = [_source("eval(input())\n", f"head/{n}.py") for n in range(3)]
    result = RuffScanner().scan([*others[:1], deep, *others[1:]])
    assert [gap.path for gap in result.gaps] == ["head/deep.py"]
    assert [each.path for each in result.findings] == [each.path for each in others]


def test_a_change_without_python_starts_nothing() -> None:
    """No text, no process, no gap."""
    result = RuffScanner().scan([_source("#!/bin/sh\n", "head/run")])
    assert result.findings == ()
    assert result.gaps == ()
