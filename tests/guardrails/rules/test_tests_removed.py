"""The rule for tests that no longer test."""

from __future__ import annotations

import pytest

from guardrails import ChangeKind, Severity
from tests.guardrails.builders import bare, change, findings

RULE = "tests-removed"
ONE = "def test_one():\n    assert f(1) == 1\n"
TWO = "\n\ndef test_two():\n    assert f(2) == 2\n"


def test_a_deleted_test_file_is_told_with_its_tests() -> None:
    """The names are in the message."""
    (finding,) = findings(RULE, change("tests/test_f.py", ONE + TWO, None))
    assert finding.severity is Severity.MEDIUM
    assert "test_one, test_two" in finding.message


def test_a_deleted_test_is_told() -> None:
    """One test of a file, with the file staying; its assertion is not told again."""
    (finding,) = findings(RULE, change("tests/test_f.py", ONE + TWO, ONE))
    assert "test_two" in finding.message


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("a.test.ts", "it('adds', () => {\n  expect(f(1)).toBe(1)\n})\n"),
        ("f_test.go", "func TestF(t *testing.T) {\n\tt.Error(1)\n}\n"),
        (
            "src/test/java/FTest.java",
            "  public void testF() {\n  assertEquals(1, 1);\n",
        ),
    ],
)
def test_other_languages_have_tests_too(path: str, before: str) -> None:
    """The usual frameworks are known."""
    assert len(findings(RULE, change(path, before, "\n"))) == 1


def test_a_moved_test_is_no_deletion() -> None:
    """In another file of the change the test is still there."""
    files = (
        change("tests/test_f.py", ONE + TWO, ONE),
        change("tests/test_g.py", None, TWO),
    )
    assert findings(RULE, *files) == []


def test_a_renamed_test_is_no_deletion() -> None:
    """One out and one in, in the same file, is another name."""
    after = (ONE + TWO).replace("test_two", "test_second")
    assert findings(RULE, change("tests/test_f.py", ONE + TWO, after)) == []


def test_assertions_taken_out_are_told() -> None:
    """The test stays and checks less."""
    after = (ONE + TWO).replace("    assert f(2) == 2\n", "    f(2)\n")
    (finding,) = findings(RULE, change("tests/test_f.py", ONE + TWO, after))
    assert "1 assertion(s)" in finding.message


def test_an_edited_assertion_is_fine() -> None:
    """As many in as out is an edit."""
    after = ONE.replace("== 1", "== 2")
    assert findings(RULE, change("tests/test_f.py", ONE, after)) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_f.py", '@pytest.mark.skip(reason="later")'),
        ("tests/test_f.py", "@pytest.mark.xfail"),
        ("tests/test_f.py", '    pytest.skip("not now")'),
        ("tests/test_f.py", '        self.skipTest("no")'),
        ("a.spec.ts", "it.skip('adds', () => {})"),
        ("a.spec.ts", "xdescribe('all', () => {})"),
        ("a.spec.ts", "describe.only('this', () => {})"),
        ("f_test.go", '\tt.Skip("later")'),
        ("src/test/FTest.java", "    @Disabled"),
        ("tests/f.rs", "#[ignore]"),
        ("tests/test_f.py", "    assert True"),
        ("a.spec.ts", "expect(true).toBe(true)"),
    ],
)
def test_a_weakened_test_is_told_at_its_line(path: str, line: str) -> None:
    """Skips, expected failures and assertions that cannot fail."""
    (finding,) = findings(RULE, change(path, "x\n", f"x\n{line}\n"))
    assert (finding.line, finding.evidence) == (2, line.strip())


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("app/skip.py", "pytest.skip('x')"),
        ("tests/test_f.py", "    assert True is f(x)"),
        ("tests/test_f.py", "@pytest.mark.skipif(WINDOWS, reason='no fork')"),
        ("tests/test_f.py", "    assert 12 == f(x)"),
        ("a.spec.ts", "expect(true).toBe(isOpen)"),
        ("tests/data/notes.md", "it.skip('x')"),
    ],
)
def test_what_only_looks_weaker_is_fine(path: str, line: str) -> None:
    """Other files, conditions and real assertions are left alone."""
    assert findings(RULE, change(path, "x\n", f"x\n{line}\n")) == []


def test_a_removed_file_that_is_no_test_is_fine() -> None:
    """Code may go, and so may a fixture."""
    assert findings(RULE, change("app/f.py", "assert x\n", None)) == []
    assert findings(RULE, bare("tests/a.png", ChangeKind.REMOVED, is_binary=True)) == []
