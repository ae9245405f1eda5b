"""What is wrong in a configuration file, as a value. Pure.

A problem is shown to people and never raised: it names the line, the key, what
was expected and what to do. Words of the file inside it are untrusted; whoever
shows a problem quotes it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigProblem:
    """One thing that is wrong in a configuration file.

    Args:
        source: where the file was read, such as ``owner/repo@main:PATH``.
        line: counts from 1; 0 when the file as a whole could not be had.
        key: dotted, ``""`` when the problem belongs to no key.
        message: what is wrong.
        remedy: what to do about it.
    """

    source: str
    line: int
    key: str
    message: str
    remedy: str

    def __str__(self) -> str:
        """Return the problem as one sentence or two, without its source."""
        line = f"line {self.line}: " if self.line else ""
        key = f"{self.key}: " if self.key else ""
        return f"{line}{key}{self.message}. {self.remedy}"
