"""The built-in agent against a real server, through the provider's own client."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

from app.agents.base import Report
from app.agents.builtin import BuiltinAgent
from app.agents.tokens import estimate
from app.breaker.actions import ModelCall, Proposal, Publication, ToolCall
from tests.app.agents.builders import no_sleep, run, task
from tests.app.agents.gates import (
    KeepingGate,
    most_equal_calls,
    most_tokens,
    only_tools,
    refusing,
)
from tests.model_server.script import (
    GARBAGE,
    NOT_A_COMPLETION,
    Call,
    Fault,
    Reply,
    remark,
    submit,
)
from tests.model_server.server import ModelServer, serving

MODEL = "openai:gpt-5-mini"
READ = Reply(calls=(Call(name="read_file", arguments={"path": "app.py"}),))
DIVIDES = remark(
    line=5,
    severity="high",
    message="An empty list divides by zero.",
    evidence="    return total / len(values)",
)

CHANGE: dict[str, Any] = {
    "path": "app.py",
    "start_line": 5,
    "end_line": 5,
    "replacement": "    return total / max(len(values), 1)",
    "reason": "An empty list divides by zero.",
    "expected": "    return total / len(values)",
    "severity": "high",
}
PROPOSE = Reply(calls=(Call(name="propose_change", arguments=CHANGE),))


def agent_at(server: ModelServer, model: str = MODEL) -> BuiltinAgent:
    return BuiltinAgent(model, server.environ, sleep=no_sleep)


def review(gate: KeepingGate, *script: Reply | Fault) -> tuple[Report, ModelServer]:
    """Review the usual change with a model that answers from ``script``."""
    with serving(script) as server:
        return run(agent_at(server), gate), server


def test_a_good_review_is_reported_with_its_remarks_where_they_belong() -> None:
    """A good review is reported with its remarks where they belong."""
    gate = KeepingGate()
    found = {**DIVIDES, "line": 4, "end_line": 4}
    answer = submit(summary="Computes a mean.", remarks=[found])
    report, server = review(gate, READ, answer)
    assert report.did_review
    assert report.failure == ""
    assert report.summary == "Computes a mean."
    assert [(each.path, each.line) for each in report.publications] == [("app.py", 5)]
    assert list(report.publications) == gate.of(Publication)
    assert report.details["remarks_moved"] == "1"
    assert len(gate.of(ModelCall)) == server.count == 2
    assert gate.of(ToolCall) == [
        ToolCall(tool="read_file", arguments={"path": "app.py", "start": 1, "end": 0})
    ]


def test_every_permit_is_settled_with_what_the_provider_counted() -> None:
    """Every permit is settled with what the provider counted."""
    gate = KeepingGate()
    review(gate, READ, submit(summary="Fine.", remarks=[DIVIDES]))
    assert gate.all_settled
    assert gate.tokens == 2 * (900 + 60)
    asked = gate.of(ModelCall)
    numbers = [gate.happened.index(each) for each in asked]
    costs = [gate.settled[each].cost_usd for each in numbers]
    # gpt-5-mini: 0.25 and 2.00 dollars per million tokens.
    assert costs == [900 * 0.25e-6 + 60 * 2e-6] * 2


def test_what_the_provider_does_not_count_is_settled_as_projected() -> None:
    """What the provider does not count is settled as projected, never as free."""
    gate = KeepingGate()
    free = submit(summary="Fine.")
    quiet = Reply(calls=free.calls, counts=False)
    review(gate, quiet)
    (call,) = gate.of(ModelCall)
    assert isinstance(call, ModelCall)
    assert gate.tokens == call.prompt_tokens + call.max_output_tokens


def test_the_projection_is_rather_too_high() -> None:
    """The projected prompt has at least one token for four characters sent."""
    gate = KeepingGate()
    _, server = review(gate, submit(summary="Fine."))
    (call,) = gate.of(ModelCall)
    assert isinstance(call, ModelCall)
    assert call.prompt_tokens > len(str(server.requests[0])) / 4
    assert call.projected_usd > 0
    assert server.requests[0]["max_completion_tokens"] == call.max_output_tokens


def test_a_loop_of_identical_tool_calls_is_ended_by_the_gate() -> None:
    """A loop of identical tool calls is ended by the gate, not told to the model."""
    gate = KeepingGate(most_equal_calls(2))
    report, server = review(gate, READ)
    assert not report.did_review
    assert not report.is_infrastructure
    assert report.failure == "the same call 3 times"
    assert server.count == 3  # the third answer is the one that was not followed
    assert len(gate.of(ToolCall)) == 2
    assert isinstance(gate.asked[-1], ToolCall)  # nothing was asked after it


def test_a_request_over_the_budget_never_reaches_the_provider() -> None:
    """A request over the budget never reaches the provider."""
    gate = KeepingGate(most_tokens(3_000))
    report, server = review(gate, submit(summary="Fine."))
    assert server.count == 0
    assert not report.did_review
    assert "3000 allowed" in report.failure
    assert not report.is_infrastructure


def test_the_request_that_would_cross_the_line_is_the_one_that_is_not_made() -> None:
    """Requests inside the budget are made; the one that would cross it is not."""
    gate = KeepingGate(most_tokens(9_000))
    calls = (Call(name="search", arguments={"text": "mean"}),)
    big = Reply(calls=calls, prompt_tokens=2_500, output_tokens=1_000)
    report, server = review(gate, big)
    assert server.count == len(gate.of(ModelCall)) == 1
    assert gate.tokens == 3_500
    assert not report.did_review


def test_a_tool_that_was_never_offered_is_judged_and_ends_the_review() -> None:
    """A tool that was never offered is judged, and ends the review where refused."""
    gate = KeepingGate(only_tools("read_file"))
    shell = Reply(calls=(Call(name="shell", arguments={"command": "id"}),))
    report, server = review(gate, shell, submit(summary="Fine."))
    assert report.failure == "shell is not listed"
    assert server.count == 1


def test_a_refusal_that_is_not_final_is_told_to_the_model() -> None:
    """A refusal that is not final is told to the model, and the review goes on."""
    gate = KeepingGate(refusing(Proposal, "it weakens a check", final=False))
    report, server = review(gate, PROPOSE, submit(summary="Fine."))
    assert report.did_review
    assert report.proposals == ()
    answers = [
        each for each in server.requests[1]["messages"] if each["role"] == "tool"
    ]
    assert "it weakens a check" in answers[0]["content"]


def test_a_proposal_is_judged_as_one() -> None:
    """What propose_change suggests is judged as a Proposal, and reported."""
    gate = KeepingGate()
    report, _ = review(gate, PROPOSE, submit(summary="Fine."))
    assert report.did_review
    (proposal,) = gate.of(Proposal)
    assert report.proposals == (proposal,)
    assert proposal == Proposal(**CHANGE)
    assert gate.all_settled


def test_a_remark_that_repeats_a_proposal_is_merged_with_it() -> None:
    """A remark on the lines of a proposal that says the same is not said twice."""
    again = {**DIVIDES, "suggestion": "    return total / (len(values) or 1)"}
    gate = KeepingGate()
    report, _ = review(gate, PROPOSE, submit(summary="F.", remarks=[again, DIVIDES]))
    assert report.did_review
    assert len(report.proposals) == len(gate.of(Proposal)) == 1
    assert report.publications == ()
    assert report.details["remarks_merged"] == "2"


def test_a_remark_with_a_suggestion_is_judged_as_a_proposal() -> None:
    """A remark with a suggestion is judged as a Proposal for the quoted lines."""
    gate = KeepingGate()
    better = {**DIVIDES, "suggestion": "    return total / max(len(values), 1)"}
    report, _ = review(gate, submit(summary="Fine.", remarks=[better]))
    assert list(report.proposals) == gate.of(Proposal)
    assert report.publications == ()
    assert report.proposals[0].expected == "    return total / len(values)"


def test_a_refused_remark_is_not_in_the_report() -> None:
    """A remark that the gate refuses is not in the report."""
    gate = KeepingGate(refusing(Publication, final=False))
    report, _ = review(gate, submit(summary="Fine.", remarks=[DIVIDES]))
    assert report.did_review
    assert report.publications == ()
    assert report.details["remarks_refused"] == "1"


def test_remarks_about_nothing_in_the_change_are_no_review() -> None:
    """An answer with not one remark about the change is no review."""
    invented = remark(evidence="subprocess.run(command, shell=True)")
    report, _ = review(KeepingGate(), submit(summary="Bad.", remarks=[invented]))
    assert not report.did_review
    assert "none of its 1 remarks is about this change" in report.failure
    assert report.details["remarks_not_in_the_change"] == "1"


def test_a_server_error_is_the_providers_fault() -> None:
    """HTTP 500 is infrastructure; the request is repeated once, and judged again."""
    gate = KeepingGate()
    report, server = review(gate, Fault(status=500))
    assert not report.did_review
    assert report.is_infrastructure
    assert "HTTP 500" in report.failure
    assert server.count == len(gate.of(ModelCall)) == 2
    assert gate.tokens == 0


def test_a_passing_fault_is_passed() -> None:
    """A rate limit that passes does not spoil the review."""
    slow = Fault(status=429, headers={"retry-after": "1"})
    report, server = review(KeepingGate(), slow, submit(summary="Fine."))
    assert report.did_review
    assert server.count == 2


def test_a_refused_key_is_infrastructure_and_not_repeated() -> None:
    """HTTP 401 is infrastructure and is not repeated."""
    report, server = review(KeepingGate(), Fault(status=401))
    assert report.is_infrastructure
    assert server.count == 1


def test_an_answer_that_is_no_json_is_the_providers_fault() -> None:
    """A body that is no JSON is infrastructure, settled as if it had been paid for."""
    gate = KeepingGate()
    report, _ = review(gate, GARBAGE)
    assert not report.did_review
    assert report.is_infrastructure
    assert "cannot be read" in report.failure
    assert gate.tokens > 0


def test_json_that_is_no_completion_is_the_providers_fault() -> None:
    """JSON that is no completion is infrastructure."""
    report, _ = review(KeepingGate(), NOT_A_COMPLETION)
    assert not report.did_review
    assert report.is_infrastructure


def test_a_provider_that_cannot_be_reached_costs_nothing() -> None:
    """A provider that cannot be reached is infrastructure and costs nothing."""
    gate = KeepingGate()
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    report = run(BuiltinAgent(MODEL, environ, sleep=no_sleep), gate)
    assert report.is_infrastructure
    assert "not reached" in report.failure
    assert gate.tokens == 0


def test_without_a_key_no_network_is_used_and_the_report_says_what_to_set() -> None:
    """Without a key nothing is asked, and the report says what to set."""
    gate = KeepingGate()
    report = run(BuiltinAgent(MODEL, {}), gate)
    assert not report.did_review
    assert report.is_infrastructure
    assert report.failure == (
        "no key for openai:gpt-5-mini: set OPENAI_API_KEY in the server's environment"
    )
    assert gate.asked == []


def test_a_large_change_is_reviewed_part_by_part() -> None:
    """A large change is reviewed in parts, each file in at least one of them."""
    line = "value = compute_something_that_takes_a_while(argument)\n"
    after = {f"part{n}.py": line * 500 for n in range(4)}
    gate = KeepingGate()
    with serving([submit(summary="Fine.")]) as server:
        report = run(agent_at(server), gate, task({}, after))
    assert report.did_review
    assert server.count == int(report.details["parts"]) > 1
    said = "".join(server.prompt(each) for each in range(server.count))
    assert all(f"=== part{n}.py" in said for n in range(4))
    assert said.count(line.strip()) == 2_000


def test_what_was_found_before_a_fault_is_not_lost() -> None:
    """Remarks of the parts before a fault are published; it is no whole review."""
    line = "value = compute_something_that_takes_a_while(argument)\n"
    given = task({}, {f"part{n}.py": f"first_{n} = 1\n" + line * 500 for n in range(4)})
    found = remark(path="part0.py", line=1, evidence="first_0 = 1")
    gate = KeepingGate()
    with serving(
        [submit(summary="Fine.", remarks=[found]), Fault(status=500)]
    ) as server:
        report = run(agent_at(server), gate, given)
    assert not report.did_review
    assert report.is_infrastructure
    assert [each.path for each in report.publications] == ["part0.py"]


def test_a_file_to_review_that_is_not_in_the_change_is_no_review() -> None:
    """A path in scope that the change does not have is never taken for reviewed."""
    with serving([submit(summary="Fine.")]) as server:
        report = run(agent_at(server), KeepingGate(), task(scope=("app.py", "b.py")))
    assert not report.did_review
    assert server.count == 0


def test_only_the_files_in_scope_are_shown() -> None:
    """A probe's model sees the files in its scope and no other."""
    given = task(scope=("docs/notes.md",))
    with serving([submit(summary="Fine.")]) as server:
        run(agent_at(server), KeepingGate(), given)
    assert "docs/notes.md" in server.prompt()
    assert "app.py" not in server.prompt()


