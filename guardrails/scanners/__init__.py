"""Scanners: tools of others that look at texts, each in a sandboxed process.

``default_scanners`` is the whole list. Nothing is found by itself: a scanner
that is not in this tuple does not run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from guardrails.engine import Scanner
from guardrails.errors import ScannerError
from guardrails.scanners.bandit import BanditScanner
from guardrails.scanners.process import sandbox
from guardrails.scanners.ruff import RuffScanner
from guardrails.scanners.semgrep import SemgrepScanner


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One line of what the scanners can do on this machine."""

    name: str
    is_ready: bool
    words: str


@cache
def _scanners() -> tuple[SemgrepScanner, BanditScanner, RuffScanner]:
    return (SemgrepScanner(), BanditScanner(), RuffScanner())


def default_scanners() -> tuple[Scanner, ...]:
    """Return all scanners; the same ones each time, with their caches warm."""
    return _scanners()


def describe() -> tuple[Capability, ...]:
    """Say what works on this machine: the sandbox first, then each scanner."""
    fence = sandbox()
    lines = [
        Capability(name="sandbox", is_ready=fence.cuts_network, words=fence.describe())
    ]
    for scanner in _scanners():
        try:
            words, is_ready = scanner.describe(), True
        except ScannerError as error:
            words, is_ready = str(error), False
        lines.append(Capability(name=scanner.name, is_ready=is_ready, words=words))
    return tuple(lines)


__all__ = [
    "BanditScanner",
    "Capability",
    "RuffScanner",
    "SemgrepScanner",
    "default_scanners",
    "describe",
]
