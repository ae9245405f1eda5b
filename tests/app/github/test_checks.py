"""Our check run, when answers get lost and GitHub refuses a part."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import GitHubRefused, GitHubUnavailable
from app.github.hub import GitHubHub
from app.github.limits import MOST_TEXT
from app.ports import Annotation, CheckReport
from tests.app.github.server import FixedClock, Reply, ScriptedServer

SHA = "a" * 40
LIST = f"GET /repos/o/r/commits/{SHA}/check-runs?app_id=7&check_name=Recloser"
GONE = Reply(status=502)
OK = Reply(body={"id": 5})
INVALID = Reply(status=422, body={"message": "Invalid request"})


def _runs(*runs: dict[str, Any]) -> Reply:
    whole = [
        {"id": 5, "status": "in_progress", "external_id": "x", "app": {"id": 7}, **run}
        for run in runs
    ]
    return Reply(body={"total_count": len(whole), "check_runs": whole})


def _standing(count: int, **more: object) -> Reply:
    output = {"title": "t", "summary": "s", "annotations_count": count}
    return Reply(body={"id": 5, "status": "in_progress", "output": output, **more})


def _note(number: int, level: str = "warning", path: str = "a.py") -> Annotation:
    return Annotation(
        path=path,
        line=number,
        end_line=number,
        level=level,  # type: ignore[arg-type]  # a literal of the caller
        title=f"t{number}",
        message="m",
    )


def _report(*annotations: Annotation) -> CheckReport:
    return CheckReport(
        conclusion="failure", title="t", summary="s", annotations=annotations
    )


def _lines(request: Any) -> list[int]:
    notes = request.body["output"].get("annotations", [])
    return [note["start_line"] for note in notes]


def test_a_run_is_made_in_progress(hub: GitHubHub, server: ScriptedServer) -> None:
    """Where there is none, one is made that carries our external id."""
    server.script = [_runs(), Reply(status=201, body={"id": 9})]
    assert hub.open_check(SHA, "x", "Looking") == 9
    assert server.sent()[0].startswith(LIST)
    assert server.requests[1].body == {
        "name": "Recloser",
        "head_sha": SHA,
        "external_id": "x",
        "status": "in_progress",
        "output": {"title": "Looking", "summary": "Looking"},
    }


def test_our_open_run_is_found(hub: GitHubHub, server: ScriptedServer) -> None:
    """The second call makes nothing."""
    server.script = [_runs({"id": 5}, {"id": 6, "external_id": "other"})]
    assert hub.open_check(SHA, "x", "Looking") == 5


@pytest.mark.parametrize(
    "run",
    [
        {"status": "completed"},
        {"app": {"id": 8}},
        {"app": None},
        {"external_id": "y"},
    ],
)
def test_another_run_is_not_ours(
    hub: GitHubHub, server: ScriptedServer, run: dict[str, Any]
) -> None:
    """Finished runs (B17), other apps and other reviews do not count."""
    server.script = [_runs(run), Reply(status=201, body={"id": 9})]
    assert hub.open_check(SHA, "x", "Looking") == 9


@pytest.mark.parametrize("lost", [GONE, Reply(hang_up=True), Reply(status=504)])
def test_a_lost_answer_makes_no_second_run(
    hub: GitHubHub, server: ScriptedServer, clock: FixedClock, lost: Reply
) -> None:
    """After a 502 the run is looked for before another one is made (B22)."""
    server.script = [_runs(), lost, _runs({"id": 5})]
    assert hub.open_check(SHA, "x", "Looking") == 5
    assert [each.verb for each in server.requests] == ["GET", "POST", "GET"]
    assert clock.slept[0] >= 1


def test_a_lost_request_is_repeated_once(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """When nothing was made it is made; a third failure is the caller's."""
    server.script = [_runs(), GONE, _runs(), Reply(status=201, body={"id": 9})]
    assert hub.open_check(SHA, "x", "Looking") == 9
    server.script = [_runs(), GONE, _runs(), GONE]
    with pytest.raises(GitHubUnavailable):
        hub.open_check(SHA, "x", "Looking")


