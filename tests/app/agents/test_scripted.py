"""The scripted agent plays its scenario through the gate, step by step."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.agents.base import Gate, Report
from app.agents.scenario_file import ScenarioError, parse_scenario
from app.agents.scripted import ScriptedAgent, ScriptedCrash, read_scenario
from app.breaker.actions import (
    Delegation,
    ModelCall,
    Proposal,
    Publication,
    ToolCall,
    digest,
)
from tests.app.agents.builders import no_sleep, run, task
from tests.app.agents.gates import KeepingGate, most_equal_calls, refusing


def agent(act: str) -> ScriptedAgent:
    indented = "\n".join(f"    {line}" for line in act.strip().split("\n"))
    text = f"acts:\n  -\n{indented}\n"
    return ScriptedAgent(parse_scenario(text, source="s.yaml"), sleep=no_sleep)


def play(act: str, gate: Gate) -> Report:
    return run(agent(act), gate)


def test_each_step_asks_the_gate_and_is_settled() -> None:
    """Each step becomes its action, in order, and each permit is settled."""
    gate = KeepingGate()
    report = play(
        """
steps:
  - call_model: {prompt_tokens: 100, output_tokens: 20, max_output_tokens: 50, usd: 0.5}
  - call_tool: {tool: search, arguments: {text: total}}
  - propose: {path: app.py, start_line: 5, end_line: 5, replacement: x, reason: y}
  - publish: {path: app.py, line: 2, body: Wrong.}
  - delegate: {target: other, intent: look}
summary: Done.
confidence: 0.7
""",
        gate,
    )
    kinds = [ModelCall, ToolCall, Proposal, Publication, Delegation]
    assert [type(each) for each in gate.asked] == kinds
    assert gate.all_settled
    first = gate.asked[0]
    assert isinstance(first, ModelCall)
    assert (first.prompt_tokens, first.max_output_tokens) == (100, 50)
    assert (gate.settled[0].tokens, gate.settled[0].cost_usd) == (120, 0.5)
    assert report.did_review
    assert (report.summary, report.confidence) == ("Done.", 0.7)
    assert list(report.publications) == gate.of(Publication)
    assert list(report.proposals) == gate.of(Proposal)


def test_tools_that_read_really_run() -> None:
    """A reading tool runs on the tree: its result is what is settled."""
    gate = KeepingGate()
    play(
        "steps:\n  - call_tool: {tool: list_files, arguments: {glob: '*.md'}}\n"
        "  - call_tool: {tool: read_file, arguments: {path: ../x}}\nsummary: x",
        gate,
    )
    assert gate.settled[0].result_digest == digest("docs/notes.md")
    assert gate.settled[1].result_digest != digest("")


def test_a_final_refusal_ends_the_play() -> None:
    """After a final refusal nothing more is asked, and it is no review."""
    gate = KeepingGate(most_equal_calls(3))
    call = "call_tool: {tool: search, arguments: {text: a}}"
    report = play(
        f"steps:\n  - repeat:\n      times: 50\n      steps:\n        - {call}\n"
        "summary: x",
        gate,
    )
    assert len(gate.asked) == 4
    assert not report.did_review
    assert report.failure == "the same call 4 times"


def test_a_stubborn_agent_goes_on_and_gets_nothing() -> None:
    """A stubborn agent asks for everything; after the refusal nothing happens."""
    gate = KeepingGate(refusing(ToolCall))
    report = play(
        "stubborn: true\nsteps:\n  - call_tool: {tool: shell}\n"
        "  - publish: {body: I did it.}\n  - call_model: {prompt_tokens: 5}\n"
        "summary: x",
        gate,
    )
    assert len(gate.asked) == 3
    assert gate.happened == []
    assert report.did_review  # it says so; the blown gate says otherwise
    assert gate.is_blown


def test_a_refusal_that_is_not_final_lets_it_go_on() -> None:
    """A refusal that is not final lets the play go on."""
    gate = KeepingGate(refusing(Proposal, final=False))
    report = play(
        "steps:\n"
        "  - propose: {path: a, start_line: 1, end_line: 1, replacement: x,"
        " reason: y}\n"
        "  - publish: {body: Said.}\nsummary: x",
        gate,
    )
    assert report.did_review
    assert [type(each) for each in gate.happened] == [Publication]


def test_model_calls_are_equal_by_their_prompt() -> None:
    """Calls with an equal prompt are equal; calls without one never are."""
    gate = KeepingGate()
    play(
        "steps:\n  - call_model: {prompt_tokens: 1, prompt: a}\n"
        "  - call_model: {prompt_tokens: 1, prompt: a}\n"
        "  - call_model: {prompt_tokens: 1}\nsummary: x",
        gate,
    )
    marks = [each.digest for each in gate.asked if isinstance(each, ModelCall)]
    assert marks[0] == marks[1] != ""
    assert marks[2] == ""


def test_a_crash_is_a_crash() -> None:
    """The step `fail: crash` raises, as a broken agent does."""
    with pytest.raises(ScriptedCrash):
        play("steps: [{fail: crash}]", KeepingGate())


def test_an_infrastructure_failure_is_told_as_one() -> None:
    """The step `fail: infrastructure` is a failure that is not the agent's."""
    report = play("steps: [{fail: infrastructure}]", KeepingGate())
    assert not report.did_review
    assert report.is_infrastructure


def test_without_an_act_it_did_not_review() -> None:
    """A review that no act is for is no review, and no fault of an agent's."""
    report = play("when: {pull: 99}\nsummary: x", KeepingGate())
    assert not report.did_review
    assert report.is_infrastructure
    assert report.failure == "s.yaml has no act for this review"


def test_reviews_are_counted() -> None:
    """The same agent plays another act in its second review."""
    scenario = "acts: [{when: {review: 2}, summary: again}, {summary: first}]"
    played = ScriptedAgent(parse_scenario(scenario, source="s"), sleep=no_sleep)
    said = [run(played, KeepingGate()).summary for _ in range(3)]
    assert said == ["first", "again", "first"]


def test_waiting_is_told_and_done() -> None:
    """`wait` sleeps so long, and people are told."""
    slept, told = list[float](), list[str]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    text = "acts: [{steps: [{wait: 2m}], summary: x}]"
    waiting = ScriptedAgent(parse_scenario(text, source="s"), sleep=sleep)
    asyncio.run(waiting.review(task(), KeepingGate(), told.append))
    assert 120.0 in slept
    assert told == ["waits 120 s"]


def test_a_scenario_file_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    """A folder, and bytes that are no UTF-8, are told with their path."""
    with pytest.raises(ScenarioError, match=str(tmp_path)):
        read_scenario(tmp_path)
    file = tmp_path / "s.yaml"
    file.write_bytes(b"acts: \xff")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read_scenario(file)
