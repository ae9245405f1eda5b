"""agent-instruction: added text speaks to the agent that will read it.

Threat: comments, documents and file names that tell a reviewing model what to
decide (B32). LOW: it blocks nothing by itself; it is told to a human, and what the
model then does is judged like everything else.
Limits: those of guardrails.context.injection. Files that are prompts or instructions
for agents by their names (AGENTS.md and the like) address agents rightly: there only
orders about reviews count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.context.injection import Span, find
from guardrails.model import Category, ChangeKind, ChangeSet, Confidence, Finding
from guardrails.model import Severity as Level
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown

_FOR_AGENTS = re.compile(
    r"(?:^|/)(?:agents|claude|gemini|copilot-instructions|cursorrules|\.cursorrules"
    r"|system[_-]?prompts?|prompts?)(?:\.\w{1,5})?$|(?:^|/)(?:prompts|\.cursor)/",
    re.IGNORECASE,
)
_ABOUT_REVIEWS = ("approval", "silence", "exfiltration")
_NAME_MARKS = re.compile(r"[_./-]+")


class Instructions:
    """Finds words addressed to agents in added lines and new names."""

    id = "agent-instruction"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each instruction."""
        for change in change_set.files:
            if change.kind in (ChangeKind.ADDED, ChangeKind.RENAMED, ChangeKind.COPIED):
                for span in find(_NAME_MARKS.sub(" ", change.path))[:1]:
                    yield self._finding(change.path, span, 0, shown(change.path))
        for added in added_texts(change_set):
            is_for_agents = _FOR_AGENTS.search(added.change.path) is not None
            told = 0
            for span in find(added.text):
                if is_for_agents and span.kind not in _ABOUT_REVIEWS:
                    continue
                line, column = added.place(span.start)
                if line.new == told:
                    continue  # one finding a line says it
                told = line.new or 0
                evidence = shown(line.text, column)
                yield self._finding(added.change.path, span, line.new or 0, evidence)

    def _finding(self, path: str, span: Span, line: int, evidence: str) -> Finding:
        return Finding(
            rule=self.id,
            severity=Level.LOW,
            category=Category.DECEPTION,
            path=path,
            line=line,
            message=f"This reads like an instruction to an agent ({span.kind}).",
            confidence=Confidence.MEDIUM,
            evidence=evidence,
            remedy="Take it out, or say to humans what it is for.",
            cwe="CWE-1427",
        )
