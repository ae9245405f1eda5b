"""What a path says about a file: code or prose, test or example. Pure."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from guardrails.rules.word_set import word_set

CONFIGURATION = word_set(
    ".env .ini .cfg .conf .properties .yaml .yml .toml .tfvars .sh .bash .zsh .npmrc"
    " .netrc .pypirc .config .envrc"
)
PROSE = word_set(".md .rst .txt .adoc .po .pot .tex .org")
_TESTS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|specs|e2e|testing)/|(?:^|/)(?:test_|conftest\.)"
    r"|(?:_test|_spec|\.test|\.spec|_tests|Test|Tests|Spec)\.\w{1,5}$"
)
_EXAMPLES = re.compile(
    r"(?:^|/)(?:examples?|samples?|demos?|fixtures?|testdata|test_data|mocks?|docs?|"
    r"__fixtures__|__mocks__|snapshots?)/|\.(?:example|sample|template|dist)$"
)
_LOCKS = word_set(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock"
    " pdm.lock pipfile.lock cargo.lock go.sum composer.lock gemfile.lock bun.lock"
    " flake.lock packages.lock.json pubspec.lock mix.lock"
)


def suffix(path: str) -> str:
    """Return the last suffix of ``path`` in lower case; a dotfile is its own."""
    name = path.rpartition("/")[2].lower()
    return PurePosixPath(name).suffix or (name if name.startswith(".") else "")


def name_of(path: str) -> str:
    """Return the file's own name in lower case."""
    return path.rpartition("/")[2].lower()


def is_test(path: str) -> bool:
    """Tell whether ``path`` is of the tests."""
    return _TESTS.search(path) is not None


def is_example(path: str) -> bool:
    """Tell whether ``path`` is of tests, examples or documentation."""
    return is_test(path) or suffix(path) in PROSE or bool(_EXAMPLES.search(path))


def is_fixture(path: str) -> bool:
    """Tell whether ``path`` is an example that may be wrong on purpose."""
    return _EXAMPLES.search(path) is not None


def is_locked(path: str) -> bool:
    """Tell whether ``path`` is a lock file, full of digests (B26)."""
    return name_of(path) in _LOCKS


def is_configuration(path: str) -> bool:
    """Tell whether values stand without quotes in such a file."""
    name = name_of(path)
    if name.startswith((".env", "dockerfile", "containerfile")):
        return True
    return name.endswith("dockerfile") or suffix(path) in CONFIGURATION
