"""B22: a check run takes 50 annotations a request and 65 535 characters a text."""

from __future__ import annotations

import pytest

from app.github.hub import GitHubHub
from app.ports import Annotation, CheckReport
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.conftest import OpenPull
from tests.simulator.client import CheckRunState, SimulatorClient

CREATE, UPDATE = "checks/create", "checks/update"


def _report(count: int, message: str = "m") -> CheckReport:
    notes = (
        Annotation(
            path="a.py",
            line=number % 40 + 1,
            end_line=number % 40 + 1,
            level="failure" if number % 7 == 0 else "notice",
            title=f"finding {number}",
            message=f"{number} {message}",
        )
        for number in range(count)
    )
    return CheckReport(
        conclusion="failure", title="Found", summary="Sum", annotations=tuple(notes)
    )


def _publish(live: GitHubHub, pull: OpenPull, report: CheckReport) -> CheckRunState:
    live.complete_check(live.open_check(pull.state.head_sha, "x", "Looking"), report)
    (run,) = pull.state.check_runs
    assert (run.status, run.conclusion) == ("completed", report.conclusion)
    assert pull.state.duplicates == []
    return run


@pytest.mark.parametrize("count", [0, 50, 51, 143])
def test_all_findings_arrive_on_one_run(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, count: int
) -> None:
    """None is lost, none doubled, none too many in a request."""
    run = _publish(live, pull, _report(count))
    titles = {each["title"] for each in run.annotations}
    assert titles == {f"finding {number}" for number in range(count)}
    assert people.requests()[UPDATE] == max(1, -(-count // 50))


def test_the_worst_of_700_findings_are_shown(live: GitHubHub, pull: OpenPull) -> None:
    """Beyond our own cap the rest is counted in the summary."""
    run = _publish(live, pull, _report(700, "why " * 500))
    assert len(run.annotations) == 500
    levels = [each["annotation_level"] for each in run.annotations]
    assert levels == ["failure"] * 100 + ["notice"] * 400
    assert run.summary is not None
    assert "And 200 more" in run.summary


def test_80_000_emoji_are_cut(live: GitHubHub, pull: OpenPull) -> None:
    """Text and message arrive shortened, with their fences closed."""
    siren = "🚨" * 80_000
    report = CheckReport(
        conclusion="failure",
        title=siren,
        summary=f"```\n{siren}",
        text=f"before\n~~~\n{siren}",
        annotations=_report(1, siren).annotations,
    )
    run = _publish(live, pull, report)
    assert run.summary is not None
    assert run.text is not None
    for text, fence in ((run.summary, "```"), (run.text, "~~~")):
        assert len(text.encode()) <= 65_535
        assert text.count(fence) == 2
    assert len(run.annotations[0]["message"].encode()) <= 64_000


@pytest.mark.parametrize("kind", ["bad_gateway", "refused_502", "cut"])
@pytest.mark.parametrize("operation", [CREATE, UPDATE])
def test_a_lost_answer_doubles_nothing(
    live: GitHubHub,
    pull: OpenPull,
    people: SimulatorClient,
    operation: str,
    kind: str,
) -> None:
    """Whether GitHub did it or not: one run, every annotation once."""
    people.set_faults({"kind": kind, "operation": operation})
    run = _publish(live, pull, _report(120))
    assert len(run.annotations) == 120


@pytest.mark.parametrize("page", [0, 1, 2])
def test_a_failed_page_makes_no_second_run(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, page: int
) -> None:
    """A crash between two pages, and the step runs again from its start."""
    people.set_faults(
        {"kind": "slow", "operation": UPDATE, "times": page},
        {"kind": "unauthorized", "operation": UPDATE, "times": 2},
    )
    check_id = live.open_check(pull.state.head_sha, "x", "Looking")
    with pytest.raises(Exception, match="401"):
        live.complete_check(check_id, _report(120))
    run = _publish(live, pull, _report(120))
    assert run.id == check_id
    assert len(run.annotations) == 120
