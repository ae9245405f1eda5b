"""What a statement of SQL may destroy. Pure.

A DROP in the way back of a migration undoes that migration and is fine; so are
temporary tables. A DELETE may have its WHERE on a later line.
"""

from __future__ import annotations

import re

from guardrails.model import Severity
from guardrails.rules.command_patterns import Danger

# In code a statement stands at the start of a string or of a line; in the middle of a
# sentence the same words are prose.
_STATEMENT = (
    r"(?:(?<=[\"'`;(>])|^|(?:;|\bBEGIN|\bCASCADE|-c|-e|--command|--execute)[\s\"'=])"
    r"\s{0,40}"
)
_DROP = re.compile(
    _STATEMENT + r"DROP\s{1,8}(?:(TEMPORARY\s{1,8})?TABLE|DATABASE|SCHEMA)\s{1,8}"
    r"(?:IF\s{1,8}EXISTS\s{1,8})?[\"`\[]?[\w.{$%:]",
    re.IGNORECASE,
)
_TRUNCATE = re.compile(
    _STATEMENT + r"TRUNCATE\s{1,8}TABLE\s{1,8}[\"`\[]?[\w.{$%]"
    r"|(?:^|[;\"'`])\s{0,8}TRUNCATE\s{1,8}[\w\"`.]{1,80}\s{0,8}(?:;|[\"'`]|$|CASCADE\b)",
    re.IGNORECASE,
)
_DELETE = re.compile(
    _STATEMENT + r"DELETE\s{1,8}FROM\s{1,8}[\"`\[]?[\w.{$%][\w\"`\[\].{}$%()]{0,120}",
    re.IGNORECASE,
)
_DELETE_NEEDS = re.compile(r"\b(?:WHERE|USING|JOIN|LIMIT)\b", re.IGNORECASE)
_DELETE_REACH = 400
_DROP_CALL = re.compile(r"\bop\.drop_table\(|\bmigrations\.DeleteModel\(")
_WAY_BACK = re.compile(
    r"^\s{0,8}(?:async )?def (downgrade|upgrade|down|up|unapply|backwards)\b"
    r"|^\s{0,8}--\s{0,4}\+?(?:goose|migrate:|migrate|dbmate)\s{0,4}:?(up|down)\b"
    r"|^\s{0,8}(?:exports\.|export (?:async )?function )(down|up)\b",
    re.IGNORECASE,
)
_BACK = frozenset(("downgrade", "down", "unapply", "backwards"))
_BACK_FILE = re.compile(r"(?:^|[/._-])(?:down|rollback|revert|undo|teardown)\b", re.I)


def destroys_data(text: str, position: int, end: int) -> tuple[int, Danger] | None:
    """Return where the line ``position..end`` of ``text`` destroys data."""
    line = text[position:end]
    match = _TRUNCATE.search(line)
    if match is not None:
        return match.start(), _danger("This empties a table")
    match = _DELETE.search(line)
    if match is not None:
        reach = text[position + match.end() : position + match.end() + _DELETE_REACH]
        statement = re.split(r";", reach, maxsplit=1)[0]
        if not _DELETE_NEEDS.search(statement):
            return match.start(), _danger("This deletes all rows: it has no WHERE")
    return None


def drops(line: str) -> tuple[int, Danger] | None:
    """Return where ``line`` drops a table or a database."""
    match = _DROP.search(line)
    if match is not None and not match[1]:
        return match.start(), _danger("This drops a table, a schema or a database")
    match = _DROP_CALL.search(line)
    if match is not None:
        return match.start(), _danger("This migration drops a table")
    return None


def _danger(message: str) -> Danger:
    return Danger(message=message, severity=Severity.HIGH)


def way_back_lines(path: str, text: str | None) -> frozenset[int]:
    """Return the lines of a file that undo a migration; all of it by its name."""
    lines = (text or "").split("\n")
    if _BACK_FILE.search(path.rpartition("/")[2]):
        return frozenset(range(len(lines) + 1))
    inside, found = False, list[int]()
    for number, line in enumerate(lines, 1):
        match = _WAY_BACK.match(line)
        if match is not None:
            inside = (match[1] or match[2] or match[3]).lower() in _BACK
        if inside:
            found.append(number)
    return frozenset(found)
