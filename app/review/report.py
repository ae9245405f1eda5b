"""Write the check run's report, the review's comments and the handoff. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app import messages
from app.breaker import Objection, Proposal, Publication
from app.messages import code, fenced, quote
from app.ports import Annotation, CheckReport, Level, ReviewComment
from app.review.decide import Decision
from app.review.model import AgentWork, Blocked, Mode, ReviewResult, Subject
from guardrails import Finding, Gap, Severity

MOST_FINDINGS = 200  # in the table of a check; the rest is counted
MOST_COMMENTS = 30  # in one posted review
MARKER = "<!-- recloser:{kind}:{key} -->"

LEVELS: dict[Severity, Level] = {
    Severity.INFO: "notice",
    Severity.LOW: "notice",
    Severity.MEDIUM: "warning",
    Severity.HIGH: "failure",
    Severity.CRITICAL: "failure",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the report tells beside the result itself."""

    circuit_sentence: str
    config_source: str
    config_problems: tuple[str, ...] = ()


def marker(kind: str, key: str) -> str:
    """Return the hidden words by which we find what we have written before."""
    return MARKER.format(kind=kind, key=key)


def check_report(
    subject: Subject,
    result: ReviewResult,
    decision: Decision,
    setting: Setting,
    *,
    shows_words: bool = False,
) -> CheckReport:
    """Return what the completed check run says.

    ``shows_words``: the agent's remarks stand in the check, not in a review.
    """
    findings = result.verdict.findings
    title = messages.TITLES[decision.situation.value]
    counted = _counted(findings)
    return CheckReport(
        conclusion=decision.conclusion,
        title=f"{title} ({counted})" if findings else title,
        summary=summary(subject, result, decision, setting),
        text=_details(result, shows_words=shows_words),
        annotations=tuple(annotation(each) for each in findings if each.line > 0),
    )


def summary(
    subject: Subject, result: ReviewResult, decision: Decision, setting: Setting
) -> str:
    """Return the summary: what happened, why, what to do."""
    lines = [_headline(result), "", quote(setting.circuit_sentence, 600)]
    if result.plan.reason and result.plan.reason not in setting.circuit_sentence:
        lines += ["", quote(result.plan.reason, 400)]
    if advice := messages.WHAT_TO_DO[decision.situation.value]:
        lines += ["", f"**What to do:** {advice}"]
    work = result.agent
    if work is not None and work.blown is not None:
        lines += ["", f"**Stopped by** {_objection(work.blown)}"]
    elif work is not None and work.failure:
        lines += ["", f"**The agent failed:** {quote(work.failure, 400)}"]
    if work is not None and work.blocked:
        lines += ["", *_blocked_table(work.blocked)]
    if setting.config_problems:
        lines += ["", "**Configuration:**"]
        lines += [f"- {quote(each, 400)}" for each in setting.config_problems]
    source = code(setting.config_source)
    head = code(subject.head_sha[:12])
    lines += ["", f"_Head {head}, configuration from {source}._"]
    return "\n".join(lines)


def annotation(finding: Finding) -> Annotation:
    """Return a finding as a check-run annotation."""
    words = [messages.printable(finding.message)]
    if finding.remedy:
        words.append(messages.printable(finding.remedy))
    return Annotation(
        path=finding.path,
        line=finding.line,
        end_line=max(finding.line, finding.end_line or finding.line),
        level=LEVELS[finding.severity],
        title=f"{finding.rule} ({finding.severity.label})",
        message="\n".join(words),
    )


def review_comments(
    work: AgentWork, commentable: dict[str, frozenset[int]], review_id: str
) -> tuple[str, tuple[ReviewComment, ...]]:
    """Return the body and the comments of the review that is posted.

    Args:
        work: what the agent did; only what passed the gate is in it.
        commentable: path -> head-side lines that the diff shows; anything else
            goes into the body, so that one bad line never loses the good ones.
        review_id: the key of the hidden marker.
    """
    body = list[str]()
    comments = list[ReviewComment]()
    for proposal in work.proposals:
        comment = _suggestion(proposal, commentable.get(proposal.path, frozenset()))
        if comment is None:
            body.append(
                f"- {_where(proposal.path, proposal.start_line)}: "
                f"{quote(proposal.reason, 500)}"
            )
        else:
            comments.append(comment)
    for remark in work.publications:
        if not remark.path:
            body.append(quote(remark.body, 1_000))
        elif remark.line in commentable.get(remark.path, frozenset()):
            comments.append(_remark(remark))
        else:
            where = _where(remark.path, remark.line)
            body.append(f"- {where}: {quote(remark.body, 500)}")
    for extra in comments[MOST_COMMENTS:]:
        body.append(f"- {_where(extra.path, extra.line)}: see the check")
    body.append(marker("review", review_id))
    return "\n\n".join(body), tuple(comments[:MOST_COMMENTS])


