"""B23: a finding on a path or line outside the diff must not fail everything."""

from __future__ import annotations

import pytest

from app.github.hub import GitHubHub
from app.ports import Annotation, CheckReport, ReviewComment
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.conftest import OpenPull
from tests.simulator.client import SimulatorClient

MARKER = "<!-- recloser:review:1 -->"
GOOD = [("new.py", 2), ("a.py", 20), ("a.py", 23)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("README.md", 1),
        ("new.py", 999),
        ("a.py", 1),
        ("a.py", 24),
        ("a.py", 0),
        ("deleted.py", 1),
        ("../up.py", 1),
        ("", 1),
    ],
)
def test_a_bad_place_costs_no_good_comment(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient, path: str, line: int
) -> None:
    """The good comments stand on their lines, the bad one's words in the body."""
    bad = ReviewComment(path=path, line=line, body="the misplaced words")
    good = [ReviewComment(path=p, line=n, body=f"{p}:{n}") for p, n in GOOD]
    live.post_review(pull.number, pull.state.head_sha, "words", [*good, bad], MARKER)
    people.clear_violations()  # a line 0 breaks GitHub's description, too
    (review,) = pull.state.reviews
    assert [(each.path, each.line) for each in review.comments] == GOOD
    assert "the misplaced words" in review.body
    assert review.body.endswith(MARKER)


def test_a_span_over_two_hunks_moves_into_the_body(
    live: GitHubHub, pull: OpenPull
) -> None:
    """Both ends in the diff are not enough: they must be in one hunk."""
    span = ReviewComment(path="a.py", line=20, start_line=3, body="the span")
    live.post_review(pull.number, pull.state.head_sha, "words", [span], MARKER)
    (review,) = pull.state.reviews
    assert review.comments == []
    assert "the span" in review.body


def test_only_bad_places_still_make_a_review(live: GitHubHub, pull: OpenPull) -> None:
    """Words without a single place are posted, once."""
    bad = [ReviewComment(path="no.py", line=n, body=f"bad {n}") for n in (1, 2)]
    for _ in range(2):
        live.post_review(pull.number, pull.state.head_sha, "words", bad, MARKER)
    (review,) = pull.state.reviews
    assert "bad 1" in review.body
    assert "bad 2" in review.body


def test_an_annotation_without_a_place_goes_into_the_summary(
    live: GitHubHub, pull: OpenPull
) -> None:
    """Line 0 is told with its path; the good ones are shown."""
    notes = [
        Annotation(
            path="a.py", line=n, end_line=n, level="warning", title=f"t{n}", message="m"
        )
        for n in (0, 20, 999)
    ]
    report = CheckReport(
        conclusion="failure", title="t", summary="s", annotations=tuple(notes)
    )
    live.complete_check(live.open_check(pull.state.head_sha, "x", "t"), report)
    run = pull.state.check("Recloser")
    assert run is not None
    assert [each["start_line"] for each in run.annotations] == [20, 999]
    assert run.summary is not None
    assert "`a.py` line 0: t0" in run.summary
