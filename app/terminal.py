"""Show a local review in the terminal, or as plain data."""

from __future__ import annotations

import html
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from app import messages
from app.local import LocalReview
from guardrails import Severity

COLORS = {
    "success": "green",
    "neutral": "yellow",
    "failure": "red",
    "action_required": "yellow",
}
SEVERITY_STYLES = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}


def show(done: LocalReview, console: Console) -> None:
    """Print what the check run would say."""
    report = done.report
    color = COLORS.get(report.conclusion, "yellow")
    heading = f"{report.conclusion}: {report.title}"
    console.print(Panel(Text(heading, style=f"bold {color}"), border_style=color))
    summary = html.unescape(report.summary)
    visible = "\n".join(
        line for line in summary.split("\n") if not line.startswith("_Head ")
    )
    console.print(Markdown(visible))
    verdict = done.result.verdict
    if verdict.findings:
        console.print(_findings(done))
    for gap in verdict.gaps:
        where = messages.printable(gap.path or gap.source)
        line = f"not looked at: {where}: {messages.printable(gap.reason)}"
        console.print(Text(line, style="yellow"))
    work = done.result.agent
    if work is not None:
        for remark in work.publications:
            where = f"{remark.path}:{remark.line}" if remark.path else "summary"
            console.print(Text(messages.printable(f"{where}: {remark.body}")))
        for proposal in work.proposals:
            where = f"{proposal.path}:{proposal.start_line}"
            console.print(Text(messages.printable(f"{where}: {proposal.reason}")))


def as_plain(done: LocalReview) -> dict[str, Any]:
    """Return the review as JSON data."""
    return {
        "conclusion": done.report.conclusion,
        "title": done.report.title,
        "situation": done.decision.situation.value,
        "needs_human": done.decision.needs_human,
        "summary": done.report.summary,
        "base": done.subject.base_sha,
        "head": done.subject.head_sha,
        "circuit": {
            "state": done.circuit.state.value,
            "why": done.circuit_sentence,
            "generation": done.circuit.generation,
        },
        "mode": done.result.plan.mode.value,
        "reason": done.result.plan.reason,
        "files": done.result.files,
        "findings": [
            {**asdict(each), "severity": each.severity.label, "id": each.fingerprint}
            for each in done.result.verdict.findings
        ],
        "gaps": [asdict(each) for each in done.result.verdict.gaps],
        "agent": done.result.dump()["agent"],
    }


def _findings(done: LocalReview) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("severity", "where", "rule", "what"):
        table.add_column(column, overflow="fold")
    for each in done.result.verdict.findings:
        where = messages.printable(
            f"{each.path}:{each.line}" if each.line else each.path
        )
        table.add_row(
            Text(each.severity.label, style=SEVERITY_STYLES[each.severity]),
            Text(where),
            Text(each.rule, style="dim"),
            Text(messages.printable(each.message)),
        )
    return table
