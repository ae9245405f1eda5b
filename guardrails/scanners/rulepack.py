"""Find our own semgrep rules by language. They ship with the package.

A folder holds the rules of the languages that ``FOLDERS`` gives it; ``samples``
beside them are for the tests and are never loaded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guardrails.errors import ScannerError
from guardrails.scanners.languages import Language

RULEPACK = Path(__file__).parent.parent / "rulepack"
FOLDERS = {
    Language.PYTHON: "python",
    Language.JAVASCRIPT: "javascript",
    Language.TYPESCRIPT: "javascript",
    Language.TSX: "javascript",
    Language.SHELL: "shell",
    Language.DOCKERFILE: "dockerfile",
    Language.WORKFLOW: "actions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulepack:
    """Rule files by folder, and a hash of all that they say."""

    files: dict[str, tuple[Path, ...]]
    digest: str

    def configs(self, languages: Iterable[Language]) -> tuple[Path, ...]:
        """Return the rule files that ``languages`` need."""
        folders = sorted({FOLDERS[each] for each in languages})
        return tuple(file for folder in folders for file in self.files[folder])


@cache
def rulepack(root: Path = RULEPACK) -> Rulepack:
    """Read the list of our rule files; raise ScannerError where some are missing."""
    digest = hashlib.sha256()
    files = dict[str, tuple[Path, ...]]()
    for folder in sorted(set(FOLDERS.values())):
        files[folder] = tuple(sorted((root / folder).glob("*.yaml")))
        if not files[folder]:
            raise ScannerError(f"the rulepack has no rules for {folder}")
        for file in files[folder]:
            digest.update(f"{folder}/{file.name}\0".encode())
            digest.update(file.read_bytes())
    return Rulepack(files=files, digest=digest.hexdigest())
