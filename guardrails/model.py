"""The values guardrails speak in: a ChangeSet goes in, a Verdict comes out.

Pure: no I/O, no clock. Every value is frozen. Text is decoded as UTF-8 with
``surrogateescape``, so that any bytes survive; lines are cut at ``\\n`` only,
because ``str.splitlines`` also cuts at nine other characters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

SYMLINK_MODE = "120000"
SUBMODULE_MODE = "160000"


class Severity(IntEnum):
    """How bad a finding is; ordered, so that ``>=`` reads as "at least"."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4

    @property
    def label(self) -> str:
        """Return the lower-case name that people read and configure."""
        return self.name.lower()


class Confidence(IntEnum):
    """How sure a rule is of a finding; it never blocks by itself."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Category(StrEnum):
    """What kind of harm a finding means."""

    SECURITY = "security"
    SECRET = "secret"  # noqa: S105 - the name of a category
    DESTRUCTIVE = "destructive"
    PROTECTED = "protected"
    DECEPTION = "deception"  # hidden text, instructions to agents, disguises
    SUPPRESSION = "suppression"
    CORRECTNESS = "correctness"
    STYLE = "style"


class ChangeKind(StrEnum):
    """What happened to one file; the words of GitHub's files API."""

    ADDED = "added"
    REMOVED = "removed"
    MODIFIED = "modified"
    RENAMED = "renamed"
    COPIED = "copied"
    CHANGED = "changed"  # type or mode only
    UNCHANGED = "unchanged"


class LineKind(StrEnum):
    """The first character of a line inside a hunk."""

    CONTEXT = " "
    ADDED = "+"
    REMOVED = "-"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a hunk; numbers count from 1, ``None`` where it does not exist."""

    kind: LineKind
    text: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One ``@@`` section of a diff."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[Line, ...]
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One changed file, with its whole text on both sides where it is known.

    ``before`` and ``after`` are ``None`` when that side does not exist or was
    not loaded; the loader records a Gap for the second case.
    """

    path: str
    kind: ChangeKind
    old_path: str | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    hunks: tuple[Hunk, ...] = ()
    is_binary: bool = False
    before: str | None = None
    after: str | None = None

    @property
    def is_symlink(self) -> bool:
        """Tell whether the head side is a symbolic link."""
        return self.new_mode == SYMLINK_MODE

    @property
    def is_submodule(self) -> bool:
        """Tell whether either side is a submodule pointer."""
        return SUBMODULE_MODE in (self.old_mode, self.new_mode)

    def added_lines(self) -> Iterator[Line]:
        """Yield the added lines; a rename without a hunk yields its whole text.

        B04: content that arrives under a new name counts as added, or a
        renamed file would pass unseen.
        """
        arrives = self.kind in (ChangeKind.RENAMED, ChangeKind.COPIED, ChangeKind.ADDED)
        if not self.hunks and arrives and self.after is not None:
            for number, text in enumerate(text_lines(self.after), 1):
                yield Line(LineKind.ADDED, text, None, number)
            return
        for hunk in self.hunks:
            for line in hunk.lines:
                if line.kind is LineKind.ADDED:
                    yield line

    def removed_lines(self) -> Iterator[Line]:
        """Yield the removed lines."""
        for hunk in self.hunks:
            for line in hunk.lines:
                if line.kind is LineKind.REMOVED:
                    yield line

    def right_lines(self) -> frozenset[int]:
        """Return the head-side line numbers that a hunk shows (commentable)."""
        return frozenset(
            line.new for hunk in self.hunks for line in hunk.lines if line.new
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that could not be looked at; it makes a Verdict incomplete."""

    reason: str
    path: str | None = None
    source: str = "change"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """A parsed diff: its files, and what of it could not be read."""

    files: tuple[FileChange, ...] = ()
    gaps: tuple[Gap, ...] = ()

    def file(self, path: str) -> FileChange | None:
        """Return the change of ``path`` on the head side, if there is one."""
        return next((each for each in self.files if each.path == path), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong in a ChangeSet.

    ``line`` counts from 1 on the head side, 0 where no line fits (a mode
    change, a removed file). ``evidence`` is the line that shows it, already
    free of secret values: a Finding may be logged and published as it is.
    """

    rule: str
    severity: Severity
    category: Category
    path: str
    message: str
    line: int = 0
    end_line: int | None = None
    confidence: Confidence = Confidence.HIGH
    evidence: str = ""
    remedy: str = ""
    cwe: str | None = None
    origin: str = "recloser"  # or the scanner that found it

    @property
    def fingerprint(self) -> str:
        """Return an id that survives moved lines, for comments and SARIF."""
        parts = (self.rule, self.path, " ".join(self.evidence.split()), self.message)
        raw = "\0".join(parts).encode("utf-8", "surrogatepass")
        return hashlib.sha256(raw).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Findings and gaps of one ChangeSet. A gap makes it incomplete: never green."""

    findings: tuple[Finding, ...] = ()
    gaps: tuple[Gap, ...] = ()
    looked_at: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_complete(self) -> bool:
        """Tell whether everything was looked at."""
        return not self.gaps

    def blocking(self, threshold: Severity) -> tuple[Finding, ...]:
        """Return the findings at or above ``threshold``, worst first."""
        severe = [each for each in self.findings if each.severity >= threshold]
        return tuple(sorted(severe, key=lambda each: -each.severity))


def text_lines(text: str) -> list[str]:
    """Split ``text`` at ``\\n`` only, without a last empty line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines
