"""Look at code with semgrep's native front and our own rulepack.

Guarantees: one run for a whole change, all languages together; neither
``nosemgrep`` nor a ``.semgrepignore`` is obeyed (B27, B28); a skipped rule fails
the scan; a file that semgrep skipped, cut short or read in part is a Gap; what a
text led to is kept in memory, so that the base side and unchanged files of a
later round cost nothing.

Limit: analysis stays inside one file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from guardrails.engine import ScanResult, Source
from guardrails.errors import ScannerError
from guardrails.model import Finding, Gap
from guardrails.scanners import process, semgrep_output
from guardrails.scanners.languages import (
    Language,
    language_of,
    language_of_path,
    may_be_script,
)
from guardrails.scanners.result_cache import Key, ResultCache
from guardrails.scanners.rulepack import FOLDERS, Rulepack, rulepack
from guardrails.scanners.semgrep_output import Report
from guardrails.scanners.sources import Workspace, materialised, to_bytes

MAX_FILE_BYTES = 1_000_000  # beyond it semgrep takes minutes and then gives up
RULE_TIMEOUT = 5  # seconds for one rule on one file; 3 of them and the file is left
SCAN_TIMEOUT = 120.0
FINDING_OVERHEAD = 300  # bytes of the object itself
MANY_FILES = 50
CACHE_BYTES = 16 << 20
FLAGS = (
    "--disable-nosem",
    "--x-ignore-semgrepignore-files",
    "--no-git-ignore",
    "--no-exclude-binary-files",
    "--max-target-bytes=0",
    "--metrics=off",
    "--disable-version-check",
    "--json",
    "--quiet",
    f"--timeout={RULE_TIMEOUT}",
)


@cache
def native_front() -> Path:
    """Return semgrep's native program; raise ScannerError when it is not there."""
    spec = importlib.util.find_spec("semgrep")
    for location in (spec and spec.submodule_search_locations) or ():
        core = Path(location) / "bin" / "semgrep-core"
        if os.access(core, os.X_OK):
            return core
    raise ScannerError("semgrep is not installed (pip install semgrep)")


class SemgrepScanner:
    """The scanner ``semgrep``. Thread-safe."""

    def __init__(
        self, *, pack: Rulepack | None = None, cache_bytes: int = CACHE_BYTES
    ) -> None:
        self._pack = pack
        self._cache = ResultCache[tuple[Finding, ...]](cache_bytes)

    @property
    def name(self) -> str:
        """Return ``semgrep``."""
        return "semgrep"

    def accepts(self, path: str) -> bool:
        """Tell whether the rulepack has rules for such a file."""
        return language_of_path(path) in FOLDERS or may_be_script(path)

    def scan(self, sources: Sequence[Source]) -> ScanResult:
        """Look at all sources in one run, but for those seen before."""
        findings, gaps = list[Finding](), list[Gap]()
        todo = list[tuple[Source, Language]]()
        for source in sources:
            language = language_of(source.path, source.text)
            if language is None or language not in FOLDERS or not source.text.strip():
                continue
            if len(source.text) > MAX_FILE_BYTES:
                reason = f"semgrep did not look: more than {MAX_FILE_BYTES} characters"
                gaps.append(Gap(reason=reason, path=source.path, source=self.name))
                continue
            known = self._cache.get(self._key(source, language))
            if known is None:
                todo.append((source, language))
            else:
                findings.extend(replace(each, path=source.path) for each in known)
        if todo:
            with materialised(todo) as workspace:
                report = self._run(workspace, {language for _, language in todo})
                for name, source in workspace.names.items():
                    reason = self._read(report, name, source, findings)
                    if reason:
                        gaps.append(
                            Gap(reason=reason, path=source.path, source=self.name)
                        )
        return ScanResult(findings=tuple(findings), gaps=tuple(gaps))

    def describe(self) -> str:
        """Say which rules there are; raise ScannerError when semgrep is not there."""
        pack = self._pack or rulepack()
        files = sum(len(each) for each in pack.files.values())
        return f"semgrep at {native_front()}, {files} rule files, {pack.digest[:12]}"

    def _key(self, source: Source, language: Language) -> Key:
        digest = hashlib.sha256(to_bytes(source.text)).digest()
        pack = self._pack or rulepack()
        return Key(digest=digest, language=language, rules=pack.digest)

    def _run(self, workspace: Workspace, languages: set[Language]) -> Report:
        # The program is one for all fronts and looks at the name it goes by.
        front = workspace.root.parent / "osemgrep"
        front.symlink_to(native_front())
        pack = self._pack or rulepack()
        configs = [f"--config={file}" for file in pack.configs(languages)]
        # Measured: on a busy machine two jobs take twice as long as one, since the
        # collector of the native front stops all of them at each turn.
        many = len(workspace.names) >= MANY_FILES and (os.cpu_count() or 1) >= 4
        done = process.run(
            [
                str(front),
                "scan",
                "--experimental",
                *FLAGS,
                f"--jobs={2 if many else 1}",
                *configs,
                str(workspace.root),
            ],
            cwd=workspace.root.parent,
            timeout=SCAN_TIMEOUT,
            memory_mb=3072,
            cpu_seconds=int(SCAN_TIMEOUT) * 2,
            extra_environment={"SEMGREP_SEND_METRICS": "off"},
        )
        if done.code != 0:
            words = done.stderr.decode("utf-8", "replace").split()
            raise ScannerError(f"semgrep ended with {done.code}: {_tail(words)}")
        return semgrep_output.parse(done.stdout, workspace.names)

    def _read(
        self, report: Report, name: str, source: Source, findings: list[Finding]
    ) -> str:
        """Add the findings of one file; return why it was not looked at, or ""."""
        found = tuple(
            dict.fromkeys(
                semgrep_output.finding(match, source.text)
                for match in report.matches.get(name, ())
            )
        )
        findings.extend(replace(each, path=source.path) for each in found)
        if name in report.failures:
            return report.failures[name]
        if name not in report.scanned:
            return "semgrep did not look at the file and did not say why"
        language = language_of(source.path, source.text)
        if language is not None:
            size = sum(
                len(f"{each.message}{each.remedy}{each.evidence}") for each in found
            )
            self._cache.put(self._key(source, language), found, size=size)
        return ""


def _size(findings: Sequence[Finding]) -> int:
    """Return about how many bytes of text ``findings`` hold."""
    return sum(
        len(each.message) + len(each.remedy) + len(each.evidence) + FINDING_OVERHEAD
        for each in findings
    )


def _tail(words: Sequence[str]) -> str:
    return " ".join(words)[-300:]
