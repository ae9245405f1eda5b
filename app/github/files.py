"""The files of a pull request by the API, for when git cannot give the diff.

Second best, and it says so: GitHub leaves out the patch of large and binary files
(B01), ends the list after 3000 rows (B03), and may learn new words for what
happened to a file (B02). Each of these is named in ``gap``; nothing of it is ever
read as "no change".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, cast

from app.github.client import PAGE, GitHubClient
from app.github.limits import MOST_FILES

Status = Literal["added", "deleted", "modified", "renamed", "copied"]

# GitHub's words (left) and ours; "removed" is theirs, "deleted" would be git's.
STATUSES: dict[str, Status] = {
    "added": "added",
    "removed": "deleted",
    "modified": "modified",
    "renamed": "renamed",
    "copied": "copied",
    "changed": "modified",  # the mode or the type changed
    "unchanged": "modified",
}


class FileRow(TypedDict):
    """One changed file; ``gap`` says what of it cannot be seen, "" for nothing."""

    path: str
    previous_path: str
    status: Status
    additions: int
    deletions: int
    patch: str | None
    gap: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFiles:
    """The rows that GitHub gave, and how many files it counts."""

    rows: tuple[FileRow, ...]
    changed_files: int

    @property
    def gap(self) -> str:
        """Say what the list as a whole leaves out, "" for nothing."""
        unseen = self.changed_files - len(self.rows)
        if unseen <= 0:
            return ""
        return f"{unseen} of {self.changed_files} changed files are not listed"


def changed_files(client: GitHubClient, repository: str, number: int) -> ChangedFiles:
    """Return the files of a pull request; at most 3000 rows are asked for."""
    place = f"/repos/{repository}/pulls/{number}"
    found = client.pages(f"{place}/files", most_pages=MOST_FILES // PAGE)
    rows = tuple(_row(cast("dict[str, object]", each)) for each in found)
    counted = client.get(place).get("changed_files")
    return ChangedFiles(
        rows=rows, changed_files=counted if isinstance(counted, int) else len(rows) + 1
    )


def _row(raw: dict[str, object]) -> FileRow:
    word = str(raw.get("status", ""))
    patch = raw.get("patch")
    changes = _count(raw, "changes")
    gap = ""
    if word not in STATUSES:
        gap = f"GitHub calls this change {word!r}, which is not known here"
    elif not isinstance(patch, str) and changes > 0:
        gap = "GitHub gives no patch: the change is too large"
    elif not isinstance(patch, str) and word in ("added", "modified", "changed"):
        gap = "GitHub gives no patch: a binary file or an empty one"
    return FileRow(
        path=str(raw.get("filename", "")),
        previous_path=str(raw.get("previous_filename") or ""),
        status=STATUSES.get(word, "modified"),
        additions=_count(raw, "additions"),
        deletions=_count(raw, "deletions"),
        patch=patch if isinstance(patch, str) else None,
        gap=gap,
    )


def _count(raw: dict[str, object], key: str) -> int:
    value = raw.get(key)
    return value if isinstance(value, int) else 0
