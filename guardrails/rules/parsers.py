"""Say whether a text of a known language can be read. Pure; nothing is run.

``None`` is yes; a Broken is no; an Unknown could not be told: syntax that is newer
than this Python, nesting that no parser survives.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from guardrails.rules.paths import name_of, suffix

MOST_DEPTH = 200  # of brackets; deeper ones may exhaust the stack of a parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A text that cannot be read, and where."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A text of which nobody here can say whether it can be read."""

    reason: str


Parsed = Broken | Unknown | None
Parser = Callable[[str], Parsed]

# Grammar of later versions: type statements, parameters in brackets, templates.
_NEWER = re.compile(
    r"\s*(?:type\s+\w+\s*[\[=]|(?:async\s+def|def|class)\s+\w+\s*\[|except\s+\w+\s*,)"
    r"|.*\b[tT][rR]?[\"']|.*\b[fF][rR]?[\"']"
)
_JSON_WITH_COMMENTS = re.compile(
    r"(?:tsconfig|jsconfig|devcontainer|launch|settings|tasks|extensions|\.eslintrc"
    r"|\.babelrc|\.swcrc|api-extractor|renovate|\.markdownlint).*\.json5?$|\.code-workspace$"
)
_TEMPLATE = ("{{", "{%", "<%", "${{ if")
_BRACKETS = re.compile(r"[\[\](){}]")


def parser_of(path: str) -> Parser | None:
    """Return what reads files such as ``path``, if anything does."""
    if _JSON_WITH_COMMENTS.search(name_of(path)):
        return None
    return {
        ".py": python,
        ".pyi": python,
        ".json": _json,
        ".ipynb": _json,
        ".toml": _toml,
        ".yaml": _yaml,
        ".yml": _yaml,
    }.get(suffix(path))


def parse(parser: Parser, text: str) -> Parsed:
    """Ask ``parser``; whatever goes wrong in it is Unknown, never an exception."""
    text = text.removeprefix("\ufeff")
    if _is_too_deep(text):
        return Unknown(reason="it is nested too deeply to be parsed")
    try:
        return parser(text)
    except (RecursionError, MemoryError):
        return Unknown(reason="it is nested too deeply to be parsed")


def _is_too_deep(text: str) -> bool:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth = depth + 1 if match[0] in "[({" else max(0, depth - 1)
        if depth > MOST_DEPTH:
            return True
    return False


def python(text: str) -> Parsed:
    """Parse Python as the running version knows it."""
    if "\0" in text:
        return Broken(line=text[: text.index("\0")].count("\n") + 1, reason="NUL byte")
    try:
        ast.parse(text, "<change>")
    except SyntaxError as error:
        reason = error.msg or "invalid syntax"
        if reason.startswith("invalid escape sequence"):
            return None  # a warning that somebody's filters made an error
        if reason.startswith("too many"):
            return Unknown(reason="it is nested too deeply to be parsed")
        if _may_be_newer(text, error.lineno or 0):
            return Unknown(reason="its syntax may be newer than the running Python")
        return Broken(line=max(1, error.lineno or 1), reason=reason)
    except ValueError as error:  # surrogates, digits without end
        return Broken(line=1, reason=str(error)[:80])
    return None


def _may_be_newer(text: str, number: int) -> bool:
    lines = text.split("\n")
    return (
        0 < number <= len(lines) and _NEWER.match(lines[number - 1][:500]) is not None
    )


def _json(text: str) -> Parsed:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return Broken(line=error.lineno, reason=error.msg)
    except ValueError:  # a number of too many digits: JSON all the same
        return None
    return None


def _toml(text: str) -> Parsed:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d{1,9})", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        return Broken(line=line, reason=str(error).partition(" (at")[0])
    except ValueError as error:
        return Broken(line=1, reason=str(error)[:80])
    return None


def _yaml(text: str) -> Parsed:
    """Parse YAML down to its events: tags and aliases are never followed."""
    if any(each in text for each in _TEMPLATE):
        return None  # a template makes YAML, it is none
    try:
        for _ in YAML(typ="safe").parse(text.encode("utf-8", "replace")):
            pass
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Broken(
            line=mark.line + 1 if mark is not None else 1,
            reason=str(error.problem or error.context or "invalid YAML"),
        )
    except YAMLError as error:
        return Broken(line=1, reason=str(error).partition("\n")[0])
    return None
