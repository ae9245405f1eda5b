"""The linters that stand in for the agent."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.fallback.linters import run_linters
from guardrails import (
    ChangeKind,
    ChangeSet,
    FileChange,
    Gap,
    Policy,
    ScanResult,
    Severity,
    Source,
)

SHELL = "import subprocess\n\n\ndef f(cmd):\n    subprocess.call(cmd, shell=True)\n"


class SilentScanner:
    """A linter that accepts one suffix and never finds anything."""

    def __init__(self, name: str, suffix: str) -> None:
        self.name = name
        self._suffix = suffix

    def accepts(self, path: str) -> bool:
        """Accept the one suffix."""
        return path.endswith(self._suffix)

    def scan(self, sources: Sequence[Source]) -> ScanResult:
        """Find nothing."""
        return ScanResult()


def _added(path: str, text: str | None = "x = 1\n") -> FileChange:
    return FileChange(path=path, kind=ChangeKind.ADDED, after=text)


def _changes(*files: FileChange) -> ChangeSet:
    return ChangeSet(files=files)


def test_auto_runs_what_knows_the_language_and_says_things_once() -> None:
    """bandit and ruff both see shell=True; one finding comes out, and it blocks."""
    verdict = run_linters(_changes(_added("a.py", SHELL)), Policy())
    shell = [each for each in verdict.findings if each.line == 5]
    assert [each.rule for each in shell] == ["bandit.B602"]
    assert verdict.blocking(Severity.HIGH)
    assert verdict.is_complete


def test_a_clean_change_is_complete() -> None:
    """Nothing wrong and nothing unseen: no finding, no gap."""
    verdict = run_linters(
        _changes(_added("a.py"), _added("README.md", "words\n")), Policy()
    )
    assert verdict.findings == ()
    assert verdict.is_complete


def test_only_named_linters_run() -> None:
    """A list in the config is obeyed."""
    changes = _changes(_added("a.py", SHELL))
    verdict = run_linters(changes, Policy(), names=("ruff",))
    assert {each.origin for each in verdict.findings} == {"ruff"}


def test_an_unknown_linter_is_a_gap_with_a_way_out() -> None:
    """A typing error in the config does not make the check green."""
    verdict = run_linters(_changes(_added("a.py")), Policy(), names=("ruf", "ruff"))
    (gap,) = verdict.gaps
    assert "'ruf'" in gap.reason
    assert "semgrep, bandit, ruff" in gap.reason


def test_an_empty_list_is_a_gap() -> None:
    """No linter at all is never a clean bill."""
    verdict = run_linters(_changes(_added("README.md")), Policy(), names=())
    assert not verdict.is_complete


@pytest.mark.parametrize("path", ["main.go", "src/lib.rs", "A.JAVA", "x.ipynb"])
def test_code_that_no_linter_knows_is_a_gap(path: str) -> None:
    """A language without a linter is named, file by file."""
    verdict = run_linters(_changes(_added(path), _added("a.py")), Policy())
    assert [gap.path for gap in verdict.gaps] == [path]


def test_code_that_no_chosen_linter_knows_is_a_gap() -> None:
    """A list of linters that leaves a language out does not hide its files."""
    changes = _changes(_added("a.py"), _added("a.js"))
    verdict = run_linters(changes, Policy(), names=("bandit",))
    assert [gap.path for gap in verdict.gaps] == ["a.js"]


def test_a_text_that_was_not_loaded_is_a_gap_once() -> None:
    """The loader's own reason is kept; without one we give ours."""
    loader = Gap(reason="too big", path="big.py")
    changes = ChangeSet(
        files=(_added("big.py", None), _added("lost.py", None)), gaps=(loader,)
    )
    verdict = run_linters(changes, Policy())
    assert [gap.path for gap in verdict.gaps] == ["big.py", "lost.py"]
    assert verdict.gaps[0] is loader


def test_what_has_no_text_is_no_gap() -> None:
    """Removed files, pictures, links and submodules are the rules' work."""
    changes = _changes(
        FileChange(path="gone.go", kind=ChangeKind.REMOVED, before="x"),
        FileChange(path="a.go", kind=ChangeKind.ADDED, is_binary=True),
        FileChange(path="b.go", kind=ChangeKind.ADDED, new_mode="120000", after="x"),
        FileChange(path="c.go", kind=ChangeKind.ADDED, new_mode="160000"),
    )
    verdict = run_linters(changes, Policy(), scanners=())
    assert all(gap.source != "linters" for gap in verdict.gaps)


def test_linters_can_be_given() -> None:
    """Another registry is another set of names."""
    own = SilentScanner("golint", ".go")
    verdict = run_linters(_changes(_added("main.go")), Policy(), scanners=(own,))
    assert verdict.is_complete


def test_the_rules_run_too() -> None:
    """A fallback is no way round the guardrails: looked_at holds every path."""
    verdict = run_linters(_changes(_added("a.py"), _added("b.md")), Policy())
    assert verdict.looked_at == {"a.py", "b.md"}
