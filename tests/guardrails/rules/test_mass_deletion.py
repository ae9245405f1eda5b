"""The rule for changes that mostly take away."""

from __future__ import annotations

from guardrails import ChangeKind, FileChange, Severity
from tests.guardrails.builders import AGENT, bare, change, findings, words


def removed(count: int) -> list[FileChange]:
    return [
        change(f"old{number}.py", words(20, start=number * 100), None)
        for number in range(count)
    ]


def touched(count: int) -> list[FileChange]:
    return [change(f"new{number}.py", "a = 1\n", "a = 2\n") for number in range(count)]


def test_twenty_removed_files_are_many() -> None:
    """HIGH for an agent, MEDIUM for a human, one finding for all."""
    files = removed(20) + touched(100)
    (strict,) = findings("mass-deletion", *files, policy=AGENT)
    (told,) = findings("mass-deletion", *files)
    assert (strict.severity, told.severity) == (Severity.HIGH, Severity.MEDIUM)
    assert "removes 20 files" in strict.message


def test_nineteen_of_many_are_not() -> None:
    """One less, in a change that does other things too, is fine."""
    assert findings("mass-deletion", *removed(19), *touched(100), policy=AGENT) == []


def test_half_of_the_change_is_much_from_five_files_on() -> None:
    """5 of 10 files count, 4 of 8 and 5 of 11 do not."""
    assert len(findings("mass-deletion", *removed(5), *touched(5))) == 1
    assert findings("mass-deletion", *removed(4), *touched(4)) == []
    assert findings("mass-deletion", *removed(5), *touched(6)) == []


def test_moved_files_are_not_removed() -> None:
    """A folder that was moved without git noticing is no deletion."""
    texts = [words(50, start=number * 1000) for number in range(25)]
    files = [change(f"a/{n}.py", text, None) for n, text in enumerate(texts)]
    files += [change(f"b/{n}.py", None, text) for n, text in enumerate(texts)]
    assert findings("mass-deletion", *files, policy=AGENT) == []


def test_a_change_that_is_nearly_all_loss_is_told() -> None:
    """Thousands of words out and hardly any in, from files that stay."""
    files = [
        change(f"{n}.py", words(2000, start=n * 9000), words(96, start=n * 9000))
        for n in range(3)
    ]
    (finding,) = findings("mass-deletion", *files)
    assert "takes away 5712 words and brings 0" in finding.message
    files.append(change("new.py", None, words(3000, start=90_000)))
    assert findings("mass-deletion", *files) == []


def test_removed_binaries_and_files_without_texts_count() -> None:
    """What no text tells of is removed all the same (B02)."""
    files = [bare(f"{n}.png", ChangeKind.REMOVED, is_binary=True) for n in range(20)]
    assert len(findings("mass-deletion", *files)) == 1