def test_143_findings_are_three_requests(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Fifty a request; the run is completed with the last of them (B22)."""
    server.script = [_standing(0), OK, OK, OK]
    hub.complete_check(5, _report(*(_note(n) for n in range(1, 144))))
    patches = server.requests[1:]
    assert [len(_lines(each)) for each in patches] == [50, 50, 43]
    sent = [line for each in patches for line in _lines(each)]
    assert sent == list(range(1, 144))
    assert [each.body.get("status") for each in patches] == [None, None, "completed"]
    assert patches[-1].body["conclusion"] == "failure"
    assert "conclusion" not in patches[0].body


@pytest.mark.parametrize(("count", "requests"), [(0, 1), (50, 1), (51, 2)])
def test_few_findings_are_few_requests(
    hub: GitHubHub, server: ScriptedServer, count: int, requests: int
) -> None:
    """Zero findings still publish (B22)."""
    server.script = [_standing(0), *[OK] * requests]
    hub.complete_check(5, _report(*(_note(n + 1) for n in range(count))))
    assert server.script == []
    assert server.requests[-1].body["status"] == "completed"


def test_700_findings_are_cut_worst_first(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """Beyond our cap the summary counts the rest, and the worst are shown."""
    server.script = [_standing(0), *[OK] * 10]
    notes = [_note(n, "notice") for n in range(1, 700)]
    hub.complete_check(5, _report(*notes, _note(999, "failure")))
    assert server.script == []
    assert _lines(server.requests[1])[0] == 999
    assert "And 200 more" in server.requests[-1].body["output"]["summary"]


@pytest.mark.parametrize("standing", [50, 100])
def test_a_crash_in_the_middle_goes_on_where_it_was(
    hub: GitHubHub, server: ScriptedServer, standing: int
) -> None:
    """What stands already is not appended again."""
    server.script = [_standing(standing), *[OK] * 3]
    hub.complete_check(5, _report(*(_note(n) for n in range(1, 144))))
    sent = [line for each in server.requests[1:] for line in _lines(each)]
    assert sent == list(range(standing + 1, 144))


def test_a_completed_run_is_left_alone(hub: GitHubHub, server: ScriptedServer) -> None:
    """A second call after the end writes nothing."""
    server.script = [_standing(3, status="completed", conclusion="failure")]
    hub.complete_check(5, _report(_note(1)))
    assert len(server.requests) == 1


@pytest.mark.parametrize(("stands", "again"), [(0, [1, 2]), (2, [])])
def test_a_lost_answer_doubles_no_annotation(
    hub: GitHubHub, server: ScriptedServer, stands: int, again: list[int]
) -> None:
    """After a 502 GitHub is asked how many annotations stand there (B22)."""
    server.script = [_standing(0), GONE, _standing(stands), OK]
    hub.complete_check(5, _report(_note(1), _note(2)))
    assert _lines(server.requests[-1]) == again
    assert server.requests[-1].body["status"] == "completed"


def test_a_completion_whose_answer_was_lost_is_not_repeated(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The run shows that it was completed: that is enough."""
    done = _standing(2, status="completed", conclusion="failure")
    server.script = [_standing(0), GONE, done]
    hub.complete_check(5, _report(_note(1), _note(2)))
    assert server.script == []


def test_a_refused_annotation_costs_no_other(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The bad one is found by halves and goes into the summary (B23)."""
    server.script = [
        _standing(0),
        INVALID,  # 1 2 3 4, to complete
        INVALID,  # 1 2 3 4
        OK,  # 1 2
        INVALID,  # 3 4
        INVALID,  # 3
        OK,  # 4
        OK,  # complete
    ]
    hub.complete_check(5, _report(*(_note(n) for n in (1, 2, 3, 4))))
    assert server.script == []
    last = server.requests[-1].body
    assert last["status"] == "completed"
    assert "`a.py` line 3: t3" in last["output"]["summary"]
    assert "annotations" not in last["output"]


def test_a_refusal_without_annotations_is_an_error(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """A 422 that no annotation explains is not swallowed."""
    server.script = [_standing(0), INVALID]
    with pytest.raises(GitHubRefused):
        hub.complete_check(5, _report())


@pytest.mark.parametrize(
    ("path", "line"), [("a.py", 0), ("a.py", -1), ("", 1), ("/etc/x", 1), ("\udcff", 1)]
)
def test_an_annotation_without_a_place_goes_into_the_summary(
    hub: GitHubHub, server: ScriptedServer, path: str, line: int
) -> None:
    """What cannot be shown in a file is still told (B23)."""
    server.script = [_standing(0), OK]
    bad = Annotation(
        path=path, line=line, end_line=line, level="failure", title="bad", message="m"
    )
    hub.complete_check(5, _report(bad, _note(3)))
    body = server.requests[-1].body
    assert _lines(server.requests[-1]) == [3]
    assert f"line {line}: bad" in body["output"]["summary"]


def test_every_text_is_within_the_limits(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """However long the words are, GitHub gets what it takes (B22)."""
    server.script = [_standing(0), OK]
    siren = "🚨" * 80_000
    note = Annotation(
        path="a", line=1, end_line=0, level="notice", title=siren, message=siren
    )
    report = CheckReport(
        conclusion="action_required",
        title=siren,
        summary=siren,
        text=f"```\n{siren}",
        annotations=(note,),
        actions=tuple((siren, siren, siren) for _ in range(5)),
    )
    hub.complete_check(5, report)
    body = server.requests[-1].body
    output = body["output"]
    assert all(_size(output[key]) <= MOST_TEXT for key in ("summary", "text"))
    assert _size(output["title"]) <= 255
    sent = output["annotations"][0]
    assert _size(sent["title"]) <= 255
    assert _size(sent["message"]) <= 64_000
    assert sent["end_line"] == 1
    assert len(body["actions"]) == 3
    assert all(_size(each["label"]) <= 20 for each in body["actions"])
    assert all(_size(each["identifier"]) <= 20 for each in body["actions"])
    assert all(_size(each["description"]) <= 40 for each in body["actions"])


def _size(text: str) -> int:
    return len(text.encode())
