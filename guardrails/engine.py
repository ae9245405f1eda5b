"""Judge one ChangeSet: every rule, every scanner, what each could not see.

A rule that crashes is a Gap, never a crash of the whole and never silence.
Scanners see both sides of each file; only what the change introduces is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from guardrails.echoes import without_echoes
from guardrails.model import ChangeKind, ChangeSet, FileChange, Finding, Gap, Verdict
from guardrails.policy import Policy
from guardrails.rules import RULES, Rule
from guardrails.rules.evidence import hidden, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One side of one file, as a scanner gets it: a name and a text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """What a scanner found in the given sources, and what it could not look at."""

    findings: tuple[Finding, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Scanner(Protocol):
    """A tool that looks at texts. It never sees the repository itself."""

    @property
    def name(self) -> str:
        """Return the tool's name, the ``origin`` of its findings."""

    def accepts(self, path: str) -> bool:
        """Tell whether this scanner has anything to say about such a file."""

    def scan(self, sources: Sequence[Source]) -> ScanResult:
        """Look at all sources in one call; raise ScannerError if that failed."""


def evaluate(
    change_set: ChangeSet,
    policy: Policy | None = None,
    *,
    rules: Sequence[Rule] = RULES,
    scanners: Sequence[Scanner] = (),
) -> Verdict:
    """Judge ``change_set`` under ``policy``.

    Args:
        change_set: what changed, with texts attached where they are known.
        policy: thresholds and lists; the defaults when ``None``.
        rules: pure rules, run in order.
        scanners: tools that look at texts; one call each for the whole change.
    """
    policy = policy or Policy()
    findings: list[Finding] = []
    gaps = list(change_set.gaps)
    for rule in rules:
        for each in _outcome_of_rule(rule, change_set, policy):
            (gaps if isinstance(each, Gap) else findings).append(each)  # type: ignore[arg-type]
    for scanner in scanners:
        result = introduced(scanner, change_set.files)
        findings.extend(result.findings)
        gaps.extend(result.gaps)
    heard = without_echoes(dict.fromkeys(findings))
    return Verdict(
        findings=tuple(heard),
        gaps=tuple(dict.fromkeys(gaps)),
        looked_at=frozenset(each.path for each in change_set.files),
    )


def _outcome_of_rule(
    rule: Rule, change_set: ChangeSet, policy: Policy
) -> Iterator[Finding | Gap]:
    try:
        yield from rule.evaluate(change_set, policy)
    except Exception as error:  # one broken rule must not hide the others
        reason = f"rule {rule.id} failed: {type(error).__name__}"
        yield Gap(reason=reason, source=rule.id)


def introduced(scanner: Scanner, files: Iterable[FileChange]) -> ScanResult:
    """Return what ``scanner`` finds on the head side and not on the base side.

    Both sides go into one call, told apart by a path prefix: introduced is the
    multiset difference of (rule, path, normalised evidence), so that a line
    that only moved is not new and a second copy of an old fault is.
    """
    heads, bases = list[Source](), list[Source]()
    for each in files:
        if each.after is None or each.is_symlink or each.is_submodule:
            continue
        if not scanner.accepts(each.path):
            continue
        heads.append(Source(path=f"head/{each.path}", text=each.after))
        if each.before is not None and each.kind is not ChangeKind.COPIED:
            bases.append(Source(path=f"base/{each.path}", text=each.before))
    if not heads:
        return ScanResult()
    try:
        result = scanner.scan([*heads, *bases])
    except Exception as error:
        reason = f"{scanner.name} failed: {type(error).__name__}: {error}"
        return ScanResult(gaps=(Gap(reason=reason, source=scanner.name),))
    known = Counter(
        _identity(each) for each in result.findings if each.path.startswith("base/")
    )
    fresh = list[Finding]()
    for finding in result.findings:
        if not finding.path.startswith("head/"):
            continue
        key = _identity(finding)
        if known[key] > 0:
            known[key] -= 1
            continue
        fresh.append(_published(finding))
    gaps = tuple(
        Gap(reason=gap.reason, source=gap.source, path=_strip(gap.path))
        for gap in result.gaps
        if gap.path is None or gap.path.startswith("head/")
    )
    return ScanResult(findings=tuple(fresh), gaps=gaps)


def _identity(finding: Finding) -> tuple[str, str, str]:
    evidence = " ".join(finding.evidence.split())
    return (finding.rule, _strip(finding.path) or "", evidence)


def _strip(path: str | None) -> str | None:
    return path if path is None else path.split("/", 1)[1]


def _published(finding: Finding) -> Finding:
    # Redacted after the difference: two secrets on one line must stay two findings.
    return replace(
        finding,
        path=_strip(finding.path) or "",
        message=hidden(finding.message),
        evidence=shown(finding.evidence),
    )
