"""B29: "success" without a review: to end is not to have reviewed."""

from __future__ import annotations

import pytest

from app.agents.base import Report
from app.agents.builtin import BuiltinAgent
from app.agents.scenario_file import parse_scenario
from app.agents.scripted import ScriptedAgent
from tests.app.agents.builders import no_sleep, run, task
from tests.app.agents.gates import KeepingGate
from tests.model_server.script import Call, Fault, Reply, submit
from tests.model_server.server import serving

EMPTY = [
    pytest.param(submit(summary="  ", remarks=[]), id="an empty review"),
    pytest.param(Reply(text="Looks good to me!"), id="words instead of a review"),
    pytest.param(Reply(), id="nothing at all"),
    pytest.param(
        Reply(calls=(Call(name="submit_review", arguments={"yaml": "- a: ["}),)),
        id="a review of no known shape",
    ),
    pytest.param(Reply(text="cut o", finish="length"), id="an answer that was cut off"),
]


def reviewed(reply: Reply | Fault) -> Report:
    with serving([reply]) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ, sleep=no_sleep)
        return run(agent, KeepingGate())


@pytest.mark.parametrize("reply", EMPTY)
def test_an_answer_without_a_review_is_the_agents_failure(reply: Reply) -> None:
    """An answer without a review is no review, and the agent's own failure."""
    report = reviewed(reply)
    assert not report.did_review
    assert not report.is_infrastructure
    assert report.failure.startswith("openai:gpt-5-mini: ")


def test_a_rate_limit_is_no_review_either_but_not_the_agents_failure() -> None:
    """A rate limit is no review; it does not count against the agent."""
    report = reviewed(Fault(status=429))
    assert not report.did_review
    assert report.is_infrastructure
    assert "429" in report.failure


def test_nothing_to_review_is_no_review() -> None:
    """A review of no files is no review, and no money is spent on it."""
    with serving([submit(summary="Fine.")]) as server:
        agent = BuiltinAgent("openai:gpt-5-mini", server.environ)
        report = run(agent, KeepingGate(), task(scope=()))
    assert not report.did_review
    assert server.count == 0


@pytest.mark.parametrize("steps", ["[]", "[{fail: empty}]"])
def test_an_agent_that_just_ends_did_not_review(steps: str) -> None:
    """An agent that ends and said nothing did not review."""
    scenario = parse_scenario(f"acts: [{{steps: {steps}}}]", source="s.yaml")
    report = run(ScriptedAgent(scenario), KeepingGate())
    assert not report.did_review
    assert report.failure == "the agent ended without a review"
