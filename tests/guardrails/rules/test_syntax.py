"""The rule for files that a change breaks."""

from __future__ import annotations

import pytest

from guardrails import Category, ChangeKind, Finding, Gap, Policy, Severity
from tests.guardrails.builders import bare, change, findings, outcome, renamed

RULE = "broken-syntax"

BROKEN = [
    ("a.py", "x = 1\ndef f(:\n", 2),
    ("a.pyi", "def f() -> : ...\n", 1),
    ("a.py", "x = 1\n\0\n", 2),
    ("a.json", '{"a": 1,}\n', 1),
    ("a.yaml", "a: 1\nb: [1\n", 3),
    ("a.yml", "a: 1\n\tb: 2\n", 2),
    ("a.toml", "a = 1\nb = \n", 2),
]
GOOD = {
    ".py": "x = 1\n",
    ".pyi": "x: int\n",
    ".json": "{}\n",
    ".yaml": "a: 1\n",
    ".yml": "a: 1\n",
    ".toml": "a = 1\n",
}


@pytest.mark.parametrize(("path", "text", "line"), BROKEN)
def test_a_new_or_changed_file_must_parse(path: str, text: str, line: int) -> None:
    """HIGH, near the line; a file that was broken before is not blamed."""
    good = GOOD["." + path.partition(".")[2]]
    for before in (None, good):
        (finding,) = findings(RULE, change(path, before, text))
        assert finding.severity is Severity.HIGH
        assert finding.category is Category.CORRECTNESS
        assert abs(finding.line - line) <= 1
    assert findings(RULE, change(path, text, text + "\n")) == []
    assert findings(RULE, change(path, text, good)) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "\ufeffx = 1\n"),
        ("a.py", "x = 1\r\n"),
        ("a.py", "x = '\\d'\n"),
        ("a.json", "\ufeff{}"),
        ("a.yaml", "a: !Ref b\nc: &x {y: 1}\nd: *x\n---\ne: 1\n"),
        ("chart/templates/a.yaml", "a: {{ .Values.b }}\n  {{- if x }}\n"),
        ("tsconfig.json", "{ // note\n}"),
        (".vscode/settings.json", "{ // note\n}"),
        ("a.toml", "a = 1\r\n[b]\r\n"),
        ("a.txt", "def f(:\n"),
        ("a.py", ""),
    ],
)
def test_what_can_be_read_is_fine(path: str, text: str) -> None:
    """Marks, line ends, tags, templates, JSON with comments, other languages."""
    assert outcome(RULE, change(path, None, text)) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "type X[T] = list[T]\n"),
        ("a.py", "def f[T](x: T) -> T: ...\n"),
        ("a.py", 'x = f"{a["b"]}"\n'),
        ("a.py", "try:\n    x\nexcept A, B:\n    y\n"),
        ("a.py", "(" * 5000 + ")" * 5000),
        ("a.py", "x = " + "-" * 100_000 + "1\n"),
        ("a.json", "[" * 100_000 + "]" * 100_000),
        ("a.yaml", "[" * 5_000 + "]" * 5_000),
    ],
    ids=["type", "generic", "f-string", "except", "deep", "minus", "json", "yaml"],
)
def test_what_cannot_be_told_is_a_gap(path: str, text: str) -> None:
    """Newer syntax and texts that no parser survives are named, not blamed."""
    (gap,) = outcome(RULE, change(path, None, text))
    assert isinstance(gap, Gap)
    assert gap.path == path


def test_a_large_file_is_a_gap() -> None:
    """Its size is bounded by the policy."""
    policy = Policy(max_file_bytes=10)
    told = outcome(RULE, change("a.py", None, "x = 1\n" * 5), policy=policy)
    assert [type(each) for each in told] == [Gap]


def test_a_fixture_may_be_broken_on_purpose() -> None:
    """LOW there."""
    (finding,) = findings(RULE, change("tests/fixtures/a.py", None, "def f(:\n"))
    assert finding.severity is Severity.LOW


def test_a_rename_into_a_language_is_judged_as_new() -> None:
    """A text was never meant to parse; under its new name it must."""
    assert len(findings(RULE, renamed("a.txt", "a.py", "def f(:\n", "def g(:\n"))) == 1
    assert findings(RULE, renamed("a.py", "b.py", "def f(:\n", "def g(:\n")) == []


def test_a_merge_conflict_is_told_in_any_language() -> None:
    """Its marks stand at the start of a line; rulers of a heading do not count."""
    text = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n"
    (finding,) = findings(RULE, change("a.go", None, text))
    assert finding.line == 2
    assert findings(RULE, change("a.go", None, "a\n=======\nb <<<<<<< x\n")) == []


def test_links_and_binaries_are_not_parsed() -> None:
    """Their text is none of a language."""
    files = (
        change("a.py", None, "../x y", new_mode="120000"),
        bare("b.py", ChangeKind.ADDED, is_binary=True, after="def f(:"),
        change("c.py", "x\n", None),
    )
    assert outcome(RULE, *files) == []


def test_the_evidence_is_the_line() -> None:
    """What is wrong is shown as it stands."""
    told = outcome(RULE, change("a.py", None, "x = 1\ndef f(:\n"))
    assert isinstance(told[0], Finding)
    assert told[0].evidence == "def f(:"
