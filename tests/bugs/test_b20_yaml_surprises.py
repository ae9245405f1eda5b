"""B20: ``on`` that becomes True, the last duplicate that wins, the typo ignored."""

from __future__ import annotations

import pytest

from app.config.parser import parse
from app.config.problem import ConfigProblem


def problems(text: str) -> list[ConfigProblem]:
    parsed = parse(text, source="recloser.yml")
    assert parsed.config is None
    return list(parsed.problems)


def test_words_and_numbers_of_old_yaml_are_no_keys_or_values() -> None:
    """Each line is its own problem under its own name."""
    text = "on: true\nlabel: no\nversion: 1.10\ncooldown: 1:30\ncode: 012\n"
    found = problems(text)
    names = [(problem.line, problem.key) for problem in found]
    expected = ["on", "label", "version", "cooldown", "code"]
    assert names == list(enumerate(expected, start=1))


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "y"])
def test_a_word_is_a_text_where_a_text_is_wanted(word: str) -> None:
    """A label called ``no`` is not the boolean False."""
    parsed = parse(f"escalation: {{label: {word}}}", source="x")
    assert parsed.config is not None
    assert parsed.config.escalation.label == word


def test_duplicates_name_the_key_and_both_lines() -> None:
    """Neither the first nor the last wins, at the top or nested."""
    text = (
        "enforcement: enforce\nenforcement: advise\n"
        "fuse:\n  repeats: 3\n  repeats: 4\n"
        "guardrails:\n  lanes:\n    a: [x]\n    a: [y]\n"
    )
    found = problems(text)
    assert [(each.line, each.key) for each in found] == [
        (2, "enforcement"),
        (5, "fuse.repeats"),
        (9, "guardrails.lanes.a"),
    ]
    assert [each.message[-6:] for each in found] == ["line 1", "line 4", "line 8"]


def test_a_quoted_duplicate_is_a_duplicate() -> None:
    """Quotes do not make another key."""
    (found,) = problems("enforcement: enforce\n'enforcement': advise\n")
    assert found.line == 2


def test_a_merge_key_does_not_bring_in_keys_unseen() -> None:
    """YAML 1.2 has no merge keys: it is an unknown key."""
    (found,) = problems("<<: {enforcement: advise}")
    assert found.key == "<<"


@pytest.mark.parametrize(
    ("typo", "nearest"),
    [
        ("fuse: {token: 5000}", "`tokens`"),
        ("breaker: {recovry: {first: 1m}}", "`recovery`"),
        ("enforcment: advise", "`enforcement`"),
        ("guardrail: {block: low}", "`guardrails`"),
    ],
)
def test_a_typo_is_named_with_the_nearest_key(typo: str, nearest: str) -> None:
    """An unknown key is never ignored."""
    (found,) = problems(typo)
    assert found.message == "unknown key"
    assert nearest in found.remedy


@pytest.mark.parametrize(
    "value",
    ['"5"', "true", "-5", ".nan", ".inf", "1" + "0" * 30, "1:30", "012", "5.0", "1_0"],
)
def test_a_whole_number_is_a_whole_number(value: str) -> None:
    """No text, boolean or strange number passes for one."""
    (found,) = problems(f"fuse:\n  repeats: {value}\n")
    assert (found.line, found.key) == (2, "fuse.repeats")


@pytest.mark.parametrize("value", ['"0.5"', "true", "-0.5", ".nan", ".inf", "1e999"])
def test_a_share_is_a_number_from_0_to_1(value: str) -> None:
    """No text, boolean or strange number passes for one."""
    (found,) = problems(f"fuse:\n  drift_limit: {value}\n")
    assert (found.line, found.key) == (2, "fuse.drift_limit")
