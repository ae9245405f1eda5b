"""The tools of an agent: read a file, search, list files, propose a change.

They read the head of the change through ``ReadTree`` and reach nothing else: a path
is normalised and must be one that the tree lists. Everything that they return is
bounded, and says so where it was cut; a search is for literal text. What goes wrong
is a ToolProblem with a sentence for the agent, never a traceback.

``propose_change`` changes nothing: it makes a Proposal, which the gate judges.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from app.agents.base import ReadTree
from app.breaker.actions import Proposal
from app.errors import RecloserError
from app.messages import printable
from guardrails.model import Severity, text_lines
from guardrails.rules.globs import matches

READING_TOOLS = ("read_file", "search", "list_files")
PROPOSING_TOOL = "propose_change"
TOOLS = (*READING_TOOLS, PROPOSING_TOOL)

MOST_LINES = 400  # of one answer of read_file
MOST_LINE = 500  # characters of one line that is shown
MOST_CHARACTERS = 24_000  # of one answer
MOST_HITS = 50
MOST_SEARCHED = 1_000  # files of one search
MOST_LISTED = 300
MOST_NEEDLE = 300  # characters of a text to search for
MOST_PATTERN = 300
MOST_REPLACEMENT = 20_000
MOST_REASON = 2_000

SEVERITIES = tuple(each.label for each in Severity)


class ToolProblem(Exception):
    """Why a tool could not do what was asked; a sentence for the agent."""


class TreeTools:
    """The tools over the head of one change.

    Args:
        tree: the head, to read.
        first: paths that a search looks at first, such as the changed ones.
    """

    def __init__(self, tree: ReadTree, first: Sequence[str] = ()) -> None:
        self._tree = tree
        self._first = tuple(first)

    def run(self, tool: str, arguments: Mapping[str, object]) -> str:
        """Run a reading tool by name."""
        given = dict(arguments)
        match tool:
            case "read_file":
                result = self.read_file(
                    _text(given, "path"),
                    _number(given, "start", 1),
                    _number(given, "end", 0),
                )
            case "search":
                result = self.search(_text(given, "text"))
            case "list_files":
                result = self.list_files(_text(given, "glob", "**"))
            case _:
                raise ToolProblem(f"there is no tool {printable(tool)[:60]!r}")
        if given:
            names = ", ".join(sorted(printable(each)[:40] for each in given))
            raise ToolProblem(f"{tool} has no argument {names}")
        return result

    def read_file(self, path: str, start: int = 1, end: int = 0) -> str:
        """Return the lines ``start..end`` of a file with their numbers.

        ``end = 0`` reads on to the end, as far as the bound allows.
        """
        name = inside(path)
        lines = text_lines(self._read(name))
        if start < 1 or (end and end < start):
            raise ToolProblem(f"lines {start} to {end} are no range")
        if start > max(len(lines), 1):
            raise ToolProblem(f"{name} has only {len(lines)} lines")
        wanted = min(end or len(lines), len(lines), start + MOST_LINES - 1)
        shown, size, last = list[str](), 0, start - 1
        for number in range(start, wanted + 1):
            line = f"{number:6} {_cut(lines[number - 1])}"
            size += len(line) + 1
            if size > MOST_CHARACTERS:
                break
            shown.append(line)
            last = number
        head = f"{name}, lines {start} to {last} of {len(lines)}"
        if last < (min(end, len(lines)) if end else len(lines)):
            head += f" (cut here; read on with start={last + 1})"
        return "\n".join([head, *shown])

    def search(self, text: str) -> str:
        """Return the lines that contain ``text``, taken literally."""
        if not text.strip() or len(text) > MOST_NEEDLE or "\n" in text:
            raise ToolProblem(
                f"search for one line of 1 to {MOST_NEEDLE} characters that are "
                "not all blank"
            )
        paths = self._in_order()
        hits, size, unread = list[str](), 0, 0
        for path in paths[:MOST_SEARCHED]:
            try:
                content = self._read(path)
            except ToolProblem:
                unread += 1
                continue
            if text not in content:
                continue
            for number, line in enumerate(text_lines(content), 1):
                if text not in line:
                    continue
                hit = f"{printable(path)}:{number}: {_cut(line)}"
                size += len(hit) + 1
                if len(hits) >= MOST_HITS or size > MOST_CHARACTERS:
                    return "\n".join([*hits, "(more hits were left out)"])
                hits.append(hit)
        notes = list[str]()
        if len(paths) > MOST_SEARCHED:
            notes.append(f"(only {MOST_SEARCHED} of {len(paths)} files were searched)")
        if unread:
            notes.append(f"({unread} binary or large files were not searched)")
        return "\n".join([*(hits or ["no hits"]), *notes])

    def list_files(self, glob: str = "**") -> str:
        """Return the paths that match ``glob``."""
        if not glob or len(glob) > MOST_PATTERN or "\0" in glob:
            raise ToolProblem(f"a glob has 1 to {MOST_PATTERN} characters")
        found = [each for each in self._paths() if matches(glob, each)]
        if not found:
            return "no files"
        listed = [printable(each) for each in found[:MOST_LISTED]]
        if len(found) > MOST_LISTED:
            listed.append(f"({len(found) - MOST_LISTED} more were left out)")
        return "\n".join(listed)

    def _in_order(self) -> list[str]:
        paths = self._paths()
        known = frozenset(paths)
        first = [each for each in self._first if each in known]
        sooner = frozenset(first)
        return [*first, *(each for each in paths if each not in sooner)]

    def _paths(self) -> Sequence[str]:
        try:
            return self._tree.paths()
        except RecloserError as error:
            raise ToolProblem(f"the files cannot be listed: {error}") from error

    def _read(self, path: str) -> str:
        try:
            text = self._tree.read(path)
        except RecloserError as error:
            raise ToolProblem(f"{printable(path)} cannot be read: {error}") from error
        if text is None:
            raise ToolProblem(f"there is no text file {printable(path)[:200]!r}")
        return text


def inside(path: str) -> str:
    """Return ``path`` normalised, or say why it is none of the tree."""
    if not path.strip() or "\0" in path or len(path) > 4_096:
        raise ToolProblem("a path is needed")
    if path.startswith(("/", "~")) or "\\" in path:
        raise ToolProblem(
            f"{printable(path)[:200]!r} is not a path of the repository: paths are "
            "relative, with slashes"
        )
    name = posixpath.normpath(path)
    if name == "." or name == ".." or name.startswith("../"):
        raise ToolProblem(f"{printable(path)[:200]!r} is outside the repository")
    return name


def proposal_of(arguments: Mapping[str, object]) -> Proposal:
    """Return the Proposal that the arguments of ``propose_change`` describe."""
    given = dict(arguments)
    replacement = _text(given, "replacement")
    if len(replacement) > MOST_REPLACEMENT:
        raise ToolProblem(
            f"a replacement has at most {MOST_REPLACEMENT} characters: propose "
            "smaller changes"
        )
    severity = _text(given, "severity", "medium")
    if severity not in SEVERITIES:
        raise ToolProblem(f"severity is one of {', '.join(SEVERITIES)}")
    expected = given.pop("expected", None)
    if expected is not None and not isinstance(expected, str):
        raise ToolProblem("expected must be a text")
    made = Proposal(
        path=inside(_text(given, "path")),
        start_line=_number(given, "start_line"),
        end_line=_number(given, "end_line"),
        replacement=replacement,
        reason=_text(given, "reason")[:MOST_REASON],
        expected=expected,
        severity=severity,
        confidence=_share(given, "confidence", 1.0),
    )
    if given:
        names = ", ".join(sorted(printable(each)[:40] for each in given))
        raise ToolProblem(f"{PROPOSING_TOOL} has no argument {names}")
    return made


def _cut(line: str) -> str:
    line = printable(line)
    return line if len(line) <= MOST_LINE else line[: MOST_LINE - 1] + "…"


def _text(given: dict[str, object], name: str, default: str | None = None) -> str:
    value = given.pop(name, default)
    if not isinstance(value, str):
        raise ToolProblem(f"{name} must be a text")
    return value


def _number(given: dict[str, object], name: str, default: int | None = None) -> int:
    value = given.pop(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ToolProblem(f"{name} must be a whole number")
    return value


def _share(given: dict[str, object], name: str, default: float) -> float:
    value = given.pop(name, default)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        share = float(value)
        if 0 <= share <= 1:
            return share
    raise ToolProblem(f"{name} must be a number from 0 to 1")
