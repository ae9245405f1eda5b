"""Kill -9 in each step of the workflow, before and after its effect; then restart.

The scenario has every visible effect at once: the agent remarks on something severe,
so that a review, a label, a handoff and a check that is not green are written.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.app.jobs.test_workflow import STEPS
from tests.e2e.conftest import Stage

SCENARIO = """
acts:
  - steps:
      - publish: {path: app.py, line: 1, body: Anybody gets one., severity: critical}
    summary: One severe remark.
"""
FILES = {"app.py": "def one():\n    return 1\n"}


@pytest.mark.chaos
@pytest.mark.parametrize("phase", ["begins", "ends"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_in_any_step_nothing_is_lost_or_doubled(
    step: str, phase: str, make_stage: Callable[..., Stage]
) -> None:
    """One check run, one review, one label, one handoff, whatever died when."""
    stage = make_stage(SCENARIO)
    mark = stage.folder / "died"
    victim = stage.app(
        module="tests.processes.victim",
        VICTIM_DIES_AT=f"{step}:{phase}",
        VICTIM_MARK=str(mark),
    )
    victim.start()
    number = stage.open("one", FILES)
    assert victim.wait_for_end(60) == -9
    assert mark.exists()

    victim.start()
    check = stage.completed(number)

    pull = stage.pull(number)
    assert check.conclusion == "action_required"
    assert len(pull.check_runs) == 1
    assert len(pull.reviews) == 1
    assert list(pull.labels) == ["needs-human-review"]
    assert len(pull.comments) == 1
    assert list(pull.duplicates) == []
