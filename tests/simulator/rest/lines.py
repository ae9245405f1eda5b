"""Where a comment may stand: lines must lie in the real diff, as git makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.simulator import diff
from tests.simulator.bodies import pulls
from tests.simulator.state import Pull, Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in a diff that was found to be there."""

    path: str
    line: int | None
    side: str
    start_line: int | None
    start_side: str | None
    position: int | None
    diff_hunk: str


class Misplaced(Exception):
    """The place is not in the diff."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class Patches:
    """The diff of a pull request up to one commit."""

    def __init__(self, known: Repository, pull: Pull, commit_id: str) -> None:
        base = pulls.base_of(known, pull)
        files = diff.changed_files(known.git, base, commit_id)
        self._files = {each.path: each for each in files}

    def find(self, wanted: Mapping[str, Any]) -> Place:
        """Return where a comment stands.

        Raises:
            Misplaced: nowhere in this diff.
        """
        file = self._files.get(wanted["path"])
        if file is None:
            raise Misplaced("path", "Path could not be resolved")
        if wanted.get("subject_type") == "file":
            return Place(
                path=file.path, line=None, side="RIGHT", start_line=None,
                start_side=None, position=None, diff_hunk=file.patch or "",
            )  # fmt: skip
        if wanted.get("line") is None and wanted.get("position") is None:
            raise Misplaced("line", "Line could not be resolved")
        if file.patch is None:
            raise Misplaced("line", "Line could not be resolved")
        lines = list(diff.commentable(file.patch))
        side = wanted.get("side") or "RIGHT"
        if wanted.get("line") is None:
            end = _one(x for x in lines if x.position == wanted["position"])
            side = "RIGHT" if end.new is not None else "LEFT"
        else:
            end = _one(x for x in lines if x.number(side) == wanted["line"])
        start_line, start_side = wanted.get("start_line"), wanted.get("start_side")
        if start_line is not None:
            start_side = start_side or side
            start = _one(x for x in lines if x.number(start_side) == start_line)
            if start.position > end.position or (
                start_side == side and start_line >= (end.number(side) or 0)
            ):
                message = "start_line must precede the end line."
                raise Misplaced("start_line", message)
            if start.hunk != end.hunk:
                message = "start_line must be part of the same hunk as the line."
                raise Misplaced("start_line", message)
        return Place(
            path=file.path,
            line=end.number(side),
            side=side,
            start_line=start_line,
            start_side=start_side if start_line is not None else None,
            position=end.position,
            diff_hunk=diff.hunk_text(file.patch, end.position),
        )


def _one(found: Any) -> diff.DiffLine:
    line: diff.DiffLine | None = next(iter(found), None)
    if line is None:
        raise Misplaced("line", "Line could not be resolved")
    return line
