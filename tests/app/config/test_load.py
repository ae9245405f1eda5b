"""Which configuration is in force."""

from __future__ import annotations

import pytest

from app.config.keys import KEYS
from app.config.load import LoadAnswer, choose, policy_of
from app.config.model import Enforcement, GuardrailSection, RepositoryConfig
from guardrails.model import Severity
from guardrails.policy import Policy

SOURCE = "o/r@main:.github/recloser.yml"
LAST_GOOD = RepositoryConfig(enforcement=Enforcement.ADVISE)


def test_a_good_file_is_in_force() -> None:
    """The file wins over what was there before, and names its ref."""
    answer = LoadAnswer(source=SOURCE, text="fuse: {repeats: 5}")
    effective = choose(answer, LAST_GOOD)
    assert effective.config.fuse.repeats == 5
    assert effective.config.enforcement is Enforcement.ENFORCE
    assert effective.source == SOURCE
    assert effective.is_readable
    assert effective.problems == ()


def test_without_a_file_the_defaults_are_in_force() -> None:
    """No file is a choice: the defaults, active and readable."""
    effective = choose(LoadAnswer(source=SOURCE), LAST_GOOD)
    assert effective.config == RepositoryConfig()
    assert effective.source == f"the defaults (there is no {SOURCE})"
    assert effective.is_readable


BROKEN = LoadAnswer(source=SOURCE, text="fuse: {repeats: 5}\nnope: 1\n")
FAILED = LoadAnswer(source=SOURCE, failure="403 Resource not accessible")


@pytest.mark.parametrize("answer", [BROKEN, FAILED])
def test_an_unreadable_file_leaves_the_last_good_one_in_force(
    answer: LoadAnswer,
) -> None:
    """Nothing of a file with a problem is used, and the check cannot be green."""
    effective = choose(answer, LAST_GOOD)
    assert effective.config == LAST_GOOD
    assert effective.source == f"the last good configuration ({SOURCE} cannot be read)"
    assert not effective.is_readable
    assert effective.problems


@pytest.mark.parametrize("answer", [BROKEN, FAILED])
def test_an_unreadable_first_file_leaves_the_defaults_in_force(
    answer: LoadAnswer,
) -> None:
    """There always is a configuration."""
    effective = choose(answer, None)
    assert effective.config == RepositoryConfig()
    assert effective.source == f"the defaults ({SOURCE} cannot be read)"
    assert not effective.is_readable


def test_a_failure_is_told_with_its_reason() -> None:
    """A person sees why the file could not be fetched."""
    (problem,) = choose(FAILED, None).problems
    assert "403 Resource not accessible" in str(problem)
    assert problem.line == 0


def test_a_failure_wins_over_a_text() -> None:
    """An answer that failed is not read, whatever came with it."""
    answer = LoadAnswer(source=SOURCE, text="", failure="cut off")
    assert not choose(answer, None).is_readable


def test_the_policy_of_the_defaults_is_the_default_policy() -> None:
    """Guardrails and configuration agree on what an empty file means."""
    assert policy_of(RepositoryConfig(), author_is_agent=False) == Policy()


def test_the_policy_says_what_the_file_asks() -> None:
    """Each key of the section reaches the guardrails."""
    asked = GuardrailSection(
        block="low", shrink_floor=0.5, protected=("a/**",), lanes={"b/**": ("x",)}
    )
    policy = policy_of(RepositoryConfig(guardrails=asked), author_is_agent=True)
    assert policy.block is Severity.LOW
    assert policy.shrink_floor == 0.5
    assert policy.protected == ("a/**", ".github/recloser.yml")
    assert policy.lanes == {"b/**": ("x",)}
    assert policy.author_is_agent


def test_each_blocking_level_of_the_file_is_a_severity() -> None:
    """No level of the file is unknown to the guardrails."""
    for level in KEYS["guardrails", "block"].schema["enum"]:
        assert Severity[level.upper()].label == level
