"""Which language a scanner takes a file for."""

from __future__ import annotations

import pytest

from guardrails.scanners.languages import Language, language_of, may_be_script


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("head/a.py", Language.PYTHON),
        ("head/A.PY", Language.PYTHON),
        ("head/a.pyi", Language.PYTHON_STUB),
        ("head/x/a.mjs", Language.JAVASCRIPT),
        ("head/a.tsx", Language.TSX),
        ("head/Dockerfile", Language.DOCKERFILE),
        ("head/docker/dev.Dockerfile", Language.DOCKERFILE),
        ("head/Dockerfile.prod", Language.DOCKERFILE),
        ("head/Containerfile", Language.DOCKERFILE),
        ("head/.github/workflows/ci.yml", Language.WORKFLOW),
        ("head/tools/action.yaml", Language.WORKFLOW),
        ("head/config/ci.yml", None),
        ("head/README.md", None),
        ("head/Dockerfiles/readme.txt", None),
        ("head/syntax/dockerfile.vim", None),
    ],
)
def test_a_path_tells_the_language(path: str, language: Language | None) -> None:
    """The suffix, the name or the folder decides, in this order of need."""
    assert language_of(path, "") is language


@pytest.mark.parametrize(
    ("first", "language"),
    [
        ("#!/usr/bin/env python3", Language.PYTHON),
        ("#!/usr/bin/python3.12 -I", Language.PYTHON),
        ("#!/bin/sh", Language.SHELL),
        ("#!/usr/bin/env -S bash -eu", Language.SHELL),
        ("#!/usr/bin/env node", Language.JAVASCRIPT),
        ("#!/usr/bin/perl", None),
        ("import os", None),
    ],
)
def test_a_script_without_a_suffix_is_told_by_its_first_line(
    first: str, language: Language | None
) -> None:
    """A file such as bin/deploy does not escape for want of a suffix."""
    assert may_be_script("head/bin/deploy")
    assert language_of("head/bin/deploy", f"{first}\nrest\n") is language


def test_a_first_line_does_not_overrule_a_suffix() -> None:
    """A Python file that claims to be a shell script is still Python."""
    assert language_of("head/a.py", "#!/bin/sh\n") is Language.PYTHON
