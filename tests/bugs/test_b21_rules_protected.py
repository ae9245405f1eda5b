"""B21: a change of the guard's own configuration is a finding in itself."""

from __future__ import annotations

import pytest

from guardrails import FileChange, Policy, Severity, evaluate
from tests.guardrails.builders import change, change_set, renamed

PATH = ".github/recloser.yml"
OFF = "enforcement: advise\n"


@pytest.mark.parametrize(
    "file",
    [
        change(PATH, "enforcement: enforce\n", OFF),
        change(PATH, OFF, None),
        change(PATH, None, OFF),
        renamed(PATH, "old.yml", OFF),
        renamed("new.yml", PATH, OFF),
    ],
    ids=["edit", "delete", "add", "move away", "move in"],
)
def test_whoever_touches_the_config_is_told_on(file: FileChange) -> None:
    """An agent is blocked, a human's change is shown to humans."""
    for is_agent, severity in ((True, Severity.HIGH), (False, Severity.MEDIUM)):
        policy = Policy(author_is_agent=is_agent)
        verdict = evaluate(change_set(file), policy)
        (finding,) = (e for e in verdict.findings if e.rule == "protected-path")
        assert finding.severity is severity
        assert "the default branch stays in force" in finding.message
        assert bool(verdict.blocking(Severity.HIGH)) is is_agent
