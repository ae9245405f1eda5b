"""Tell the language of a file from its path and, without a suffix, its first line.

Pure. A language's value is the suffix under which scanners get such a file.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePosixPath


class Language(StrEnum):
    """A language that at least one scanner knows."""

    PYTHON = ".py"
    PYTHON_STUB = ".pyi"
    JAVASCRIPT = ".js"
    TYPESCRIPT = ".ts"
    TSX = ".tsx"
    SHELL = ".sh"
    DOCKERFILE = ".dockerfile"
    WORKFLOW = ".workflow.yml"  # GitHub Actions: workflows and composite actions


_BY_SUFFIX = {
    ".py": Language.PYTHON,
    ".pyw": Language.PYTHON,
    ".wsgi": Language.PYTHON,
    ".pyi": Language.PYTHON_STUB,
    ".js": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX,
    ".sh": Language.SHELL,
    ".bash": Language.SHELL,
    ".dockerfile": Language.DOCKERFILE,
    ".containerfile": Language.DOCKERFILE,
}
_INTERPRETERS = (
    (re.compile(r"\bpython[\d.]*\b"), Language.PYTHON),
    (re.compile(r"\b(?:ba|da|k|z)?sh\b"), Language.SHELL),
    (re.compile(r"\b(?:node|deno|bun)\b"), Language.JAVASCRIPT),
)
_DOCKERFILE = re.compile(  # Dockerfile.prod, but not dockerfile.md
    r"(?:docker|container)file"
    r"(?:[.-](?!(?:md|rst|txt|html|vim|json|ya?ml|toml|py|js|ts|go|rb)$)[\w.-]+)?",
    re.IGNORECASE,
)
_WORKFLOW = re.compile(
    r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$", re.IGNORECASE
)


def language_of_path(path: str) -> Language | None:
    """Return the language that ``path`` alone tells."""
    if _WORKFLOW.search(path):
        return Language.WORKFLOW
    name = PurePosixPath(path).name
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return Language.DOCKERFILE if _DOCKERFILE.fullmatch(name) else None


def may_be_script(path: str) -> bool:
    """Tell whether only the first line can say what ``path`` is."""
    return not PurePosixPath(path).suffix and language_of_path(path) is None


def language_of(path: str, text: str) -> Language | None:
    """Return the language of a file, ``None`` for one that no scanner knows."""
    known = language_of_path(path)
    if known is not None or not may_be_script(path) or not text.startswith("#!"):
        return known
    first = text.split("\n", 1)[0]
    for pattern, language in _INTERPRETERS:
        if pattern.search(first):
            return language
    return None
