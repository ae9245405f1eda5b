"""B19: an empty, scalar or broken file must neither crash nor switch the guard off."""

from __future__ import annotations

import pytest

from app.config.load import LoadAnswer, choose
from app.config.model import Enforcement, RepositoryConfig
from app.config.parser import parse

SOURCE = "o/r@main:.github/recloser.yml"
LAST_GOOD = RepositoryConfig(enforcement=Enforcement.ADVISE)
UNUSABLE = (
    (b"just text", 1),
    (b"- a", 1),
    (b"a:\n\tb: 1", 2),
    (b" " * 2_000_000, 1),
    (b"enforcement: enforce\n\xff\xfe", 2),
    ("enforcement: enforce".encode("utf-16"), 1),
    (b"\x00", 1),
    (b"a: [", 1),
    (b"enforcement: enforce\n---\nenforcement: advise\n", 2),
)


@pytest.mark.parametrize("raw", [b"", b"\n", b"# only\n# comments\n", b"---\n", b"{}"])
def test_an_empty_file_is_all_defaults(raw: bytes) -> None:
    """Empty is active: the defaults, without a problem."""
    effective = choose(LoadAnswer(source=SOURCE, text=raw), LAST_GOOD)
    assert effective.config == RepositoryConfig()
    assert effective.config.enforcement is Enforcement.ENFORCE
    assert effective.is_readable


@pytest.mark.parametrize(("raw", "line"), UNUSABLE)
def test_an_unusable_file_is_one_problem_with_its_line(raw: bytes, line: int) -> None:
    """The problem says where and what to do."""
    parsed = parse(raw, source=SOURCE)
    assert parsed.config is None
    (problem,) = parsed.problems
    assert problem.line == line
    assert problem.message
    assert problem.remedy


@pytest.mark.parametrize(("raw", "line"), UNUSABLE)
def test_an_unusable_file_leaves_the_guard_on(raw: bytes, line: int) -> None:
    """The last good configuration or the defaults stay in force, never green."""
    answer = LoadAnswer(source=SOURCE, text=raw)
    kept = choose(answer, LAST_GOOD)
    assert kept.config == LAST_GOOD
    assert not kept.is_readable
    assert [problem.line for problem in kept.problems] == [line]
    assert choose(answer, None).config == RepositoryConfig()
