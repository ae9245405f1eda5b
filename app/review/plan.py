"""Fix what a review will do before a token is spent (the structure latch). Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

from app.breaker import Admission
from app.review.model import Mode, Plan
from guardrails import ChangeKind, ChangeSet, FileChange

#: Parts of paths whose faults cost most; a probe never starts with them.
SENSITIVE = ("auth", "security", "crypto", "payment", "secret", "migration", "deploy")
SENSITIVE_COST = 1_000  # in changed lines
PROBE_LINES = 200  # a probe gets about one chunk
#: Kinds of binaries that are judged by name and kind alone: they run nothing.
MEDIA = frozenset(
    (
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".bmp", ".woff", ".woff2"),
        *(".ttf", ".otf", ".mp3", ".mp4", ".webm", ".ogg", ".wav"),
    )
)


def make_plan(
    change_set: ChangeSet,
    *,
    admission: Admission,
    reason: str = "",
    can_run: bool = True,
) -> Plan:
    """Return the plan of one review.

    Args:
        change_set: what changed.
        admission: what the circuit allows.
        reason: why the circuit denies, for people.
        can_run: whether there is an agent at all (a key, a command).
    """
    paths = tuple(each.path for each in change_set.files if is_reviewable(each))
    opaque = tuple(each.path for each in change_set.files if is_opaque(each))
    if admission is Admission.DENIED or not can_run:
        return Plan(mode=Mode.FALLBACK, reason=reason, left_out=(*paths, *opaque))
    if admission is Admission.FULL:
        return Plan(mode=Mode.AGENT, reason=reason, scope=paths, left_out=opaque)
    scope = _probe_scope(change_set)
    rest = tuple(path for path in paths if path not in scope)
    return Plan(mode=Mode.PROBE, reason=reason, scope=scope, left_out=(*rest, *opaque))


def is_reviewable(change: FileChange) -> bool:
    """Tell whether an agent can say anything about this file.

    A removed file is reviewed like any other: what it did is gone now.
    """
    return not (
        change.is_binary
        or change.is_symlink
        or change.is_submodule
        or change.kind is ChangeKind.UNCHANGED
    )


def is_opaque(change: FileChange) -> bool:
    """Tell whether nobody here can look into this file.

    Links and submodules are judged by rules, media by name and kind; what is left
    (archives, programs, data) counts as not reviewed.
    """
    if not change.is_binary or change.kind is ChangeKind.REMOVED:
        return False
    return PurePosixPath(change.path).suffix.lower() not in MEDIA


def risk(change: FileChange) -> int:
    """Return what a fault here may cost, in changed lines."""
    changed = sum(1 for _ in change.added_lines())
    changed += sum(1 for _ in change.removed_lines())
    path = change.path.lower()
    is_sensitive = any(word in path for word in SENSITIVE)
    return changed + (SENSITIVE_COST if is_sensitive else 0)


def _probe_scope(change_set: ChangeSet) -> tuple[str, ...]:
    """Return the files of least risk, at least one, up to about one chunk."""
    files = sorted(
        (each for each in change_set.files if is_reviewable(each)),
        key=lambda each: (risk(each), each.path),
    )
    scope, lines = list[str](), 0
    for each in files:
        lines += risk(each)
        if scope and lines > PROBE_LINES:
            break
        scope.append(each.path)
    return tuple(scope)
