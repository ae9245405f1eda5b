"""B28: exit 0 although files were skipped; a scanner that obeys a found config."""

from __future__ import annotations

import pytest

from guardrails import ChangeKind, FileChange, Verdict
from guardrails.engine import introduced
from guardrails.scanners import default_scanners

PICKLE = "import pickle\n\n\ndef f(x):\n    return pickle.loads(x)\n"


def _judge(**files: str) -> Verdict:
    changes = tuple(
        FileChange(path=name, kind=ChangeKind.ADDED, after=text)
        for name, text in files.items()
    )
    # Each scanner by itself: the engine keeps one voice for one weakness.
    heard = [introduced(each, changes) for each in default_scanners()]
    return Verdict(
        findings=tuple(each for result in heard for each in result.findings),
        gaps=tuple(each for result in heard for each in result.gaps),
    )


def test_a_file_that_bandit_cannot_parse_is_a_gap_by_name() -> None:
    """bandit calls ``def f(:`` a success; the verdict is incomplete."""
    verdict = _judge(**{"broken.py": "def f(:\n", "fine.py": PICKLE})
    assert not verdict.is_complete
    assert {gap.path for gap in verdict.gaps} == {"broken.py"}
    assert any(each.path == "fine.py" for each in verdict.findings)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".bandit", "[bandit]\nskips = B301,B403\n"),
        ("pyproject.toml", "[tool.bandit]\nskips = ['B301']\n[tool.ruff]\nselect=[]\n"),
        ("ruff.toml", "exclude = ['*']\nlint.select = []\n"),
        (".ruff.toml", "exclude = ['*']\n"),
        (".semgrepignore", "*\n"),
        (".gitignore", "*\n"),
        ("setup.cfg", "[bandit]\nexclude = *\n"),
    ],
)
def test_a_config_in_the_change_silences_nothing(name: str, text: str) -> None:
    """Every finding stands with the config beside it that would hide it."""
    alone = _judge(**{"a.py": PICKLE})
    beside = _judge(**{name: text, "a.py": PICKLE})
    assert {each.rule for each in alone.findings} == {"bandit.B301", "ruff.S301"}
    assert alone.findings == beside.findings


def test_a_scanner_that_is_down_makes_the_verdict_incomplete() -> None:
    """A scan that failed is a gap of the change, never silence."""
    broken = "x = " + "-" * 100_000 + "1\n"
    verdict = _judge(**{"deep.py": broken})
    assert {gap.source for gap in verdict.gaps} >= {"bandit", "ruff"}
