"""The simulator and the app know nothing of each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def imported(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every module that the files of a folder import."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield path, alias.name
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield path, node.module


def test_the_simulator_does_not_import_the_app() -> None:
    """Else a mistake of the app would be made twice and never be seen."""
    found = list(imported(ROOT / "tests" / "simulator"))
    assert found
    strange = [x for x in found if x[1].split(".")[0] in ("app", "guardrails")]
    assert strange == []


def test_the_app_does_not_import_the_simulator() -> None:
    """What runs in production needs no test code."""
    for package in ("app", "guardrails"):
        found = list(imported(ROOT / package))
        assert found
        assert [x for x in found if x[1].split(".")[0] == "tests"] == []