def test_only_allowed_tools_are_offered() -> None:
    """A tool that the fuse does not allow is not offered to the model."""
    with serving([submit(summary="Fine.")]) as server:
        agent = BuiltinAgent(MODEL, server.environ, tools=("read_file",))
        run(agent, KeepingGate())
    names = {each["function"]["name"] for each in server.requests[0]["tools"]}
    assert names == {"read_file", "submit_review"}


def test_the_temperature_is_low_where_the_model_takes_one() -> None:
    """A model that takes a temperature gets zero; one that reasons gets none."""
    for model, given in (("openai:gpt-4o-mini", 0.0), (MODEL, None)):
        with serving([submit(summary="Fine.")]) as server:
            assert run(agent_at(server, model), KeepingGate()).did_review
        assert server.requests[0].get("temperature") == given


def test_a_cancelled_review_leaves_nothing_open_and_is_settled() -> None:
    """A review that is cancelled closes its client and settles what it asked."""
    gate = KeepingGate()

    async def cancel_soon(server: ModelServer) -> None:
        agent = agent_at(server)
        running = asyncio.ensure_future(agent.review(task(), gate, lambda _: None))
        while not server.count:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled()

    with serving([Fault(status=500, hangs=0.5)]) as server:
        asyncio.run(cancel_soon(server))
    gc.collect()  # an unclosed client or socket would warn here, and fail
    assert gate.all_settled
    assert gate.tokens > 0


def test_dense_text_counts_more_tokens_than_words() -> None:
    """Text that tokenizes badly is not taken for cheap."""
    words = "the quick brown fox jumps over it " * 10
    base64 = "aGVsbG8gd29ybGQ" * 23
    assert estimate(base64) > 2 * estimate(words)
    assert estimate("日本語" * 10) >= 30


def test_anthropic_is_asked_in_its_own_protocol() -> None:
    """A model of Anthropic is asked in its own protocol, behind the same gate."""
    gate = KeepingGate()
    with serving([READ, submit(summary="Fine.", remarks=[DIVIDES])]) as server:
        report = run(agent_at(server, "anthropic:claude-haiku-4-5"), gate)
    assert report.did_review, report.failure
    assert [each.line for each in report.publications] == [5]
    assert server.count == 2
    assert server.requests[0]["max_tokens"] == task().max_output_tokens
    assert server.requests[0]["temperature"] == 0.0
    assert gate.tokens == 2 * 960
