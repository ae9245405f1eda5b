"""Read the rows of GitHub's files API as a ChangeSet. Pure.

The API leaves ``patch`` out for large and for binary files (B01), cuts long
patches, has seven words for what happened (B02) and ends after 3000 rows (B03).
Whatever of that was hit is a Gap.

Limits: rows have no modes, so links and submodules cannot be told from files; a
renamed file without a patch has no content until a loader attaches it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from guardrails.hunks import MAX_LINES, Room, read_patch
from guardrails.model import ChangeKind, ChangeSet, FileChange, Gap, Hunk, LineKind
from guardrails.paths import decode

MAX_ROWS = 3000

_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
_WITHOUT_CONTENT = (ChangeKind.RENAMED, ChangeKind.COPIED, ChangeKind.UNCHANGED)

#: Names that may be binary without a question. Anything else that GitHub shows no
#: text of may be text that a ``.gitattributes`` of the change declares binary.
BINARY_SUFFIXES = frozenset(
    {
        ".7z",
        ".avif",
        ".bmp",
        ".bz2",
        ".eot",
        ".flac",
        ".gif",
        ".gz",
        ".heic",
        ".icns",
        ".ico",
        ".jpeg",
        ".jpg",
        ".mkv",
        ".mov",
        ".mp3",
        ".mp4",
        ".ogg",
        ".otf",
        ".pdf",
        ".png",
        ".tar",
        ".tif",
        ".tiff",
        ".ttf",
        ".wav",
        ".webm",
        ".webp",
        ".woff",
        ".woff2",
        ".xz",
        ".zip",
        ".zst",
        ".split",
    }
)


def from_rows(rows: Sequence[Mapping[str, object]], changed_files: int) -> ChangeSet:
    """Return the changes of a pull request as GitHub's files API tells them.

    Args:
        rows: all rows of all pages, as decoded from JSON.
        changed_files: how many files the pull request says that it changes.
    """
    files: list[FileChange] = []
    gaps: dict[Gap, None] = {}
    room = Room(MAX_LINES)
    for row in rows:
        path = _path(row.get("filename"))
        if path is None:
            gaps[Gap(reason="GitHub lists a file without a name")] = None
            continue
        change, wrong = _read_row(path, row, room)
        files.append(change)
        gaps.update(dict.fromkeys(Gap(reason=each, path=path) for each in wrong))
    if len(rows) >= MAX_ROWS or len(rows) < changed_files:
        reason = f"GitHub lists {len(rows)} of {changed_files} changed files"
        gaps[Gap(reason=reason)] = None
    return ChangeSet(files=tuple(files), gaps=tuple(gaps))


def _read_row(
    path: str, row: Mapping[str, object], room: Room
) -> tuple[FileChange, list[str]]:
    wrong: list[str] = []
    kind = _kind(row.get("status"), wrong)
    patch, previous = row.get("patch"), _path(row.get("previous_filename"))
    hunks: tuple[Hunk, ...] = ()
    is_binary = False
    if isinstance(patch, str) and patch:
        raw = patch.encode("utf-8", "surrogatepass")
        hunks, unread = read_patch(raw.split(b"\n"), room)
        wrong.extend(sorted(unread))
        if not unread and not _counts_agree(row, hunks):
            wrong.append("GitHub shows only a part of its patch")
    elif row.get("changes") != 0:
        wrong.append("GitHub shows no patch of it")
    elif kind not in _WITHOUT_CONTENT and row.get("sha") != _EMPTY_BLOB:
        is_binary = True
        if (
            kind is not ChangeKind.REMOVED
            and PurePosixPath(path).suffix.lower() not in BINARY_SUFFIXES
        ):
            wrong.append("GitHub shows no text of it and it may not be binary")
    change = FileChange(
        path=path,
        kind=kind,
        old_path=previous if previous != path else None,
        hunks=hunks,
        is_binary=is_binary,
    )
    return change, wrong


def _path(value: object) -> str | None:
    """Return a path that can be made bytes again: JSON may hold any surrogate."""
    if not isinstance(value, str) or not value:
        return None
    return decode(value.encode("utf-8", "surrogatepass"))


def _kind(status: object, wrong: list[str]) -> ChangeKind:
    try:
        return ChangeKind(str(status))
    except ValueError:
        wrong.append("GitHub gives it a status that is not known")
        return ChangeKind.MODIFIED


def _counts_agree(row: Mapping[str, object], hunks: Sequence[Hunk]) -> bool:
    kinds = [line.kind for hunk in hunks for line in hunk.lines]
    told = (row.get("additions"), row.get("deletions"))
    return told == (kinds.count(LineKind.ADDED), kinds.count(LineKind.REMOVED))
