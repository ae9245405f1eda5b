"""Tell a person at a terminal what the parser found. Pure: values in, lines out."""

from __future__ import annotations

from collections.abc import Iterator

from app.config.keys import KEYS
from app.config.model import RepositoryConfig
from app.config.parser import Parsed
from app.config.problem import ConfigProblem


def report(parsed: Parsed) -> list[str]:
    """Return the lines to print: the problems, or what the file changes.

    A line such as ``FILE:3: fuse.tokens: ...`` can be clicked in most editors.
    """
    if parsed.config is None:
        count = len(parsed.problems)
        lines = [_line(problem) for problem in parsed.problems]
        return [*lines, f"{count} problem{'s' if count != 1 else ''}"]
    changes = list(_changes(parsed.config))
    if not changes:
        return ["valid; all keys have their defaults"]
    return ["valid; these keys differ from the defaults:", *changes]


def _line(problem: ConfigProblem) -> str:
    at = f"{problem.source}:{problem.line}" if problem.line else problem.source
    key = f"{problem.key}: " if problem.key else ""
    # The words come from the file: no escape sequence may reach the terminal.
    words = f"{at}: {key}{problem.message}. {problem.remedy}"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in words)


def _changes(config: RepositoryConfig) -> Iterator[str]:
    given = config.model_dump(mode="json")
    usual = RepositoryConfig().model_dump(mode="json")
    for key in KEYS.values():
        if key.is_section:
            continue
        mine, default = given, usual
        for name in key.path:
            mine, default = mine[name], default[name]
        if mine != default:
            unit = " seconds" if key.is_duration else ""
            yield f"  {key.name}: {mine!r}{unit} instead of {default!r}{unit}"
