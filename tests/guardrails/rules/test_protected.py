"""The rules for paths: protected ones, and lanes."""

from __future__ import annotations

import pytest

from guardrails import Category, ChangeKind, Policy, Severity
from guardrails.rules.globs import matches
from tests.guardrails.builders import AGENT, bare, change, findings, renamed

RULE = "protected-path"


def test_an_agents_change_of_a_workflow_is_blocked() -> None:
    """HIGH for an agent, MEDIUM for a human, at the first added line."""
    file = change(".github/workflows/deep/ci.yml", "a: 1\n", "a: 1\nb: 2\n")
    (strict,) = findings(RULE, file, policy=AGENT)
    (told,) = findings(RULE, file)
    assert (strict.severity, told.severity) == (Severity.HIGH, Severity.MEDIUM)
    assert (strict.category, strict.line) == (Category.PROTECTED, 2)


@pytest.mark.parametrize(
    "file",
    [
        change("CODEOWNERS", "a\n", None),
        change("docs/CODEOWNERS", None, "* @me\n"),
        renamed(".github/workflows/ci.yml", "old/ci.yml", "a: 1\n"),
        renamed("ci.yml", ".github/workflows/ci.yml", "a: 1\n"),
        bare(".github/workflows/run.sh", ChangeKind.CHANGED, new_mode="100755"),
        change(".GitHub/Workflows/ci.yml", None, "a: 1\n"),
    ],
    ids=["removed", "elsewhere", "moved away", "moved in", "mode", "other case"],
)
def test_whatever_touches_a_protected_path_is_told(file: object) -> None:
    """Removal, both ends of a rename, a mode, another spelling."""
    assert len(findings(RULE, file)) == 1  # type: ignore[arg-type]


def test_the_guards_own_file_is_named() -> None:
    """The message says what stays in force (B21)."""
    (finding,) = findings(RULE, change(".github/recloser.yml", "a: 1\n", None))
    assert "configuration of Recloser itself" in finding.message


def test_other_paths_are_fine() -> None:
    """Neighbours of a protected path are not protected; a copy leaves it as it was."""
    files = (
        change(".github/dependabot.yml", "a\n", "b\n"),
        change("workflows/ci.yml", None, "a\n"),
        change("CODEOWNERS.md", None, "a\n"),
        bare("x.yml", ChangeKind.COPIED, old_path=".github/workflows/ci.yml"),
        bare("CODEOWNERS", ChangeKind.UNCHANGED),
    )
    assert findings(RULE, *files, policy=AGENT) == []


@pytest.mark.parametrize(
    ("pattern", "path", "matched"),
    [
        ("**", "a", True),
        ("a/**", "a/b/c", True),
        ("a/**", "ab/c", False),
        ("**/a.py", "a.py", True),
        ("**/a.py", "x/y/a.py", True),
        ("a/*/c", "a/b/c", True),
        ("a/*/c", "a/b/b/c", False),
        ("a/", "a/b/c", True),
        ("./a/b", "a/b", True),
        ("*.lock", "x/y.lock", True),
        ("a/**/z/**", "a/b/c/z/d", True),
        ("a/?.py", "a/bb.py", False),
        ("[ab]/c", "b/c", True),
    ],
)
def test_globs(pattern: str, path: str, matched: bool) -> None:
    """``**`` spans folders, a bare name matches anywhere."""
    assert matches(pattern, path) is matched


def test_a_lane_keeps_terms_out() -> None:
    """A term in added lines or in a new name, whatever its case; never in old lines."""
    policy = Policy(lanes={"public/**": ("Acme Corp",)})
    bad = change("public/a.md", "x\n", "x\nfor ACME corp only\n")
    named = change("public/acme corp.md", None, "x\n")
    fine = (
        change("private/a.md", None, "Acme Corp\n"),
        change("public/b.md", "Acme Corp\nx\n", "Acme Corp\ny\n"),
        change("public/c.md", "Acme Corp\n", None),
    )
    told = findings("lane", bad, named, *fine, policy=policy)
    assert {(each.path, each.line) for each in told} == {
        ("public/acme corp.md", 0),
        ("public/a.md", 2),
    }
    assert all(each.severity is Severity.HIGH for each in told)
