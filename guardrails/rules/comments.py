"""Read the comments in a line of code. Pure and linear.

A line is read once from left to right, strings are stepped over: what stands in a
string is no comment (B27). A quote that is never closed, as in prose and in YAML, is
no quote.

Limits: a string over several lines is not known from one line; for Python the whole
text is read instead, where it can be.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

from guardrails.rules.paths import name_of, suffix
from guardrails.rules.word_set import word_set

_SLASHES = word_set(
    ".js .ts .jsx .tsx .mjs .cjs .go .rs .java .kt .kts .c .h .cc .cpp .hpp .cs .swift"
    " .scala .groovy .gradle .dart .vue .svelte .scss .less .css .php .proto .sol .zig"
)
_DASHES = word_set(".sql .lua .hs .elm .adb .ads .vhd")
_ANGLES = word_set(".html .htm .xml .md .vue .svelte .svg .xhtml .erb .hbs")
_HASHES_TOO = word_set(".php .tf .hcl")
_QUOTES = "\"'`"


def comment_markers(path: str) -> tuple[str, ...]:
    """Return the marks that begin a comment in such a file."""
    kind = suffix(path)
    markers: list[str] = []
    if kind in _SLASHES or kind in (".tf", ".hcl"):
        markers += ["//", "/*"]
    if kind in _DASHES:
        markers += ["--", "/*"]
    if kind in _ANGLES:
        markers += ["<!--"]
    if not markers or kind in _HASHES_TOO:
        markers += ["#"]
    return tuple(markers)


def comments_in(line: str, markers: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield where a comment of ``line`` begins, and its text with the mark."""
    at = _first_mark(line, markers, skip_strings=True)
    if at is None and _has_open_quote(line):
        at = _first_mark(line, markers, skip_strings=False)
    if at is None and line.lstrip().startswith("*"):
        at = len(line) - len(line.lstrip())  # within a block comment
    if at is not None:
        yield at, line[at:]


def _first_mark(
    line: str, markers: tuple[str, ...], *, skip_strings: bool
) -> int | None:
    quote, at = "", 0
    while at < len(line):
        character = line[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif skip_strings and character in _QUOTES:
            quote = character
        elif line.startswith(markers, at) and line[at - 1 : at] != ":":
            return at  # "://" is of an address
        at += 1
    return None


def _has_open_quote(line: str) -> bool:
    return any(line.count(each) % 2 for each in _QUOTES)


def python_comments(text: str) -> dict[int, tuple[int, str]] | None:
    """Return the comments of a Python text by line, ``None`` when it is broken."""
    found: dict[int, tuple[int, str]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = (token.start[1], token.string)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        return None
    return found


def is_python(path: str) -> bool:
    """Tell whether ``path`` is of Python."""
    return suffix(path) in (".py", ".pyi", ".pyw") or name_of(path) == "sconstruct"
