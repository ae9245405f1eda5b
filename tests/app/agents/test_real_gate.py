"""Agents behind the gate that the app uses: the fuse, then the guardrails."""

from __future__ import annotations

from app.agents.base import ReviewAgent, Task
from app.agents.builtin import BuiltinAgent
from app.agents.scenario_file import parse_scenario
from app.agents.scripted import ScriptedAgent
from app.breaker import DETECTORS, Fuse
from app.breaker.fuse import Limits
from app.review.gate import ReviewGate
from guardrails.policy import Policy
from tests.app.agents.builders import no_sleep, run, task
from tests.model_server.script import Call, Fault, Reply, remark, submit
from tests.model_server.server import serving

READ = Reply(calls=(Call(name="read_file", arguments={"path": "app.py"}),))


def gate(given: Task, limits: Limits | None = None) -> ReviewGate:
    return ReviewGate(
        Fuse(limits or Limits(), DETECTORS),
        tree=given.tree,
        scope=given.scope,
        policy=Policy(),
        scanners=(),
        elapsed=lambda: 1.0,
    )


def scripted(acts: str) -> ReviewAgent:
    return ScriptedAgent(parse_scenario(acts, source="s.yaml"), sleep=no_sleep)


def test_the_loop_of_a_model_is_ended_at_the_third_call() -> None:
    """A model that keeps asking for the same file is ended at the third time."""
    door = gate(task())
    with serving([READ]) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ, sleep=no_sleep)
        report = run(agent, door)
    assert server.count == 3
    assert door.is_blown
    assert not report.did_review
    assert "for the 3rd time" in report.failure


def test_the_budget_is_never_crossed() -> None:
    """What was spent stays under the limit: the request before it was the last."""
    door = gate(task(), Limits(tokens=12_000))
    asked = 0

    def answer(_: object) -> Reply:
        nonlocal asked
        asked += 1
        search = Call(name="search", arguments={"text": f"word {asked}"})
        return Reply(calls=(search,), prompt_tokens=1_500, output_tokens=500)

    with serving(answer) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ, sleep=no_sleep)
        report = run(agent, door)
    assert server.count == asked > 0
    assert door.fuse.history.tokens == asked * 2_000 <= 12_000
    assert "12,000 allowed" in report.failure


def test_a_repetition_for_the_providers_sake_is_no_loop() -> None:
    """A request that is repeated after HTTP 503 is not taken for a loop."""
    door = gate(task(), Limits(repeats=2))
    with serving([Fault(status=503), submit(summary="Fine.")]) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ, sleep=no_sleep)
        report = run(agent, door)
    assert report.did_review, report.failure
    assert server.count == 2


def test_a_suggestion_that_passes_is_kept_by_the_gate() -> None:
    """A harmless suggestion passes the fuse and the guardrails."""
    given = task()
    door = gate(given)
    better = remark(
        line=5,
        evidence="    return total / len(values)",
        suggestion="    return total / max(len(values), 1)",
    )
    with serving([submit(summary="Fine.", remarks=[better])]) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ, sleep=no_sleep)
        report = run(agent, door, given)
    assert report.did_review, report.failure
    assert tuple(door.proposals) == report.proposals
    assert door.proposals[0].start_line == 5


def test_a_stubborn_agent_gets_nothing_past_a_blown_fuse() -> None:
    """After the fuse is blown not one action of a stubborn agent happens."""
    door = gate(task())
    run(
        scripted(
            "acts: [{stubborn: true, summary: x, steps: ["
            "{call_tool: {tool: shell, arguments: {command: id}}}, "
            "{publish: {body: trust me}}, "
            "{call_tool: {tool: read_file, arguments: {path: app.py}}}]}]"
        ),
        door,
    )
    assert door.is_blown
    assert door.publications == []
    assert [each.happened for each in door.fuse.history.records] == [False] * 3
