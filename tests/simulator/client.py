"""The typed side of the simulator's own commands, for tests and the demo.

It plays the people on GitHub: makes repositories, opens pull requests, pushes, sets
labels, presses buttons; and it reads back what the app wrote.
"""

from __future__ import annotations

from tests.simulator.client_commands import SimulatorError
from tests.simulator.client_people import Content, PullCommands
from tests.simulator.client_states import (
    CheckRunState,
    CommentState,
    DeliveryState,
    PullState,
    RepositoryState,
    ReviewCommentState,
    ReviewState,
)
from tests.simulator.client_talk import TalkCommands
from tests.simulator.client_trouble import TroubleCommands

__all__ = [
    "CheckRunState",
    "CommentState",
    "Content",
    "DeliveryState",
    "PullState",
    "RepositoryState",
    "ReviewCommentState",
    "ReviewState",
    "SimulatorClient",
    "SimulatorError",
]


class SimulatorClient(PullCommands, TalkCommands, TroubleCommands):
    """Commands to one running simulator. Safe from any thread."""

    def pull_state(self, owner: str, name: str, number: int) -> PullState:
        """Return a pull request and all that hangs on it."""
        found = self.command("pull_state", owner=owner, name=name, number=number)
        found["check_runs"] = [CheckRunState(**each) for each in found["check_runs"]]
        found["comments"] = [CommentState(**each) for each in found["comments"]]
        found["reviews"] = [
            ReviewState(
                **{
                    **each,
                    "comments": [ReviewCommentState(**x) for x in each["comments"]],
                }
            )
            for each in found["reviews"]
        ]
        return PullState(**found)

    def deliveries(self) -> list[DeliveryState]:
        """Return all webhook deliveries, oldest first."""
        return [DeliveryState(**each) for each in self.command("deliveries")]

    def requests(self) -> dict[str, int]:
        """Return how often each operation was asked for."""
        found: dict[str, int] = self.command("requests")
        return found

    def violations(self) -> list[str]:
        """Return where an exchange broke GitHub's description."""
        found: list[str] = self.command("violations")
        return found

    def clear_violations(self) -> None:
        """Forget the violations."""
        self.command("clear_violations")