def handoff(subject: Subject, result: ReviewResult, setting: Setting) -> str:
    """Return the packet that a human gets: why, what was tried, what to press."""
    sentence = quote(setting.circuit_sentence, 600)
    lines = ["### A human has to look at this change", "", sentence]
    if result.plan.reason and result.plan.reason not in setting.circuit_sentence:
        lines += ["", quote(result.plan.reason, 400)]
    work = result.agent
    if work is not None:
        if work.blown is not None:
            lines += ["", f"The agent was stopped by {_objection(work.blown)}"]
        if work.blocked:
            lines += ["", *_blocked_table(work.blocked)]
        spent = _spent(work)
        lines += ["", f"<details><summary>Last actions ({spent})</summary>", ""]
        lines += [fenced("\n".join(work.last_actions) or "none"), "", "</details>"]
    blocking = result.verdict.findings
    if blocking:
        lines += ["", f"**Findings ({_counted(blocking)}):**", ""]
        lines += _finding_table(blocking[:20])
    if result.verdict.gaps:
        lines += ["", "**Not looked at:**", *_gap_list(result.verdict.gaps[:20])]
    lines += [
        "",
        f"**What you can do:** {messages.HANDOFF_ADVICE}",
        "",
        f"_About {code(subject.head_sha[:12])}. Edited in place, never repeated._",
        marker("handoff", str(subject.number or 0)),
    ]
    return "\n".join(lines)


def _headline(result: ReviewResult) -> str:
    files = f"{result.files} file{'s' if result.files != 1 else ''}"
    work = result.agent
    if result.plan.mode is Mode.FALLBACK or work is None:
        return f"Linters looked at {files}; no agent took part."
    spent = _spent(work)
    if not work.did_review:
        return f"{quote(work.name)} did not review ({spent}); linters saw {files}."
    scope = len(result.plan.scope)
    kind = "probed" if result.plan.mode is Mode.PROBE else "reviewed"
    posted = len(work.proposals) + len(work.publications)
    return (
        f"{quote(work.name)} {kind} {scope} of {files}: {posted} remarks, "
        f"{len(work.blocked)} blocked ({spent})."
    )


def _spent(work: AgentWork) -> str:
    digits = 2 if work.cost_usd >= 0.1 or not work.cost_usd else 4
    cost = f"${work.cost_usd:.{digits}f}"
    return f"{work.tokens:,} tokens, {cost}, {work.seconds:.0f} s"


def _objection(objection: Objection) -> str:
    return f"{quote(objection.detector)}: {quote(objection.reason, 400)}"


def _details(result: ReviewResult, *, shows_words: bool) -> str:
    lines = list[str]()
    if shows_words and result.agent is not None:
        lines += ["### Remarks of the agent", "", *_words(result.agent), ""]
    findings = result.verdict.findings
    if findings:
        lines += ["### Findings", "", *_finding_table(findings[:MOST_FINDINGS])]
        if len(findings) > MOST_FINDINGS:
            lines.append(f"\nand {len(findings) - MOST_FINDINGS} more, less severe.")
    if result.verdict.gaps:
        lines += ["", "### Not looked at", "", *_gap_list(result.verdict.gaps[:100])]
    if result.plan.left_out and result.agent is not None:
        names = ", ".join(code(path, 80) for path in result.plan.left_out[:30])
        lines += ["", f"Not given to the agent: {names}"]
    return "\n".join(lines)


def _words(work: AgentWork) -> list[str]:
    said = [
        (each.path, each.line, f"{each.severity}: {each.body}")
        for each in work.publications
    ]
    said += [(each.path, each.start_line, each.reason) for each in work.proposals]
    return [
        f"- {f'{_where(path, line)}: ' if path else ''}{quote(words, 1_000)}"
        for path, line, words in said
    ] or ["none"]


def _finding_table(findings: Sequence[Finding]) -> list[str]:
    rows = ["| severity | where | rule | what |", "|---|---|---|---|"]
    for each in findings:
        where = _where(each.path, each.line)
        what = quote(each.message, 300)
        rows.append(
            f"| {each.severity.label} | {where} | {quote(each.rule)} | {what} |"
        )
    return rows


def _blocked_table(blocked: Sequence[Blocked]) -> list[str]:
    rows = ["**Proposals of the agent that were blocked, and not published:**", ""]
    for each in blocked[:10]:
        where = _where(each.proposal.path, each.proposal.start_line)
        if each.findings:
            why = "; ".join(f"{f.rule}: {f.message}" for f in each.findings[:3])
        else:
            why = each.gaps[0].reason if each.gaps else "refused"
        rows.append(f"- {where}: {quote(why, 400)}")
    return rows


def _gap_list(gaps: Sequence[Gap]) -> list[str]:
    return [
        f"- {code(gap.path or gap.source, 120)}: {quote(gap.reason, 300)}"
        for gap in gaps
    ]


def _suggestion(proposal: Proposal, lines: frozenset[int]) -> ReviewComment | None:
    wanted = range(proposal.start_line, proposal.end_line + 1)
    if not wanted or any(number not in lines for number in wanted):
        return None
    replacement = proposal.replacement.replace("\r\n", "\n")
    if messages.printable(replacement) != replacement:
        return None  # what is clicked must be what was judged, to the letter
    reason = quote(proposal.reason, 1_000)
    body = f"{reason}\n\n{fenced(replacement, 'suggestion')}"
    return ReviewComment(
        path=proposal.path,
        line=proposal.end_line,
        start_line=proposal.start_line if len(wanted) > 1 else None,
        body=body,
    )


def _remark(remark: Publication) -> ReviewComment:
    body = f"**{quote(remark.severity)}** {quote(remark.body, 2_000)}"
    return ReviewComment(path=remark.path, line=remark.line, body=body)


def _where(path: str, line: int) -> str:
    return code(f"{path}:{line}" if line else path, 160)


def _counted(findings: Sequence[Finding]) -> str:
    counts = dict[str, int]()
    for each in findings:
        counts[each.severity.label] = counts.get(each.severity.label, 0) + 1
    return ", ".join(f"{count} {label}" for label, count in counts.items())
