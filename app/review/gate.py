"""The one door of a review: the fuse, then the guardrails, before anything happens.

The fuse judges what an action is; for a Proposal the guardrails judge what it would
make of the file, applied in memory. What passes is kept here, and only that is ever
published: the agent's own report is not believed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.agents.base import ReadTree, Refused
from app.breaker import (
    Action,
    Fuse,
    Objection,
    Permit,
    Proposal,
    Publication,
    Refusal,
    Ruling,
    Settlement,
)
from app.errors import RecloserError
from app.review.model import FATAL, Blocked
from guardrails import (
    ChangeSet,
    Finding,
    Gap,
    Policy,
    Scanner,
    Severity,
    evaluate,
)
from guardrails.apply import Applied, Edit, apply
from guardrails.diff import from_texts

OVER = Objection(detector="gate", reason="the review is over")


class ReviewGate:
    """Judges every action of one review. Safe to call from several threads.

    Args:
        fuse: the hard limits of this review.
        tree: the head of the change, to apply proposals to.
        scope: the paths that may be proposed for.
        policy: what blocks a proposal.
        scanners: tools that look at what a proposal makes.
        elapsed: seconds since the review began.
        stop: a reason to end this review now, or ``None``.
    """

    def __init__(
        self,
        fuse: Fuse,
        *,
        tree: ReadTree,
        scope: Sequence[str],
        policy: Policy,
        scanners: Sequence[Scanner],
        elapsed: Callable[[], float],
        stop: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.fuse = fuse
        self.proposals: list[Proposal] = []
        self.publications: list[Publication] = []
        self.blocked: list[Blocked] = []
        self.refusals: list[Objection] = []
        self._tree = tree
        self._scope = frozenset(scope)
        self._policy = policy
        self._scanners = tuple(scanners)
        self._elapsed = elapsed
        self._stop = stop
        self._lock = threading.Lock()
        self._is_closed = False

    def close(self) -> None:
        """Refuse everything from now on: an agent may live on that was left behind."""
        with self._lock:
            self._is_closed = True

    @property
    def is_blown(self) -> bool:
        """Tell whether this review is over."""
        return self.fuse.blown is not None

    def judge(self, action: Action) -> Ruling:
        """Say whether ``action`` may happen."""
        with self._lock:
            if self._is_closed:
                return Refusal(objection=OVER, is_final=True)
            reason = self._stop()
            if reason is not None and not self.is_blown:
                self.fuse.blown = Objection(detector="superseded", reason=reason)
            ruling = self.fuse.judge(action, self._elapsed())
            if isinstance(ruling, Permit) and isinstance(action, Proposal):
                ruling = self._judge_proposal(action, ruling)
            elif isinstance(ruling, Permit) and isinstance(action, Publication):
                self.publications.append(action)
            if isinstance(ruling, Refusal):
                self.refusals.append(ruling.objection)
            return ruling

    def demand(self, action: Action) -> Permit:
        """Return a Permit or raise Refused."""
        ruling = self.judge(action)
        if isinstance(ruling, Refusal):
            raise Refused(ruling.objection.reason, is_final=ruling.is_final)
        return ruling

    def settle(self, permit: Permit, settlement: Settlement) -> None:
        """Tell what a permitted action really did."""
        with self._lock:
            self.fuse.settle(permit, settlement)

    def _judge_proposal(self, proposal: Proposal, permit: Permit) -> Ruling:
        try:
            text = self._tree.read(proposal.path)
        except RecloserError as error:  # our fault or the file's, not the agent's
            return self._refuse(permit, "latch", f"it cannot be read: {error}")
        if proposal.path not in self._scope or text is None:
            return self._refuse(permit, "latch", "it is outside the reviewed files")
        edit = Edit(
            start_line=proposal.start_line,
            end_line=proposal.end_line,
            replacement=proposal.replacement,
            expected=proposal.expected,
        )
        applied = apply(text, edit)
        if not isinstance(applied, Applied):
            return self._refuse(permit, "latch", applied.reason)
        change = from_texts(proposal.path, text, applied.text)
        verdict = evaluate(
            ChangeSet(files=(change,)), self._policy, scanners=self._scanners
        )
        findings = verdict.blocking(self._policy.block)
        if findings or verdict.gaps:
            blocked = Blocked(proposal=proposal, findings=findings, gaps=verdict.gaps)
            self.blocked.append(blocked)
            return self._refuse_harm(permit, findings, verdict.gaps)
        self.proposals.append(_anchored(proposal, applied))
        return permit

    def _refuse(self, permit: Permit, detector: str, reason: str) -> Refusal:
        objection = Objection(detector=detector, reason=reason, refuses_only=True)
        return self.fuse.refuse(permit, objection)

    def _refuse_harm(
        self, permit: Permit, findings: Sequence[Finding], gaps: Sequence[Gap]
    ) -> Refusal:
        if not findings:
            return self._refuse(permit, "guardrails", gaps[0].reason)
        worst = findings[0]
        fatal = any(
            each.category in FATAL and each.severity >= Severity.HIGH
            for each in findings
        )
        objection = Objection(
            detector="guardrails",
            reason=f"{worst.rule} in {worst.path}: {worst.message}",
            fatal=fatal,
            refuses_only=not fatal,
        )
        return self.fuse.refuse(permit, objection)


def _anchored(proposal: Proposal, applied: Applied) -> Proposal:
    """Return the proposal at the lines where it really applied (A08)."""
    return replace(proposal, start_line=applied.start_line, end_line=applied.end_line)
