"""The parser: strict, complete, and never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.config.example import example
from app.config.model import AgentKind, Enforcement, RepositoryConfig
from app.config.parser import MAX_BYTES, Parsed, parse

SOURCE = "o/r@main:.github/recloser.yml"
PIECES = (
    *("fuse", "tokens", "lanes", "guardrails", "recovery", "deadline", "a", "1", "5m"),
    *(": ", ":", "\n", "\n  ", "\n    ", "- ", "[", "]", "{", "}", ", ", "? ", "<<"),
    *("&a ", "*a", "!!int ", "!x ", "|\n", ">2\n", '"', "'", "\\", "\\U", "\\ud800"),
    *("%YAML 1.1\n", "---\n", "...\n", "\t", "#", "~", "true", "012", ".nan", "1e999"),
    *("\u2028", "\x85", "\ufeff", "\x00", "\r", "\ud800", "\udcff", "é", "🚨"),
)


def read(text: str | bytes) -> Parsed:
    return parse(text, source=SOURCE)


def accepted(text: str) -> RepositoryConfig:
    parsed = read(text)
    assert parsed.problems == ()
    assert parsed.config is not None
    return parsed.config


def places(text: str | bytes) -> list[tuple[int, str]]:
    parsed = read(text)
    assert parsed.config is None
    return [(problem.line, problem.key) for problem in parsed.problems]


def only(text: str | bytes) -> str:
    parsed = read(text)
    assert len(parsed.problems) == 1, parsed.problems
    return str(parsed.problems[0])


def test_the_values_of_a_full_file_are_read() -> None:
    """Enums, durations, tuples, mappings and whole numbers for shares are read."""
    config = accepted(
        "enforcement: advise\n"
        'agent: {use: observe, observe: ["coderabbitai[bot]"]}\n'
        "breaker: {recovery: {first: 90s, max: 2h}}\n"
        "fuse:\n  cost_usd: 3\n  deadline: 15m\n  tools: [read_file]\n"
        'guardrails:\n  lanes:\n    "billing/**": [password, "no"]\n'
        "fallback: {linters: [ruff, bandit]}\n"
    )
    assert config.enforcement is Enforcement.ADVISE
    assert config.agent.use is AgentKind.OBSERVE
    assert config.agent.observe == ("coderabbitai[bot]",)
    assert config.breaker.recovery.first == 90.0
    assert config.breaker.recovery.max == 7_200.0
    assert config.fuse.cost_usd == 3.0
    assert isinstance(config.fuse.cost_usd, float)
    assert config.fuse.deadline == 900.0
    assert config.fuse.tools == ("read_file",)
    assert config.guardrails.lanes == {"billing/**": ("password", "no")}
    assert config.fallback.linters == ("ruff", "bandit")


def test_the_example_says_what_an_empty_file_says() -> None:
    """The example file parses to the defaults."""
    assert accepted(example()) == RepositoryConfig()


def test_a_section_whose_keys_are_commented_out_has_its_defaults() -> None:
    """A section without anything in it is a section of defaults."""
    assert accepted("fuse:\n  # tokens: 5\nbudget:\n") == RepositoryConfig()


def test_a_byte_order_mark_is_no_part_of_the_first_key() -> None:
    """A file that an editor saved with a byte order mark is read."""
    parsed = read(b"\xef\xbb\xbfenforcement: advise\n")
    assert parsed.config is not None
    assert parsed.config.enforcement is Enforcement.ADVISE


def test_windows_line_ends_count_as_one_line() -> None:
    """Lines end at CRLF once."""
    assert places("enforcement: advise\r\n\r\nnope: 1\r\n") == [(3, "nope")]


def test_lines_are_counted_as_github_counts_them() -> None:
    """Characters that only some readers take for line ends move no line number."""
    assert places('agent:\n  command: "a\u2028b"\nnope: 1\n') == [(3, "nope")]


def test_an_alias_repeats_the_value_of_its_anchor() -> None:
    """Anchors and aliases are YAML and allowed."""
    config = accepted(
        "guardrails:\n  lanes:\n    'a/**': &terms [x, y]\n    'b/**': *terms\n"
    )
    assert config.guardrails.lanes["b/**"] == ("x", "y")


def test_all_problems_are_told_at_once_with_their_lines() -> None:
    """One look at the file names everything that is wrong with it."""
    text = (
        "enforcement: maybe\n"
        "agent:\n  model: gpt\n  use: command\n"
        "breaker:\n  recovery:\n    first: 2h\n"
        "fuse:\n  deadline: 600\n  tolens: 5\n  tools:\n    - read\n    - 7\n"
        "guardrails:\n  lanes:\n    a: [x, 1]\n    b: y\n    1: [z]\n"
    )
    assert places(text) == [
        (1, "enforcement"),
        (3, "agent.model"),
        (4, "agent.use"),
        (7, "breaker.recovery.first"),
        (9, "fuse.deadline"),
        (10, "fuse.tolens"),
        (13, "fuse.tools"),
        (16, "guardrails.lanes"),
        (17, "guardrails.lanes"),
        (18, "guardrails.lanes"),
    ]


def test_a_bad_item_of_a_union_is_told_once() -> None:
    """A list for `auto or a list` is judged as the list that it is."""
    assert only("fallback:\n  linters:\n    - ruff\n    - 1\n") == (
        "line 4: fallback.linters: expected `auto` or a list of texts, got the number "
        "1 inside it. Write such a value, or remove the key to get the default"
    )


def test_a_contradiction_is_not_told_about_a_value_that_was_refused() -> None:
    """Keys that could not be read contradict nobody."""
    text = "agent:\n  use: command\n  command: 5\n"
    assert places(text) == [(3, "agent.command")]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("fuse: {tolens: 5000}", "Did you mean `tokens`?"),
        ("deadline: 10m", "Did you mean `fuse.deadline`?"),
        ("fuse: {deadline: 600}", "Say the unit: `600s`, `600m` or `600h`"),
        ("guardrails: {protected: [*.py]}", 'starts with `*`: "*.py"'),
        ("a:\n\tb: 1", "Indent with spaces"),
        ("agent: {model: @x}", "a value that starts with `@`"),
        ("escalation:\n  label: a: b", "a value that contains `: `"),
        ("fuse: !!map {}", "Remove it: the type of each value is known"),
    ],
)
def test_a_problem_says_what_to_do(text: str, remedy: str) -> None:
    """The usual mistakes come with their usual cure."""
    assert remedy in only(text)


@pytest.mark.parametrize("text", ["5m", '"5m"', "'1h'", "86400s", "24h", "1440m"])
def test_a_duration_is_a_number_and_a_unit(text: str) -> None:
    """Durations up to a day are read, with and without quotes."""
    assert read(f"breaker: {{recovery: {{first: 1s, max: {text}}}}}").problems == ()


@pytest.mark.parametrize(
    "text",
    ["5", "5.0", "1:30", "0s", "-5m", "25h", "1d", "5 m", "5M", "1h30m", "05m", "[5m]"],
)
def test_what_is_no_duration_is_a_problem(text: str) -> None:
    """Nothing else is read as a duration."""
    assert places(f"fuse:\n  deadline: {text}\n") == [(2, "fuse.deadline")]


@pytest.mark.parametrize("text", ["", "~", "null"])
def test_a_key_without_a_value_is_a_problem(text: str) -> None:
    """Null is no number, no text and no list."""
    assert places(f"fuse:\n  tokens: {text}\n") == [(2, "fuse.tokens")]


def test_a_key_that_may_be_nothing_may_be_nothing() -> None:
    """The command has no default, and null says so."""
    assert accepted("agent: {command: null}").agent.command is None


def test_half_a_character_is_a_problem() -> None:
    """A text that no UTF-8 can hold is refused, as a value and as a key."""
    assert places('escalation: {label: "\\ud800"}') == [(1, "escalation.label")]
    text = 'guardrails:\n  lanes:\n    "\\ud800": [x]\n'
    assert places(text) == [(3, "guardrails.lanes")]


def test_a_long_value_is_shown_by_its_beginning() -> None:
    """A problem does not carry the file with it."""
    assert len(only(f"fuse: {{tokens: {'9' * 5000}}}")) < 250
    assert len(only("k" * 900 + ": 1")) < 250


def test_a_text_with_a_bad_byte_is_refused_like_the_byte() -> None:
    """A text that was decoded with surrogateescape tells of the byte."""
    bad = b"enforcement: enforce\n# \xe9\n"
    assert only(bad) == only(bad.decode("utf-8", "surrogateescape"))
    assert only(bad).startswith("line 2: the byte 0xe9 is not UTF-8")


def test_a_file_above_the_cap_is_not_looked_at() -> None:
    """The cap counts bytes."""
    assert read("#" + "é" * (MAX_BYTES // 2 - 1)).config is not None
    assert "more than 65,536" in only("#" + "é" * (MAX_BYTES // 2))


def _is_sound(parsed: Parsed) -> bool:
    for problem in parsed.problems:
        str(problem).encode("utf-8")
        assert problem.source == SOURCE
        assert problem.line >= 1
        assert problem.message
        assert problem.remedy
    return (parsed.config is None) == bool(parsed.problems)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_raise(raw: bytes) -> None:
    """Whatever the bytes: a configuration or problems."""
    assert _is_sound(read(raw))


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_raises(text: str) -> None:
    """Whatever the pieces of YAML: a configuration or problems."""
    assert _is_sound(read(text))


@settings(deadline=None, max_examples=100)
@given(
    at=st.integers(0, len(example()) - 1),
    length=st.integers(0, 12),
    piece=st.sampled_from(PIECES),
)
def test_no_slip_in_a_good_file_raises(at: int, length: int, piece: str) -> None:
    """Whatever somebody does to a good file: a configuration or problems."""
    text = example()
    assert _is_sound(read(text[:at] + piece + text[at + length :]))


def test_a_mapping_with_a_list_as_key_is_a_problem() -> None:
    """A key that is no text is named where it stands, at the top and inside."""
    assert places("? [a]\n: 1\n") == [(1, "")]
    assert places("guardrails:\n  lanes:\n    {a: b}: [x]\n") == [
        (3, "guardrails.lanes")
    ]


def test_a_number_that_means_two_things_is_a_problem_inside_a_list() -> None:
    """A term called 012 has to be quoted."""
    assert places("guardrails:\n  lanes:\n    a:\n      - 012\n") == [
        (4, "guardrails.lanes")
    ]
    config = accepted("guardrails: {lanes: {a: ['012']}}")
    assert config.guardrails.lanes == {"a": ("012",)}
