"""The fuse and its detectors: refused before it happens."""

from __future__ import annotations

from dataclasses import dataclass

from app.breaker import (
    DETECTORS,
    Fuse,
    History,
    Limits,
    Objection,
    Permit,
    Proposal,
    Question,
    Refusal,
    Ruling,
    Settlement,
)
from tests.app.breaker.builders import model_call, tool


def fuse(**limits: object) -> Fuse:
    """Return a fuse with all detectors."""
    return Fuse(Limits(**limits), DETECTORS)  # type: ignore[arg-type]  # test builder


def refused_by(ruling: Ruling) -> str:
    """Return the name of the detector that refused."""
    assert isinstance(ruling, Refusal)
    return ruling.objection.detector


def test_a_tool_outside_the_allow_list_never_runs() -> None:
    """The first question is whether the tool is listed at all."""
    assert refused_by(fuse().judge(tool("run_shell"), 0.0)) == "allow-list"


def test_a_blown_fuse_refuses_everything_that_follows() -> None:
    """Whatever the agent does with the refusal, the review is over."""
    guard = fuse()
    guard.judge(tool("run_shell"), 0.0)

    ruling = guard.judge(tool("read_file", path="a.py"), 1.0)

    assert isinstance(ruling, Refusal)
    assert ruling.is_final


def test_the_third_equal_action_is_refused() -> None:
    """Also when its arguments come in another order."""
    guard = fuse()
    guard.judge(tool(path="a.py", start=1), 0.0)
    guard.judge(tool(start=1, path="a.py"), 1.0)

    ruling = guard.judge(tool(path="a.py", start=1), 2.0)

    assert refused_by(ruling) == "structural-loop"


def test_the_number_of_repeats_can_be_raised() -> None:
    """With four allowed repeats the third runs and the fourth does not."""
    guard = fuse(repeats=4)
    rulings = [guard.judge(tool(path="a.py"), float(n)) for n in range(4)]

    assert isinstance(rulings[2], Permit)
    assert refused_by(rulings[3]) == "structural-loop"


def test_three_equal_ones_among_others_in_the_window_are_a_loop() -> None:
    """A-B-A-B-A is one, too."""
    guard = fuse()
    for number, path in enumerate(["a", "b", "a", "b"]):
        assert isinstance(guard.judge(tool(path=path), float(number)), Permit)

    assert refused_by(guard.judge(tool(path="a"), 5.0)) == "structural-loop"


def test_twenty_different_actions_are_no_loop() -> None:
    """A varied refactoring goes through."""
    guard = fuse()

    for number in range(20):
        ruling = guard.judge(tool(path=f"{number}.py"), float(number))
        assert isinstance(ruling, Permit)


def test_the_same_question_with_another_answer_is_no_loop() -> None:
    """Reading a file again after it has changed is work."""
    guard = fuse()
    for number in range(6):
        ruling = guard.judge(tool(path="a.py"), float(number))
        assert isinstance(ruling, Permit), number
        guard.settle(ruling, Settlement(result_digest=f"state {number}"))


def test_the_budget_is_projected_before_the_call() -> None:
    """The call that could cross the line is not made."""
    guard = fuse(tokens=1_000)
    assert isinstance(guard.judge(model_call(400, 400), 0.0), Permit)

    ruling = guard.judge(model_call(100, 200), 1.0)

    assert refused_by(ruling) == "budget"
    assert guard.history.tokens == 800


def test_a_settled_call_counts_what_it_cost() -> None:
    """The answer was shorter than projected, so there is room again."""
    guard = fuse(tokens=1_000)
    first = guard.judge(model_call(400, 400), 0.0)
    assert isinstance(first, Permit)
    guard.settle(first, Settlement(tokens=450))
    guard.settle(first, Settlement(tokens=450))

    assert isinstance(guard.judge(model_call(100, 200), 1.0), Permit)
    assert guard.history.tokens == 750


def test_dollars_are_projected_too() -> None:
    """Two calls of a dollar and a cent do not fit into two dollars."""
    guard = fuse(cost_usd=2.0)
    assert isinstance(guard.judge(model_call(usd=1.01), 0.0), Permit)

    assert refused_by(guard.judge(model_call(usd=1.01), 1.0)) == "budget"


def test_nothing_happens_after_the_deadline() -> None:
    """The clock of the review is part of the question."""
    assert refused_by(fuse(deadline=60.0).judge(tool(), 60.1)) == "deadline"


def test_the_fourth_repair_of_one_artifact_goes_to_a_human() -> None:
    """Three refused proposals to one path, then the review ends."""
    guard = fuse()
    for number in range(3):
        ruling = guard.judge(proposal(f"try {number}"), float(number))
        assert isinstance(ruling, Permit)
        guard.refuse(ruling, Objection(detector="g", reason="x", refuses_only=True))

    assert refused_by(guard.judge(proposal("try 3"), 9.0)) == "bailout"


def test_a_refused_proposal_does_not_end_the_review() -> None:
    """Unless its harm is fatal."""
    guard = fuse()
    ruling = guard.judge(proposal("x"), 0.0)
    assert isinstance(ruling, Permit)

    refusal = guard.refuse(
        ruling, Objection(detector="g", reason="x", refuses_only=True)
    )

    assert not refusal.is_final
    assert isinstance(guard.judge(tool(), 1.0), Permit)


@dataclass(frozen=True)
class Broken:
    """A detector that crashes."""

    name: str = "broken"

    def inspect(self, question: Question, history: History, limits: Limits) -> None:
        """Crash."""
        raise RuntimeError("no")


def test_a_detector_that_crashes_refuses() -> None:
    """A broken guard waves nothing through."""
    assert refused_by(Fuse(Limits(), [Broken()]).judge(tool(), 0.0)) == "broken"


def proposal(replacement: str) -> Proposal:
    """Return a proposal for one line."""
    return Proposal(
        path="a.py", start_line=1, end_line=1, replacement=replacement, reason="r"
    )
