"""Look at Python with ruff: a second parser, and faults of plain correctness.

Guarantees: ``--isolated`` (no ``ruff.toml`` of the PR), ``--ignore-noqa`` (B27),
numbered copies only (B08). ruff reads the newest syntax whatever Python runs us.
Its ``S`` rules say nearly what bandit says; ``without_echoes`` drops the second.

Limit: its security rules match shapes; none of them may block by itself.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from guardrails.engine import ScanResult, Source
from guardrails.errors import ScannerError
from guardrails.model import Category, Confidence, Finding, Gap, Severity
from guardrails.scanners import process
from guardrails.scanners.bandit_tests import EXCLUDED
from guardrails.scanners.languages import Language, language_of, may_be_script
from guardrails.scanners.languages import language_of_path as by_path
from guardrails.scanners.sources import LineMap, materialised

SCAN_TIMEOUT = 60.0
MAX_FILE_BYTES = 1_000_000
SELECT = ("S", "E9", "F63", "F7", "F82")
NEWEST_PYTHON = "py314"
CANNOT_READ = "E902"

# Shapes that are seldom innocent; everything else of ``S`` weighs LOW.
_MEDIUM = frozenset(
    {
        *("S102", "S103", "S202", "S301", "S302", "S307", "S323", "S324"),
        *("S501", "S502", "S503", "S506", "S507", "S602", "S604", "S605", "S608"),
        *("S610", "S611", "S612", "S614"),
    }
)
_PYTHON = (Language.PYTHON, Language.PYTHON_STUB)


@cache
def executable() -> Path:
    """Return ruff beside the running Python; raise ScannerError when not there."""
    path = Path(sys.executable).with_name("ruff")
    if not path.exists():
        raise ScannerError("ruff is not installed (pip install ruff)")
    return path


class RuffScanner:
    """The scanner ``ruff``. Thread-safe: each scan is a process of its own."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic

    @property
    def name(self) -> str:
        """Return ``ruff``."""
        return "ruff"

    def accepts(self, path: str) -> bool:
        """Tell whether ``path`` is Python or may be a Python script."""
        return by_path(path) in _PYTHON or may_be_script(path)

    def scan(self, sources: Sequence[Source]) -> ScanResult:
        """Look at all Python texts in one run."""
        gaps, todo = list[Gap](), list[tuple[Source, str]]()
        for source in sources:
            language = language_of(source.path, source.text)
            if language not in _PYTHON:
                continue
            if len(source.text) > MAX_FILE_BYTES:
                reason = f"ruff did not look: more than {MAX_FILE_BYTES} characters"
                gaps.append(Gap(reason=reason, path=source.path, source=self.name))
                continue
            todo.append((source, language))
        found, lost = self._look(todo, self._monotonic() + SCAN_TIMEOUT)
        return ScanResult(findings=tuple(found), gaps=(*gaps, *lost))

    def _look(
        self, todo: Sequence[tuple[Source, str]], end: float
    ) -> tuple[list[Finding], list[Gap]]:
        """Look at ``todo``; halve it where ruff dies, until the guilty file is alone.

        One deeply nested file overflows ruff's stack and would hide all others.
        """
        if not todo:
            return [], []
        try:
            return self._look_once(todo, end - self._monotonic())
        except ScannerError as error:
            if len(todo) == 1 or self._monotonic() >= end:
                reason = f"ruff could not look: {error}"
                return [], [
                    Gap(reason=reason, path=source.path, source=self.name)
                    for source, _ in todo
                ]
        middle = len(todo) // 2
        first, first_lost = self._look(todo[:middle], end)
        second, second_lost = self._look(todo[middle:], end)
        return [*first, *second], [*first_lost, *second_lost]

    def _look_once(
        self, todo: Sequence[tuple[Source, str]], timeout: float
    ) -> tuple[list[Finding], list[Gap]]:
        findings, gaps = list[Finding](), list[Gap]()
        with materialised(todo) as workspace:
            for each in self._run(workspace.root, timeout):
                seen = workspace.source(each["filename"])
                if seen is None:
                    raise ScannerError("ruff reported a file that we did not give it")
                if each["code"] == CANNOT_READ:
                    reason = f"ruff could not read the file: {each['message']}"
                    gaps.append(Gap(reason=reason, path=seen.path, source=self.name))
                    continue
                findings.append(_finding(each, seen))
        return findings, gaps

    def describe(self) -> str:
        """Say which ruff there is; raise ScannerError when there is none."""
        return f"ruff at {executable()}, rules {', '.join(SELECT)}"

    def _run(self, root: Path, timeout: float) -> list[dict[str, Any]]:
        done = process.run(
            [
                str(executable()),
                "check",
                "--isolated",
                "--ignore-noqa",
                "--no-cache",
                "--no-respect-gitignore",
                "--exit-zero",
                "--quiet",
                f"--select={','.join(SELECT)}",
                f"--ignore={','.join(f'S{number}' for number in EXCLUDED)}",
                f"--target-version={NEWEST_PYTHON}",
                "--output-format=json",
                str(root),
            ],
            cwd=root.parent,
            timeout=max(timeout, 0.1),
        )
        try:
            found = json.loads(done.stdout)
        except ValueError as error:
            words = done.stderr.decode("utf-8", "replace")[-300:]
            raise ScannerError(f"ruff ended with {done.code}: {words}") from error
        if done.code != 0 or not isinstance(found, list):
            raise ScannerError(f"ruff ended with {done.code}")
        return found


def _finding(found: dict[str, Any], source: Source) -> Finding:
    code = found["code"] or "invalid-syntax"
    line, evidence = LineMap(source.text).at(found["location"]["row"])
    is_security = code.startswith("S") and code[1:].isdigit()
    severity = Severity.MEDIUM
    if is_security and code not in _MEDIUM:
        severity = Severity.LOW
    return Finding(
        rule=f"ruff.{code}",
        severity=severity,
        confidence=Confidence.MEDIUM if is_security else Confidence.HIGH,
        category=Category.SECURITY if is_security else Category.CORRECTNESS,
        path=source.path,
        line=line,
        message=found["message"],
        evidence=evidence,
        origin="ruff",
    )
