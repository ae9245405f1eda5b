"""binary: a program arrives that nobody can read, or a text becomes unreadable.

Threat: what is binary is looked at by no other rule and shown in no diff (B01).
MEDIUM for programs (by suffix, or any executable binary) and for a text that became
binary; archives and images are left alone.
Limits: judged by name and mode; the bytes are not at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, FileChange, Finding
from guardrails.model import Severity as Level
from guardrails.policy import Policy
from guardrails.rules.paths import suffix
from guardrails.rules.word_set import word_set

_PROGRAMS = word_set(
    ".exe .dll .so .dylib .jar .war .class .pyc .pyd .pyo .o .a .lib .node .wasm .com"
    " .scr .msi .deb .rpm .apk .bin .whl .egg .nupkg .ko .sys .elf .out .pkl .pickle"
)
_TEXTS = word_set(
    ".py .pyi .js .ts .jsx .tsx .mjs .cjs .go .rs .java .kt .c .h .cc .cpp .hpp .cs .rb"
    " .php .sh .bash .zsh .ps1 .bat .sql .md .rst .txt .json .yaml .yml .toml .ini .cfg"
    " .html .css .scss .xml .tf .swift .scala .pl .lua .r .vue .svelte"
)


class Binaries:
    """Finds programs, and texts that hide behind a NUL byte."""

    id = "binary"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each such file."""
        for change in change_set.files:
            message = _message(change)
            if message is not None:
                yield Finding(
                    rule=self.id,
                    severity=Level.MEDIUM,
                    category=Category.SECURITY,
                    path=change.path,
                    message=message,
                    remedy="Build it from source, or have a human vouch for it.",
                    cwe="CWE-506",
                )


def _message(change: FileChange) -> str | None:
    if not change.is_binary or change.kind is ChangeKind.REMOVED:
        return None
    if change.before is not None:
        return "This text became binary: its content can no longer be reviewed."
    if suffix(change.path) in _TEXTS:
        return "The name says that this is a text, but its content is binary."
    if change.new_mode == "100755":
        return "This is an executable binary file."
    if suffix(change.path) in _PROGRAMS:
        return "This is a compiled program or holds one."
    return None
