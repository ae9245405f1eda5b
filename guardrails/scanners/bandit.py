"""Look at Python with bandit, in a warm process of its own.

Guarantees: texts only, never a directory, so no ``.bandit`` and no
``pyproject.toml`` of the PR is read; ``# nosec`` is not obeyed (B27); a file
that bandit could not parse is a Gap although bandit calls that a success (B28).

Limit: bandit parses with the Python that runs it. On an old Python newer syntax
is a Gap, which says so; ruff, with a parser of its own, still looks at it.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from guardrails.engine import ScanResult, Source
from guardrails.errors import ScannerError
from guardrails.model import Category, Finding, Gap
from guardrails.scanners.bandit_tests import EXCLUDED, weigh
from guardrails.scanners.languages import Language, language_of, may_be_script
from guardrails.scanners.languages import language_of_path as by_path
from guardrails.scanners.sources import LineMap
from guardrails.scanners.worker import Worker, WorkerLost

RUNNER = Path(__file__).with_name("bandit_runner.py")
FILE_TIMEOUT = 10.0
SCAN_TIMEOUT = 60.0
MAX_FILE_BYTES = 1_000_000


class BanditScanner:
    """The scanner ``bandit``. Thread-safe; all threads share one warm process."""

    def __init__(
        self,
        *,
        python: str = sys.executable,
        runner: Path = RUNNER,
        file_timeout: float = FILE_TIMEOUT,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        exclude = [f"B{number}" for number in EXCLUDED]
        self._worker = Worker((python, "-I", str(runner)), {"exclude": exclude})
        self._file_timeout = file_timeout
        self._monotonic = monotonic

    @property
    def name(self) -> str:
        """Return ``bandit``."""
        return "bandit"

    def accepts(self, path: str) -> bool:
        """Tell whether ``path`` is Python or may be a Python script."""
        return by_path(path) is Language.PYTHON or may_be_script(path)

    def scan(self, sources: Sequence[Source]) -> ScanResult:
        """Look at each Python text in turn; what bandit loses is a Gap."""
        if importlib.util.find_spec("bandit") is None:
            raise ScannerError("bandit is not installed (pip install bandit)")
        findings, gaps = list[Finding](), list[Gap]()
        end = self._monotonic() + SCAN_TIMEOUT
        for source in sources:
            if language_of(source.path, source.text) is not Language.PYTHON:
                continue
            left = end - self._monotonic()
            reason = self._look(source, min(left, self._file_timeout), findings)
            if reason:
                gaps.append(Gap(reason=reason, path=source.path, source=self.name))
        return ScanResult(findings=tuple(findings), gaps=tuple(gaps))

    def close(self) -> None:
        """Stop the warm process; the next scan starts it again."""
        self._worker.close()

    def describe(self) -> str:
        """Say which bandit answers, on which Python; raise ScannerError if none."""
        self._worker.ask({"text": ""}, timeout=self._file_timeout)
        greeting = self._worker.greeting
        return f"bandit {greeting['bandit']} on Python {greeting['python']}"

    def _look(self, source: Source, timeout: float, findings: list[Finding]) -> str:
        """Add the findings of one text; return why it was not looked at, or ""."""
        if len(source.text) > MAX_FILE_BYTES:
            return f"bandit did not look: more than {MAX_FILE_BYTES} characters"
        if timeout <= 0:
            return f"bandit did not look: its {SCAN_TIMEOUT:g} s were used up"
        try:
            answer = self._worker.ask({"text": source.text}, timeout=timeout)
            lines = LineMap(source.text)
            new = [_finding(each, source, lines) for each in answer["issues"]]
            skipped = answer["skipped"]
        except WorkerLost as error:
            return f"bandit could not look: {error}"
        except (KeyError, TypeError, ValueError) as error:
            raise ScannerError("bandit gave an answer of another shape") from error
        findings.extend(new)
        if skipped is None:
            return ""
        python = self._worker.greeting.get("python", "?")
        return f"bandit could not read the file (on Python {python}): {skipped}"


def _finding(issue: dict[str, Any], source: Source, lines: LineMap) -> Finding:
    severity, confidence = weigh(issue["test"], issue["severity"], issue["confidence"])
    line, evidence = lines.at(issue["line"])
    end_line, _ = lines.at(max([issue["line"], *issue["lines"]]))
    return Finding(
        rule=f"bandit.{issue['test']}",
        severity=severity,
        confidence=confidence,
        category=Category.SECURITY,
        path=source.path,
        line=line,
        end_line=end_line,
        message=issue["text"],
        evidence=evidence,
        cwe=f"CWE-{issue['cwe']}" if issue["cwe"] else None,
        origin="bandit",
    )
