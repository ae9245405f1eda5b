"""What a line of a script may destroy: a table, and two checks that need code. Pure.

Every pattern begins with a literal word and repeats only bounded, so that a line of
any length costs its length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from guardrails.model import Severity
from guardrails.rules.word_set import word_set


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """One kind of destructive command: where it stands in a line, and how bad."""

    message: str
    severity: Severity
    cwe: str | None = None


_HIGH, _MEDIUM = Severity.HIGH, Severity.MEDIUM

PATTERNS: tuple[tuple[re.Pattern[str], Danger], ...] = tuple(
    (re.compile(pattern), Danger(message=message, severity=severity))
    for pattern, severity, message in (
        (
            r"\bgit\s{1,8}filter-(?:branch|repo)\b",
            _MEDIUM,
            "This rewrites the history",
        ),
        (
            r"\b(?:terraform|tofu|terragrunt)\b[^|;&\n]{0,120}\s(?:destroy\b|apply\b"
            r"[^|;&\n]{0,120}\s-destroy\b)",
            _HIGH,
            "This destroys the infrastructure",
        ),
        (
            r"\bpulumi\s{1,8}destroy\b|\bcdk\s{1,8}destroy\b",
            _HIGH,
            "This destroys the infrastructure",
        ),
        (
            r"\bkubectl\b[^|;&\n]{0,120}\sdelete\s{1,8}(?:ns|namespaces?|pvc?|crds?|"
            r"[^|;&\n]{0,120}--all\b)(?![\w-])",
            _HIGH,
            "This deletes a namespace, its volumes or all of a kind",
        ),
        (
            r"\baws\b[^|;&\n]{0,80}\ss3\s{1,8}(?:rb\b[^|;&\n]{0,200}--force|rm\b"
            r"[^|;&\n]{0,200}--recursive)|\bgsutil\b[^|;&\n]{0,60}\srm\s{1,8}-\w{0,4}r"
            r"|\bgsutil\b[^|;&\n]{0,60}\srb\b",
            _HIGH,
            "This empties or removes a bucket",
        ),
        (
            r"\baws\b[^|;&\n]{0,80}\s(?:delete-db-(?:instance|cluster)|terminate-instances"
            r"|delete-stack|delete-table)\b|\bgcloud\s[^|;&\n]{0,80}\bprojects\s{1,8}delete"
            r"|\baz\s{1,8}group\s{1,8}delete\b",
            _HIGH,
            "This deletes cloud resources",
        ),
        (
            r"\bmkfs(?:\.\w{1,10})?\s|\bdd\b[^|;&\n]{0,120}\sof=/dev/(?!null|zero|std)\w"
            r"|>\s{0,4}/dev/(?:sd|nvme|hd|vd|disk)\w|\bwipefs\s{1,8}[-/]|\bshred\s[^|;&\n]{0,80}/dev/",
            _HIGH,
            "This overwrites a disk",
        ),
        (r":\(\)\s{0,4}\{\s{0,4}:\s{0,4}\|\s{0,4}:", _HIGH, "This is a fork bomb"),
        (
            r"\bchmod\s{1,8}(?:-\w{1,4}\s{1,8}){1,3}0?777\s{1,8}[\"']?/[\"']?(?:\s|$)"
            r"|\bchown\s{1,8}-R\s{1,8}\S{1,60}\s{1,8}[\"']?/[\"']?(?:\s|$)",
            _HIGH,
            "This changes the rights of the whole system",
        ),
        (
            r"\bfind\s{1,8}(?:/|~|\$HOME)\s[^|;&\n]{0,160}-delete\b",
            _HIGH,
            "This deletes all over the system",
        ),
        (
            r"(?i:\bredis-cli\b[^|;&\n]{0,120}\sflush(?:all|db)\b)|\bdropdb\s"
            r"|\.dropDatabase\(\)",
            _HIGH,
            "This empties a database",
        ),
        (r"\.drop_all\(", _MEDIUM, "This empties a database"),
        (
            r"(?i:\bremove-item\b[^|;&\n]{0,160}-recurse\b[^|;&\n]{0,160}\s[\"']?"
            r"(?:[a-z]:\\?|\$env:\w{1,40}|/)[\"']?(?:\s|$))"
            r"|(?i:\b(?:rd|rmdir|del)\s{1,8}(?:/[sqf]\s{1,8}){1,3}[a-z]:\\?(?:\s|$))",
            _HIGH,
            "This deletes a whole drive",
        ),
        (
            r"(?:\bcrontab\s{1,8}-r\b|\bdocker\s{1,8}(?:system|volume)\s{1,8}prune\b"
            r"[^|;&\n]{0,80}\s(?:--volumes|-\w{0,3}a\w{0,3}f|--all))",
            _MEDIUM,
            "This removes things of others on the machine",
        ),
    )
)

_SHELL = re.compile(
    r"\|\s{0,8}(?:sudo\s{1,4}(?:-\w{1,4}\s{1,4}){0,3})?(?:env\s{1,4})?"
    r"(?:/(?:usr/)?bin/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]{0,5}|perl|node|ruby|php)\b"
    r"(?!\s{0,4}-c\b)"
)
_FETCH = re.compile(r"\b(?:curl|wget|fetch)\s")
_WRAPPED = re.compile(
    r"\b(?:ba|z|da)?sh\s{1,4}(?:-c\s{1,4})?[\"']?(?:<\(|\$\(|`)\s{0,4}(?:curl|wget)\b"
    r"|\b(?:eval|source|\.)\s{1,4}[\"']?(?:<\(|\$\(|`)\s{0,4}(?:curl|wget)\b"
    r"|(?i:\b(?:iex|invoke-expression)\b[^;\n]{0,40}\b(?:iwr|irm|invoke-webrequest|"
    r"downloadstring)\b)"
    r"|(?i:\b(?:iwr|irm|invoke-webrequest)\b[^;\n]{0,200}\|\s{0,4}iex\b)"
)
_FETCH_BEFORE = 400
_RUNS_DOWNLOAD = Danger(
    message="This runs what it downloads, unseen",
    severity=_MEDIUM,
    cwe="CWE-494",
)


def download_runs(line: str) -> tuple[int, Danger] | None:
    """Return where ``line`` feeds a download to an interpreter."""
    match = _WRAPPED.search(line)
    if match is not None:
        return match.start(), _RUNS_DOWNLOAD
    fetches = [each.start() for each in _FETCH.finditer(line)]
    for pipe in _SHELL.finditer(line) if fetches else ():
        before = bisect_left(fetches, pipe.start()) - 1
        if before >= 0 and pipe.start() - fetches[before] <= _FETCH_BEFORE:
            return fetches[before], _RUNS_DOWNLOAD
    return None


_PUSH = re.compile(
    r"\bgit\s{1,8}(?:-{1,2}\w\S{0,80}\s{1,8}(?:[^\s-]\S{0,80}\s{1,8})?){0,4}"
    r"push\b"
)
_FORCE = re.compile(
    r"--force|-[a-zA-Z]{0,4}f[a-zA-Z]{0,4}|--mirror|\+[\w/.-]{1,200}(?::.*)?"
)
_DELETE = re.compile(r"--delete|-d|:[\w/.-]{1,200}")
_PUSHES_BY_FORCE = Danger(
    message="This pushes by force and overwrites what others pushed", severity=_HIGH
)
_PUSHES_DELETION = Danger(
    message="This deletes a branch or tag on the server", severity=_MEDIUM
)


def pushes_by_force(line: str) -> tuple[int, Danger] | None:
    """Return where ``line`` overwrites or deletes what is on a server."""
    for at, words in _commands(line, _PUSH):
        if any(_FORCE.fullmatch(each) for each in words):
            return at, _PUSHES_BY_FORCE
        if any(_DELETE.fullmatch(each) for each in words):
            return at, _PUSHES_DELETION
    return None


_RM = re.compile(r"(?<![\w.-])(?<!``)rm[\"']?[\s,]{1,8}(?=[\"']?-)")
# A list of arguments reads like the words of a shell then.
_SEPARATORS = str.maketrans(",[]()", "     ", "\"'`")
_END = re.compile(r"[;&|\n]")
_EVERYTHING = word_set(
    "/ /* ~ ~/ ~/* $HOME ${HOME} $HOME/ $HOME/* ${HOME}/* .. ../ ../* /. /.."
    " %USERPROFILE% C:\\ C:/"
)
_HERE = word_set(". ./ * ./* .git ./.git $PWD .git/")
_SYSTEM = re.compile(
    r"/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|mnt|data|"
    r"Users|Library|System)/?\*?"
)
_UNSET = re.compile(r"\$(?:\w{1,60}|\{\w{1,60}\})/\*?")


def removes_everything(line: str) -> tuple[int, Danger] | None:
    """Return where ``line`` removes, recursively, what no build made."""
    for at, words in _commands(line, _RM):
        danger = _judge_rm(words)
        if danger is not None:
            return at, danger
    return None


def _commands(line: str, start: re.Pattern[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield each command of ``line`` that begins so, with the words after that.

    A second beginning within a command is one of its words: each character is read
    once.
    """
    at = 0
    while (match := start.search(line, at)) is not None:
        end = _END.search(line, match.end())
        at = end.start() if end else len(line)
        yield match.start(), line[match.end() : at].translate(_SEPARATORS).split()


def _judge_rm(words: list[str]) -> Danger | None:
    flags = [each for each in words if each.startswith("-")]
    short = "".join(each[1:] for each in flags if not each.startswith("--"))
    if "--no-preserve-root" in flags:
        return Danger(message="This removes the whole system", severity=_HIGH)
    if not ({"r", "R"} & set(short) or "--recursive" in flags):
        return None
    for target in (each for each in words if not each.startswith("-")):
        if target in _EVERYTHING or _SYSTEM.fullmatch(target):
            return Danger(
                message="This removes everything below a root or home folder",
                severity=_HIGH,
            )
        if target in _HERE:
            return Danger(
                message="This removes the working folder or its history",
                severity=_HIGH if ".git" in target else _MEDIUM,
            )
        if _UNSET.fullmatch(target):
            return Danger(
                message="This removes everything when the variable is not set",
                severity=_MEDIUM,
            )
    return None
