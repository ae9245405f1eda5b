"""The steps that ask and tell: pull request, configuration, budget, circuit.

Every method takes and returns plain JSON data, because DBOS keeps it.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from app.agents.base import AgentChoice
from app.breaker import Admission, Circuit, Outcome, Step, admit, record
from app.breaker.status import state_sentence
from app.config.keys import CONFIG_PATH
from app.config.load import Effective, LoadAnswer, choose
from app.config.parser import parse
from app.errors import GitHubError, GitHubLimited, GitHubUnavailable
from app.jobs.review_job import JobSteps, config_of
from app.ports import Hub
from app.review import budget
from app.review.decide import Denial
from app.review.model import ReviewResult
from app.review.rules import rules_of
from app.store.circuits import CircuitKey
from app.store.reviews import Wanted


class FactSteps(JobSteps):
    """Read facts, ask for admission, tell how it went."""

    def read_facts(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """Return pull request and configuration; ``None`` when it is closed."""
        wanted = Wanted(**job)
        hub = self._hub(wanted)
        pull = hub.pull(wanted.number)
        if pull.state == "closed":
            return None
        effective = self._config(hub, wanted.repository)
        return {
            "pull": asdict(pull),
            "config": effective.config.model_dump_json(),
            "source": effective.source,
            "problems": [str(problem) for problem in effective.problems],
            "is_readable": effective.is_readable,
        }

    def is_newest(self, job: dict[str, Any]) -> bool:
        """Tell whether this job is what its pull request still wants."""
        return self._superseded(Wanted(**job)) is None

    def admit(self, job: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
        """Ask the budget and the circuit; reserve what the agent may cost."""
        wanted = Wanted(**job)
        config = config_of(facts)
        choice = self._at.make_agent(config)
        now = self._at.clock.now()
        key = CircuitKey(repository=wanted.repository, agent=choice.name)
        if choice.agent is None:
            circuit = self._at.circuits.get(key)
            return _admission(circuit, choice, Denial.NO_AGENT, choice.why_not)
        refused = self._at.spending.reserve(
            wanted.review_id,
            repository=wanted.repository,
            number=wanted.number,
            most_usd=config.fuse.cost_usd,
            refusal=partial(budget.refusal, config.budget),
            now=now,
        )
        if refused is not None:
            circuit = self._at.circuits.get(key)
            return _admission(circuit, choice, Denial.BUDGET, refused)
        ask = partial(
            admit, review_id=wanted.review_id, now=now, rules=rules_of(config)
        )
        made = self._at.circuits.change(key, ask, now=now)
        self._note(key, made)
        if made.admission is Admission.DENIED:
            self._at.spending.release(wanted.review_id)
            sentence = state_sentence(made.circuit, rules_of(config))
            return _admission(made.circuit, choice, Denial.CIRCUIT, sentence)
        return _admission(made.circuit, choice, Denial.NONE, "", made.admission)

    def tell_circuit(
        self,
        job: dict[str, Any],
        facts: dict[str, Any],
        admission: dict[str, Any],
        result: dict[str, Any] | None,
    ) -> None:
        """Tell circuit and purse how it went; ``None`` when there is no result."""
        wanted = Wanted(**job)
        if admission["denied"] != Denial.NONE.value:
            return
        found = None if result is None else ReviewResult.load(result)
        work = None if found is None else found.agent
        if work is not None:
            self._at.spending.settle(wanted.review_id, work.cost_usd)
        elif found is not None:
            self._at.spending.release(wanted.review_id)
        # Without a result nobody knows how far it came: the reservation stays.
        outcome = None if found is None else found.outcome
        if outcome is None:
            # Our own fault says nothing about the agent; a probe's lease ends here.
            outcome = Outcome(
                review_id=wanted.review_id,
                generation=admission["generation"],
                reason="it could not be reviewed",
                counts=False,
            )
        now = self._at.clock.now()
        key = CircuitKey(repository=wanted.repository, agent=admission["agent"])
        told = partial(
            record,
            outcome=outcome,
            now=now,
            rules=rules_of(config_of(facts)),
            jitter=self._at.jitter(),
        )
        self._note(key, self._at.circuits.tell(key, outcome, told, now=now))

    def confirm_head(self, job: dict[str, Any], facts: dict[str, Any]) -> bool:
        """Ask GitHub whether head and base are still ours (B14, B15)."""
        wanted = Wanted(**job)
        if self._superseded(wanted) is not None:
            return False
        pull = self._hub(wanted).pull(wanted.number)
        is_same = (pull.head_sha, pull.base_ref) == (
            wanted.head_sha,
            facts["pull"]["base_ref"],
        )
        return pull.state == "open" and is_same

    def _config(self, hub: Hub, repository: str) -> Effective:
        kept = self._at.reviews.last_config(repository)
        last_good = parse(kept, source="last good").config if kept else None
        try:
            remote = hub.file_on_default_branch(CONFIG_PATH)
        except (GitHubUnavailable, GitHubLimited):
            raise
        except GitHubError as error:
            answer = LoadAnswer(source=CONFIG_PATH, text=None, failure=str(error))
            return choose(answer, last_good)
        effective = choose(
            LoadAnswer(source=remote.source, text=remote.text), last_good
        )
        if remote.text is None:
            self._at.reviews.forget_config(repository)
        elif effective.is_readable:
            self._at.reviews.keep_config(
                repository,
                source=remote.source,
                text=remote.text,
                now=self._at.clock.now(),
            )
        return effective

    def _note(self, key: CircuitKey, step: Step) -> None:
        if step.transition is not None:
            self._at.metrics.transition(key.repository, key.agent, step.transition)


def _admission(
    circuit: Circuit,
    choice: AgentChoice,
    denied: Denial,
    reason: str,
    admission: Admission = Admission.DENIED,
) -> dict[str, Any]:
    return {
        "admission": admission.value,
        "denied": denied.value,
        "generation": circuit.generation,
        "reason": reason,
        "agent": choice.name,
    }
