"""What is written stays below GitHub's limits and stays readable."""

from __future__ import annotations

import json
import random
import re

import pytest

from app.github.limits import (
    CUT,
    MOST_TEXT,
    cut_characters,
    cut_line,
    cut_markdown,
    sendable,
    size,
)


@pytest.mark.parametrize("length", [0, 1, MOST_TEXT - 1, MOST_TEXT])
def test_a_text_that_fits_is_not_touched(length: int) -> None:
    """Up to the limit nothing is cut."""
    assert cut_markdown("a" * length) == "a" * length


@pytest.mark.parametrize("char", ["a", "é", "€", "🚨", "👩‍👩‍👧"])
def test_a_long_text_fits_however_it_is_counted(char: str) -> None:
    """Bytes, UTF-16 units and characters are all within the limit (B22)."""
    text = cut_markdown(char * 80_000)
    assert len(text.encode("utf-8")) <= MOST_TEXT
    assert len(text.encode("utf-16-le")) // 2 <= MOST_TEXT
    assert len(text) <= MOST_TEXT
    assert text.endswith(CUT)
    assert len(text.encode("utf-8")) > MOST_TEXT * 0.7


def test_the_tail_is_never_cut() -> None:
    """The hidden marker at the end survives any length of the text before."""
    tail = "\n<!-- marker -->"
    text = cut_markdown("x" * 100_000, tail=tail)
    assert text.endswith(CUT + tail)
    assert size(text) <= MOST_TEXT


@pytest.mark.parametrize("fence", ["```", "````", "~~~", "  ```"])
def test_an_open_fence_is_closed(fence: str) -> None:
    """A cut inside a fence closes it, so that the rest is no code (B22)."""
    text = cut_markdown(f"before\n{fence}python\n" + "x = 1\n" * 20_000)
    body = text.removesuffix(CUT)
    assert body.splitlines()[-1] == fence.strip()
    assert size(text) <= MOST_TEXT


def test_a_closed_fence_is_not_closed_again() -> None:
    """A fence that the text closed itself gets no second end."""
    text = cut_markdown("```\ncode\n```\n" + "word " * 20_000)
    assert text.count("```") == 2


def test_a_fence_inside_a_longer_fence_is_text() -> None:
    """Only the fence that is really open is closed."""
    text = cut_markdown("`````\n```\n" + "x\n" * 50_000)
    assert text.removesuffix(CUT).endswith("\n`````")
    assert "</details>" not in text


def test_open_details_are_closed() -> None:
    """What is folded at the cut does not fold the rest away."""
    start = "<details><summary>a</summary>\n\n<details>\n\n"
    text = cut_markdown(start + "x\n" * 50_000)
    assert text.count("</details>") == 2
    assert text.endswith(CUT)


def test_details_inside_a_fence_are_text() -> None:
    """A tag in code opens nothing."""
    text = cut_markdown("```\n<details>\n" + "x\n" * 50_000)
    assert "</details>" not in text


def test_random_markdown_is_cut_within_the_limit() -> None:
    """Whatever the pieces are, the result fits and its fences are even."""
    random.seed(7)
    pieces = ["```\n", "~~~~\n", "words\n", "🚨🚨\n", "<details>\n", "</details>\n",
              "x" * 300, "\n"]  # fmt: skip
    for most in (200, 333, 1000):
        for _ in range(300):
            text = "".join(random.choice(pieces) for _ in range(200))
            cut = cut_markdown(text, most, tail="\nend")
            assert size(cut) <= most
            assert cut.endswith("\nend")
            json.dumps(cut).encode("ascii")
            cut.encode("utf-8")


def test_a_title_is_cut_with_an_ellipsis() -> None:
    """One line is cut within its bytes and shows that it was."""
    assert cut_line("short", 20) == "short"
    assert cut_line("x" * 30, 20) == "x" * 17 + "…"
    assert size(cut_line("🚨" * 30, 20)) <= 20


def test_a_description_is_counted_in_characters() -> None:
    """101 characters become 100, whatever their bytes are (B24)."""
    assert cut_characters("é" * 100, 100) == "é" * 100
    assert cut_characters("é" * 101, 100) == "é" * 99 + "…"


def test_what_cannot_be_sent_is_replaced() -> None:
    """A byte that was no UTF-8, and NUL, never reach the wire."""
    dirty = b"caf\xe9\0".decode("utf-8", "surrogateescape")
    assert sendable(dirty) == "caf\ufffd\ufffd"
    assert re.fullmatch("caf\ufffd+", cut_markdown(dirty))
