"""The app with a watcher that kills it at one chosen step, once.

``begins`` kills before the step had its effect, ``ends`` after the effect and
before the engine has kept that: the two windows in which a crash can double or
lose something.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from app.main import run
from app.settings import Settings


class Assassin:
    """Kills its own process at one step, and never again once the mark is there."""

    def __init__(self, step: str, phase: str, mark: Path) -> None:
        self._target = (step, phase)
        self._mark = mark

    def begins(self, workflow_id: str, step: str) -> None:
        """Kill when this is the step."""
        self._kill(step, "begins")

    def ends(self, workflow_id: str, step: str) -> None:
        """Kill when this is the step."""
        self._kill(step, "ends")

    def _kill(self, step: str, phase: str) -> None:
        if (step, phase) != self._target or self._mark.exists():
            return
        self._mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    step, _, phase = os.environ["VICTIM_DIES_AT"].partition(":")
    assassin = Assassin(step, phase, Path(os.environ["VICTIM_MARK"]))
    run(Settings.load(os.environ), watcher=assassin)
