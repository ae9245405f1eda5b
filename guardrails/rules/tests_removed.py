"""tests-removed: a test is deleted, skipped or emptied of its assertions.

Threat: an agent makes a check green by taking the check away. MEDIUM: tests are
also removed for good reasons, so a human decides.
Guarantees: a test that moved to another file or was renamed within its file with
as many others is not reported as deleted twice; each file gives one finding a kind.
Limits: known by names and words of the usual frameworks, not by running anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from guardrails.model import (
    Category,
    ChangeKind,
    ChangeSet,
    FileChange,
    Finding,
    Line,
    Severity,
)
from guardrails.policy import Policy
from guardrails.rules.evidence import shown
from guardrails.rules.paths import is_fixture, is_test, suffix
from guardrails.rules.word_set import word_set
from guardrails.rules.words import merged, removed_text_lines

_CODE = word_set(
    ".py .js .ts .jsx .tsx .mjs .go .rs .java .kt .rb .cs .php .swift .scala .c .cc"
    " .cpp .sh .ex .exs"
)
_TEST = re.compile(
    r"\s{0,60}(?:(?:async )?def (test\w{0,200})|func (Test\w{1,200})"
    r"|(?:it|test|specify)\(\s{0,8}[\"'`](.{1,200}?)[\"'`]"
    r"|(?:public |private )?void (test\w{0,200})\()"
)
_ASSERT = re.compile(
    r"\bassert\w{0,40}[ (!]|\bexpect\(|\.should\b|\brequire\.\w+\(t,"
    r"|\bt\.(?:Error|Fatal)|\bpytest\.raises\(|\bself\.assert\w{1,40}\("
)
_SKIP = re.compile(
    r"@(?:pytest\.mark\.(?:skip\b|xfail\b)|unittest\.(?:skip\b|expectedFailure)"
    r"|Ignore\b|Disabled\b)|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\("
    r"|\b(?:it|test|describe|context)\.(?:skip|todo|failing)\b|(?<![\w.])x(?:it|describe)\("
    r"|\bt\.Skip(?:f|Now)?\(|#\[ignore\b|\bpending\([\"']"
    r"|\b(?:it|test|describe)\.only\("
)
_EMPTY = re.compile(
    r"\bassert True\s{0,3}(?:$|[,#])|\bassert 1\s{0,3}(?:$|==\s{0,3}1)"
    r"|expect\(true\)\.to(?:Be\(true\)|BeTruthy\(\))|\bself\.assertTrue\(True\)|\bassert\(true\)"
)


class TestsRemoved:
    """Finds tests that no longer test."""

    __test__ = False  # pytest would collect it by its name
    id = "tests-removed"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield what the change takes from the tests."""
        files = [
            each
            for each in merged(change_set).files
            if not each.is_binary and not each.is_symlink
        ]
        arrived = Counter(
            name
            for each in files
            for line in each.added_lines()
            if (name := _test_name(line.text))
        )
        asserted = _assertions(
            line.text for each in files for line in each.added_lines()
        )
        for change in files:
            old = change.old_path or change.path
            if not (_is_test_code(change.path) or _is_test_code(old)):
                continue
            gone = _gone_tests(change, arrived)
            if gone:
                yield self._deleted(change, gone)
            elif change.kind is not ChangeKind.REMOVED:
                lost = _lost_assertions(change, asserted)
                if lost > 0:
                    message = f"{lost} assertion(s) are taken out of the tests."
                    yield self._finding(change, message)
            for line in change.added_lines():
                yield from self._weakened(change, line)

    def _deleted(self, change: FileChange, gone: list[str]) -> Finding:
        some = ", ".join(shown(each) for each in gone[:3])
        more = f" and {len(gone) - 3} more" if len(gone) > 3 else ""
        whole = change.kind is ChangeKind.REMOVED
        what = "The tests in this file are deleted" if whole else "Tests are deleted"
        return self._finding(change, f"{what}: {some}{more}.")

    def _weakened(self, change: FileChange, line: Line) -> Iterator[Finding]:
        for pattern, message in (
            (_SKIP, "A test is skipped, expected to fail, or shuts out the others."),
            (_EMPTY, "This assertion can never fail."),
        ):
            if pattern.search(line.text):
                yield self._finding(change, message, line)

    def _finding(
        self, change: FileChange, message: str, line: Line | None = None
    ) -> Finding:
        return Finding(
            rule=self.id,
            severity=Severity.MEDIUM,
            category=Category.DESTRUCTIVE,
            path=change.path,
            line=(line.new or 0) if line else 0,
            message=message,
            evidence=shown(line.text) if line else "",
            remedy="Repair the code or the test; say why a test must go.",
        )


def _is_test_code(path: str) -> bool:
    return is_test(path) and suffix(path) in _CODE and not is_fixture(path)


def _assertions(lines: Iterable[str]) -> Counter[str]:
    return Counter("".join(each.split()) for each in lines if _ASSERT.search(each))


def _lost_assertions(change: FileChange, arrived: Counter[str]) -> int:
    """Return how many assertions neither moved nor made place for others."""
    removed = _assertions(removed_text_lines(change))
    added = _assertions(line.text for line in change.added_lines())
    return (removed - arrived).total() - (added - removed).total()


def _test_name(text: str) -> str | None:
    match = _TEST.match(text)
    return match[match.lastindex or 0] if match else None


def _gone_tests(change: FileChange, arrived: Counter[str]) -> list[str]:
    """Return the tests that neither stay, nor move, nor get another name."""
    removed = [_test_name(each) for each in removed_text_lines(change)]
    gone = list[str]()
    for name in filter(None, removed):
        if arrived[name] > 0:
            arrived[name] -= 1
        else:
            gone.append(name)
    added = (_test_name(line.text) for line in change.added_lines())
    fresh = sum(1 for name in added if name and arrived[name] > 0)
    return gone[fresh:]
