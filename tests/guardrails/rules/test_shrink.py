"""The rule for long files that lose their words."""

from __future__ import annotations

from guardrails import ChangeKind, Policy, Severity
from tests.guardrails.builders import AGENT, bare, change, findings, words


def test_an_agent_that_cuts_a_long_file_is_blocked() -> None:
    """Below 85 % of 1000 words is HIGH, told with both numbers."""
    (finding,) = findings(
        "shrink", change("a.md", words(1000), words(800)), policy=AGENT
    )
    assert finding.severity is Severity.HIGH
    assert "80% of its 1000 words" in finding.message


def test_a_human_is_only_told() -> None:
    """The same by a human is MEDIUM."""
    (finding,) = findings("shrink", change("a.md", words(1000), words(800)))
    assert finding.severity is Severity.MEDIUM


def test_the_floor_itself_is_enough() -> None:
    """A file that keeps just its share is fine, one word less is not."""
    policy = Policy(author_is_agent=True, shrink_floor=0.5)
    kept = change("a.md", words(1000), words(500))
    lost = change("a.md", words(1000), words(499))
    assert findings("shrink", kept, policy=policy) == []
    assert len(findings("shrink", lost, policy=policy)) == 1


def test_a_short_file_may_shrink() -> None:
    """Below 1000 words nothing is said."""
    assert findings("shrink", change("a.md", words(999), words(10)), policy=AGENT) == []


def test_words_that_move_to_another_file_are_kept() -> None:
    """A file that is split is not a file that shrinks."""
    text = words(1200)
    half = text.index("word600")
    split = (
        change("a.py", text, text[:half]),
        change("b.py", None, text[half:]),
    )
    assert findings("shrink", *split, policy=AGENT) == []
    assert len(findings("shrink", split[0], policy=AGENT)) == 1


def test_lines_moved_within_the_file_do_not_make_up_for_a_loss() -> None:
    """Moved lines are in the new text already and are not counted twice."""
    text = words(1200)
    lines = text.splitlines(keepends=True)
    after = "".join(lines[60:110] + lines[:50])  # 100 of 150 lines, in another order
    (finding,) = findings("shrink", change("a.py", text, after), policy=AGENT)
    assert "67%" in finding.message


def test_delete_and_create_of_one_path_is_measured_as_one() -> None:
    """Deleted here and created there, a file still has to keep its words (A11)."""
    files = (
        change("a.py", words(1000), None),
        change("other.py", None, "x = 1\n"),
        change("a.py", None, words(500)),
    )
    (finding,) = findings("shrink", *files, policy=AGENT)
    assert "50% of its 1000 words" in finding.message


def test_a_lock_file_may_shrink() -> None:
    """Whoever drops a dependency shrinks it."""
    file = change("poetry.lock", words(2000), words(1000))
    assert findings("shrink", file, policy=AGENT) == []


def test_an_unknown_side_is_not_judged() -> None:
    """What was not loaded has its Gap from the loader; nothing is guessed."""
    file = bare("a.py", ChangeKind.MODIFIED, after="x\n")
    assert findings("shrink", file, policy=AGENT) == []
