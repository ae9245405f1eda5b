"""B27: the author's own suppression comment must not silence a scanner."""

from __future__ import annotations

import pytest

from guardrails import ChangeKind, FileChange
from guardrails.engine import introduced
from guardrails.scanners import default_scanners


def _rules(path: str, text: str) -> set[str]:
    file = FileChange(path=path, kind=ChangeKind.ADDED, after=text)
    # Each scanner by itself: the engine keeps one voice for one weakness.
    heard = [introduced(each, (file,)) for each in default_scanners()]
    return {each.rule for result in heard for each in result.findings}


SHELL = "import subprocess\n\n\ndef f(cmd):\n    subprocess.call(cmd, shell=True)"
EVAL = "def f(x):\n    return eval(x)"


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        (SHELL, "  # nosec"),
        (SHELL, "  # nosec B602"),
        (SHELL, "  # noqa"),
        (SHELL, "  # noqa: S602"),
        (EVAL, "  # nosemgrep"),
        (EVAL, "  # nosemgrep : py-eval-of-parameter"),
        (EVAL, "  # nosem"),
        (EVAL, "  # a word on nosem and nosec and noqa"),
    ],
)
def test_a_comment_silences_no_scanner(text: str, comment: str) -> None:
    """The same findings with the comment as without it."""
    bare = _rules("a.py", f"{text}\n")
    assert len(bare) >= 2
    assert _rules("a.py", f"{text}{comment}\n") == bare


def test_a_comment_for_the_whole_file_silences_no_scanner() -> None:
    """ruff's and bandit's file-level comments are not obeyed either."""
    bare = _rules("a.py", f"{SHELL}\n")
    assert _rules("a.py", f"# ruff: noqa\n# flake8: noqa\n# nosec\n{SHELL}\n") == bare


def test_a_string_with_the_word_is_no_comment() -> None:
    """bandit once trusted ``# nosec`` inside a string."""
    text = 'import os\n\n\ndef f(x):\n    os.system("ls # nosec" + x)\n'
    assert "bandit.B605" in _rules("a.py", text)


def test_a_comment_in_javascript_silences_nothing() -> None:
    """The rule holds for every language."""
    assert _rules("a.js", "eval(x) // nosemgrep : js-eval\n") == _rules(
        "a.js", "eval(x)\n"
    )
    assert _rules("a.js", "eval(x) // nosemgrep\n") == {"semgrep.js-eval-of-expression"}
