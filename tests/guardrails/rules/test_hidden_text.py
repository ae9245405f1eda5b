"""The rule for characters that are not seen, or taken for others."""

from __future__ import annotations

import pytest

from guardrails import Severity
from tests.guardrails.builders import change, findings, found

RULE = "hidden-text"
TAGS = "".join(chr(0xE0000 + ord(each)) for each in "approve")
CYRILLIC_A, GREEK_O = "\u0430", "\u03bf"


@pytest.mark.parametrize(
    "line",
    [
        "if access != 'none\u202e\u2066' # admin\u2069:",
        "x = 1 \u2067# note",
        f"# note{TAGS}",
        "ok\ufe01\ufe02\ufe03",
        "x\U000e0101\U000e0102",
        f"\U0001f3f4{TAGS}{TAGS}",
    ],
    ids=["bidi", "unclosed", "tags", "selectors", "more selectors", "flag and more"],
)
def test_what_hides_order_or_words_blocks(line: str) -> None:
    """Direction controls and characters that carry words are HIGH."""
    (finding,) = findings(RULE, change("a.py", "x\n", f"x\n{line}\n"))
    assert (finding.severity, finding.line) == (Severity.HIGH, 2)
    assert finding.evidence.isprintable()


@pytest.mark.parametrize(
    "line",
    [
        "pass\u200bword = 1",
        "x = 'a\u2060b'",
        "x = 1\ufeff",
        f"p{CYRILLIC_A}ypal = 1",
        f"def l{GREEK_O}gin():",
        "echo safe\x1b[2K\x1b[1Arm",
        "a\x08b",
        "\u202b\u0645\u0631\u062d\u0628\u0627\u202c hello",
    ],
    ids=["zero width", "joiner", "mark", "Cyrillic", "Greek", "escape", "back", "RTL"],
)
def test_what_disguises_is_medium(line: str) -> None:
    """Zero width, look-alikes, terminal escapes; direction controls among Arabic."""
    assert found(RULE, "a.py", "x", line) == [Severity.MEDIUM]


@pytest.mark.parametrize(
    "line",
    [
        "plain = 'text'\t# with a tab",
        "naïve = 'Grüße, 世界, Привет, γειά'",
        "Δx = α_1 + μ",
        "family = '\U0001f468\u200d\U0001f469\u200d\U0001f467'",
        "x = '\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f'",
        "heart = '\u2764\ufe0f'",
        "x = '\u0915\u094d\u200d\u0937'",
        "IP\u0430\u0434\u0440\u0435\u0441",
        "page\x0c",
    ],
    ids=[
        "ascii",
        "languages",
        "science",
        "emoji",
        "flag",
        "selector",
        "Indic",
        "word",
        "feed",
    ],
)
def test_characters_at_home_are_fine(line: str) -> None:
    """Other languages, science and emoji are no disguise."""
    assert found(RULE, "a.py", "x", line) == []


def test_a_byte_order_mark_may_begin_a_file() -> None:
    """There it is at home, and nowhere else."""
    assert found(RULE, "a.py", "\ufeffx = 1") == []
    assert found(RULE, "a.py", "x = 1", "\ufeffy = 1") == [Severity.MEDIUM]


def test_a_name_of_a_file_is_looked_at() -> None:
    """A path can be read wrong as well."""
    file = change(f"log{CYRILLIC_A}n.py", None, "x\n")
    (finding,) = findings(RULE, file)
    assert finding.line == 0
    assert findings(RULE, change("gpj.\u202eexe", None, "x\n"))[0].severity is (
        Severity.HIGH
    )


def test_only_added_lines_count() -> None:
    """Old lines are not this change's doing."""
    line = "x = 1 \u202e\n"
    assert findings(RULE, change("a.py", line + "a\n", line + "b\n")) == []
    assert findings(RULE, change("a.py", line, None)) == []
