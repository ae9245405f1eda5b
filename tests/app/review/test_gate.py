"""The one door: what passes is kept, what does not is refused before it happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from app.agents.base import Refused
from app.breaker import (
    DETECTORS,
    Fuse,
    Limits,
    Permit,
    Proposal,
    Publication,
    Refusal,
    ToolCall,
)
from app.errors import RepositoryError
from app.review.gate import ReviewGate
from guardrails import Policy

TEXT = "def add(a, b):\n    return a + b\n"
KEY = "ghp_" + "A" * 36


@dataclass
class OneFile:
    """A head with one file."""

    files: dict[str, str] = field(default_factory=lambda: {"app.py": TEXT})

    def read(self, path: str) -> str | None:
        """Return its text."""
        if path == "huge.py":
            raise RepositoryError("huge.py has too many bytes")
        return self.files.get(path)

    def paths(self) -> Sequence[str]:
        """Return its path."""
        return sorted(self.files)


def gate(stop: Callable[[], str | None] = lambda: None) -> ReviewGate:
    """Return a gate over one file."""
    return ReviewGate(
        Fuse(Limits(), DETECTORS),
        tree=OneFile(),
        scope=("app.py", "huge.py"),
        policy=Policy(author_is_agent=True),
        scanners=(),
        elapsed=lambda: 1.0,
        stop=stop,
    )


def propose(replacement: str, **changes: object) -> Proposal:
    """Return a proposal for the second line."""
    values: dict[str, object] = {
        "path": "app.py",
        "start_line": 2,
        "end_line": 2,
        "replacement": replacement,
        "reason": "better",
    }
    return Proposal(**(values | changes))  # type: ignore[arg-type]  # test builder


def test_a_harmless_proposal_passes_and_is_kept() -> None:
    """Only what passes can ever be published."""
    door = gate()
    good = propose("    return b + a")

    assert isinstance(door.judge(good), Permit)
    assert door.proposals == [good]


def test_a_secret_in_a_proposal_ends_the_review() -> None:
    """It is blocked, it is fatal, and its value is nowhere in the reason."""
    door = gate()

    ruling = door.judge(propose(f'    return "{KEY}"'))

    assert isinstance(ruling, Refusal)
    assert ruling.objection.fatal
    assert ruling.is_final
    assert KEY not in ruling.objection.reason
    assert door.proposals == []
    assert len(door.blocked) == 1
    assert isinstance(door.judge(ToolCall(tool="read_file")), Refusal)


def test_a_proposal_that_does_not_stand_where_it_says_is_moved() -> None:
    """A suggestion that is a line off would overwrite another line (A08)."""
    door = gate()

    door.judge(
        propose(
            "    return b + a", start_line=1, end_line=1, expected="    return a + b"
        )
    )

    assert [(each.start_line, each.end_line) for each in door.proposals] == [(2, 2)]


@pytest.mark.parametrize(
    "bad",
    [
        propose("x = 1", path="other.py"),
        propose("x = 1", path="../etc/passwd"),
        propose("x = 1", path="huge.py"),
        propose("x = 1", start_line=9, end_line=9),
        propose("x = 1", expected="    return a * b"),
        propose("    return a + b"),
        propose("    return a + ("),
    ],
)
def test_a_proposal_that_cannot_be_is_refused_and_the_review_goes_on(
    bad: Proposal,
) -> None:
    """Outside the change, out of place, without effect, or broken."""
    door = gate()

    ruling = door.judge(bad)

    assert isinstance(ruling, Refusal)
    assert not ruling.is_final
    assert isinstance(door.judge(Publication(body="next")), Permit)


def test_a_newer_head_ends_the_review() -> None:
    """Whatever the agent wants next is refused."""
    door = gate(stop=lambda: "newer")

    with pytest.raises(Refused) as refused:
        door.demand(ToolCall(tool="read_file"))

    assert refused.value.is_final
    assert door.is_blown


def test_a_closed_gate_lets_nothing_through() -> None:
    """An agent that was left behind gets no model, no tool and no word."""
    door = gate()
    door.close()

    for action in (ToolCall(tool="read_file"), Publication(body="late")):
        assert isinstance(door.judge(action), Refusal)
    assert door.publications == []
    assert not door.is_blown
