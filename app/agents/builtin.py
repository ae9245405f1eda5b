"""The built-in agent: a model with four tools, behind its gate.

It reviews the change part by part, each in a fresh conversation. What it found is
held to the change (``grounding``), and each remark is judged like any other action.
It never says that it reviewed when it did not (B29): without a key, without an
answer, or with remarks of which not one is about the change, it says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

from app.agents.answer import Answer
from app.agents.base import Gate, Refused, Report, Task
from app.agents.grounding import Sieve, ground
from app.agents.prices import is_known
from app.agents.prompt import Part, parts, request
from app.agents.providers import ModelRef, ModelUnavailable, access_to, model_ref
from app.agents.tokens import Estimator
from app.agents.tools import TOOLS, TreeTools
from app.breaker.actions import Permit, Proposal, Publication, Settlement
from app.messages import printable

MOST_SUMMARY = 1_500
MOST_NAMED = 3  # paths that are named while it works


class BuiltinAgent:
    """Reviews with a model of ``provider:name``.

    Args:
        model: such as ``openai:gpt-5-mini``.
        environ: where keys and base URLs stand.
        tools: the tools that the model is shown; those that the fuse allows.
        sleep: waits before a request is repeated.
    """

    def __init__(
        self,
        model: str,
        environ: Mapping[str, str],
        *,
        tools: Collection[str] = TOOLS,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._model = model
        self._environ = environ
        self._tools = frozenset(tools)
        self._sleep = sleep

    @property
    def name(self) -> str:
        """Return the name that keys the circuit: another model, another circuit."""
        return f"builtin:{self._model}"

    async def review(
        self, task: Task, gate: Gate, progress: Callable[[str], None]
    ) -> Report:
        """Review the files of ``task``, part by part."""
        try:
            ref = model_ref(self._model)
            access_to(ref, self._environ)
        except ModelUnavailable as error:
            return _infrastructure(str(error))
        wanted = frozenset(task.scope)
        files = [each for each in task.change_set.files if each.path in wanted]
        if not files or len({each.path for each in files}) < len(wanted):
            return _infrastructure("the files to review are not in the change")
        work = _Work(task=task, gate=gate, ref=ref, progress=progress)
        # Imported here: it takes more than a second, and only a review needs it.
        from app.agents.conversation import NoAnswer
        from app.agents.gated_model import ProviderFault

        failure, is_infrastructure = "", False
        try:
            try:
                await self._converse(work, parts(files))
            except ProviderFault as fault:
                failure, is_infrastructure = str(fault), True
            except NoAnswer as fault:
                failure = f"{ref}: {fault}"
            work.publish()  # of the parts that were reviewed, at least
        except Refused as refused:
            failure, is_infrastructure = refused.reason, False
        return work.report(failure=failure, is_infrastructure=is_infrastructure)

    async def _converse(self, work: _Work, pieces: list[Part]) -> None:
        from app.agents.conversation import Room, converse
        from app.agents.gated_model import Metering

        metering = Metering(
            gate=work.gate,
            ref=work.ref,
            estimator=Estimator(),
            max_output_tokens=work.task.max_output_tokens,
            sleep=self._sleep,
        )
        room = Room(
            metering=metering,
            access=access_to(work.ref, self._environ),
            tools=TreeTools(work.task.tree, work.task.scope),
            offered=self._tools,
            taken=work.proposals,
        )
        for number, piece in enumerate(pieces, 1):
            work.progress(_progress(piece, number, len(pieces)))
            words = request(work.task, piece, number, len(pieces))
            work.answers.append(await converse(words, room))


@dataclass(slots=True, kw_only=True)
class _Work:
    """One review: the answers so far, and what came of them."""

    task: Task
    gate: Gate
    ref: ModelRef
    progress: Callable[[str], None]
    answers: list[Answer] = field(default_factory=list)
    sieve: Sieve = field(default_factory=lambda: Sieve(kept=[]))
    publications: list[Publication] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    refused: int = 0

    def publish(self) -> None:
        """Hold the remarks to the change, and ask the gate about each."""
        remarks = [each for answer in self.answers for each in answer.remarks]
        self.sieve = ground(remarks, self.task.change_set, taken=self.proposals)
        for found in self.sieve.kept:
            action = found.action()
            ruling = self.gate.judge(action)
            if isinstance(ruling, Permit):
                self.gate.settle(ruling, Settlement())
                if isinstance(action, Proposal):
                    self.proposals.append(action)
                else:
                    self.publications.append(action)
            elif ruling.is_final:
                raise Refused(ruling.objection.reason, is_final=True)
            else:
                self.refused += 1

    def report(self, *, failure: str = "", is_infrastructure: bool = False) -> Report:
        """Return the report; a review that was none is never called one (B29)."""
        failure = failure or self._why_no_review()
        return Report(
            summary=self._summary(),
            publications=tuple(self.publications),
            proposals=tuple(self.proposals),
            confidence=self._confidence(),
            did_review=not failure,
            failure=failure,
            is_infrastructure=is_infrastructure,
            details=self._details(),
        )

    def _why_no_review(self) -> str:
        if any(each.is_empty for each in self.answers) or not self.answers:
            return f"{self.ref}: the answer is empty"
        if self.sieve.given and not self.sieve.grounded:
            count = self.sieve.given
            return f"{self.ref}: none of its {count} remarks is about this change"
        return ""

    def _summary(self) -> str:
        texts = [printable(each.summary).strip() for each in self.answers]
        text = "\n\n".join(each for each in texts if each)
        return text if len(text) <= MOST_SUMMARY else f"{text[: MOST_SUMMARY - 1]}…"

    def _confidence(self) -> float:
        shares = [each.remark.confidence for each in self.sieve.kept]
        shares = shares or [each.confidence for each in self.answers]
        return sum(shares) / len(shares) if shares else 1.0

    def _details(self) -> dict[str, str]:
        sieve = self.sieve
        return {
            "model": str(self.ref),
            "price": "known" if is_known(self.ref.provider, self.ref.name) else "guess",
            "parts": str(len(self.answers)),
            "remarks": str(sieve.given),
            "remarks_not_in_the_change": str(sieve.ungrounded),
            "remarks_moved": str(sieve.moved),
            "remarks_merged": str(sieve.merged),
            "remarks_refused": str(self.refused),
            "suggestions_left_out": str(sieve.suggestions_left_out),
        }


def _infrastructure(failure: str) -> Report:
    return Report(did_review=False, is_infrastructure=True, failure=failure)


def _progress(piece: Part, number: int, count: int) -> str:
    named = ", ".join(printable(each) for each in piece.paths[:MOST_NAMED])
    more = len(piece.paths) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"part {number} of {count}: {named}{rest}"
