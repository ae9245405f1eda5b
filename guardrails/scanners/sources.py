"""Put untrusted texts on disk under names of our own, and find their lines again.

Guarantees: every file is new, in a fresh directory, under a number and a suffix
from a fixed table. No name of the PR reaches the file system, so there is no
traversal, no symlink (B08), no config file and no ignore file (B28). The
directory is gone afterwards.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from guardrails.engine import Source

LONGEST_EVIDENCE = 500
BEFORE_MATCH = 100

_LINE_BREAK = re.compile("\r\n|\r|\n")


def to_bytes(text: str) -> bytes:
    """Return the bytes that ``text`` was decoded from."""
    return text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A directory with numbered copies of some sources."""

    root: Path
    names: Mapping[str, Source]

    def source(self, reported: str) -> Source | None:
        """Return the source that a scanner means by ``reported``."""
        return self.names.get(Path(reported).name)


@contextmanager
def materialised(
    sources: Sequence[tuple[Source, str]],
) -> Iterator[Workspace]:
    """Write each (source, suffix) to a file of its own; remove all at the end."""
    with tempfile.TemporaryDirectory(prefix="recloser-scan-") as directory:
        root = Path(directory) / "sources"
        root.mkdir(mode=0o700)
        names = dict[str, Source]()
        for number, (source, suffix) in enumerate(sources):
            name = f"{number:06}{suffix}"
            with (root / name).open("xb") as file:  # x: never an existing file
                file.write(to_bytes(source.text))
            names[name] = source
        yield Workspace(root=root, names=names)


class LineMap:
    """Lines as a compiler counts them, in the words of git.

    A lone carriage return ends a line for Python and ruff, not for git. Without
    this map a finding would point at, and be told apart by, the wrong line.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_BREAK.finditer(text))]

    def at(self, line: int) -> tuple[int, str]:
        """Return the git line and its text for a compiler's ``line``."""
        start = self._starts[min(max(line, 1), len(self._starts)) - 1]
        return line_at(self._text, start)


def line_at(text: str, offset: int) -> tuple[int, str]:
    """Return the number and the text of the line around character ``offset``.

    Of a very long line (minified code) only the surroundings of ``offset``: a
    finding is published, and told apart by this text.
    """
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[begin:] if end < 0 else text[begin:end]
    if len(line) > LONGEST_EVIDENCE:
        first = max(0, offset - begin - BEFORE_MATCH)
        line = line[first : first + LONGEST_EVIDENCE]
    return text.count("\n", 0, begin) + 1, line.rstrip("\r")
