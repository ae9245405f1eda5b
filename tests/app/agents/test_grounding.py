"""Remarks are held to the change: what they quote must stand there."""

from __future__ import annotations

from typing import Any

from app.agents.answer import Remark
from app.agents.grounding import Sieve, ground
from app.breaker.actions import Proposal, Publication
from guardrails import ChangeSet
from guardrails.diff import from_texts
from tests.model_server.script import remark

BEFORE = "".join(f"line {n}\n" for n in range(1, 41))
AFTER = BEFORE.replace("line 20\n", "danger(1)\nend\ndanger(2)\nend\n").replace(
    "line 22\n", ""
)
CHANGES = ChangeSet(files=(from_texts("a.py", BEFORE, AFTER),))


def sift(*remarks: dict[str, Any]) -> Sieve:
    made = [Remark(**remark(**{"path": "a.py", **each})) for each in remarks]
    return ground(made, CHANGES)


def test_evidence_at_its_line_stays() -> None:
    """A remark whose evidence stands at its line stays there."""
    sieve = sift({"line": 20, "evidence": "danger(1)"})
    assert [each.line for each in sieve.kept] == [20]
    assert sieve.moved == 0


def test_evidence_elsewhere_moves_the_remark() -> None:
    """A remark is moved to the one place where its evidence stands."""
    sieve = sift({"line": 3, "evidence": "  danger(2)  "})
    assert [each.line for each in sieve.kept] == [22]
    assert sieve.moved == 1


def test_evidence_in_several_places_counts_only_near_one_of_them() -> None:
    """Evidence that stands twice is taken at the nearer place, if that is near."""
    assert [k.line for k in sift({"line": 23, "evidence": "end"}).kept] == [23]
    assert sift({"line": 22, "evidence": "end"}).ungrounded == 1  # 21 and 23
    assert sift({"line": 35, "evidence": "end"}).ungrounded == 1


def test_evidence_that_stands_nowhere_drops_the_remark() -> None:
    """Invented code, no evidence and an unknown file drop the remark."""
    sieve = sift(
        {"line": 20, "evidence": "os.system(command)"},
        {"line": 20, "evidence": " \n "},
        {"line": 20, "evidence": "danger(1)", "path": "other.py"},
        {"line": 20, "evidence": "danger(1)", "message": " "},
        {"line": 2, "evidence": "line 2"},  # in the file, not in the change
    )
    assert sieve.kept == []
    assert sieve.ungrounded == 5


def test_a_crumb_is_no_evidence() -> None:
    """Two characters that happen to be in a line prove nothing."""
    assert sift({"line": 20, "evidence": "er"}).ungrounded == 1


def test_a_removed_line_is_remarked_on_at_its_neighbour() -> None:
    """Evidence from a removed line puts the remark on the line that follows it."""
    (kept,) = sift({"line": 24, "evidence": "line 22"}).kept
    assert kept.line == 25  # "line 23", now one further down by three
    assert isinstance(kept.action(), Publication)


def test_a_suggestion_replaces_exactly_the_quoted_lines() -> None:
    """A suggestion with all its lines quoted becomes a proposal for those."""
    quoted = "danger(1)\nend"
    (kept,) = sift(
        {"line": 19, "end_line": 20, "evidence": quoted, "suggestion": "safe()"}
    ).kept
    action = kept.action()
    assert isinstance(action, Proposal)
    assert (action.start_line, action.end_line) == (20, 21)
    assert action.expected == quoted
    assert action.replacement == "safe()"


def test_a_suggestion_for_lines_that_were_not_quoted_is_left_out() -> None:
    """A suggestion for more lines than were quoted, or for a part, is left out."""
    sieve = sift(
        {"line": 20, "end_line": 23, "evidence": "danger(1)", "suggestion": "x"},
        {"line": 22, "evidence": "danger(2", "suggestion": "x"},
        {"line": 25, "evidence": "line 22", "suggestion": "x"},
    )
    assert [type(each.action()) for each in sieve.kept] == [Publication] * 3
    assert sieve.suggestions_left_out == 3


def test_two_remarks_that_say_the_same_are_one() -> None:
    """Of two remarks that say the same about a line the more severe one is kept."""
    words = "danger is called without a check of its argument"
    sieve = sift(
        {"line": 20, "evidence": "danger(1)", "message": words, "severity": "low"},
        {"line": 20, "evidence": "danger(1)", "message": f"{words} here"},
        {"line": 20, "evidence": "danger(1)", "message": "The name is misleading."},
    )
    assert [each.remark.severity for each in sieve.kept] == ["medium", "medium"]
    assert sieve.merged == 1


def test_the_worst_comes_first() -> None:
    """Remarks are sorted by severity, then by confidence."""
    sieve = sift(
        {"line": 20, "evidence": "danger(1)", "severity": "low"},
        {"line": 22, "evidence": "danger(2)", "severity": "critical"},
    )
    assert [each.remark.severity for each in sieve.kept] == ["critical", "low"]
