"""What goes wrong, and what an owner does to the app and the repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.simulator.client_commands import Commands


class TroubleCommands(Commands):
    """Faults, webhooks, the clock, the installation."""

    def rename_repository(self, owner: str, name: str, to: str) -> None:
        """Rename a repository; the old name is redirected."""
        self.command("rename_repository", owner=owner, name=name, to=to)

    def delete_repository(self, owner: str, name: str) -> None:
        """Delete a repository."""
        self.command("delete_repository", owner=owner, name=name)

    def change_installation(
        self, installation_id: int, action: str, **more: Any
    ) -> None:
        """Do suspend, unsuspend, deleted, added, removed or permissions."""
        self.command(
            "installation", installation_id=installation_id, action=action, **more
        )

    def set_faults(self, *faults: Mapping[str, Any]) -> None:
        """Replace the faults: dicts with the fields of ``faults.Fault``."""
        self.command("set_faults", faults=[dict(each) for each in faults])

    def set_hook_rules(self, *rules: Mapping[str, Any]) -> None:
        """Replace the rules of deliveries: dicts with ``hooks.HookRule``'s fields."""
        self.command("set_hook_rules", rules=[dict(each) for each in rules])

    def set_hook(self, url: str, secret: str) -> None:
        """Say where webhooks go."""
        self.command("set_hook", url=url, secret=secret)

    def set_rate_limit(self, limit: int) -> None:
        """Say how many requests an hour an installation may make."""
        self.command("set_rate_limit", limit=limit)

    def shift_clock(self, seconds: float) -> None:
        """Move the simulator's clock."""
        self.command("shift_clock", seconds=seconds)

    def send_event(
        self,
        event: str,
        payload: Mapping[str, Any],
        *,
        action: str = "",
        installation_id: int = 0,
        repository_id: int | None = None,
    ) -> str:
        """Send any payload, unchecked; return its GUID."""
        made = self.command(
            "send_event",
            event=event,
            action=action,
            payload=dict(payload),
            installation_id=installation_id,
            repository_id=repository_id,
        )
        return str(made["guid"])

    def redeliver(self, delivery_id: int) -> None:
        """Deliver a webhook once more, with the same GUID."""
        self.command("redeliver", delivery_id=delivery_id)

    def queue_merge(
        self, owner: str, name: str, number: int, action: str = "checks_requested"
    ) -> str:
        """Put a pull request into the merge queue; return the group's head."""
        made = self.command(
            "merge_group", owner=owner, name=name, number=number, action=action
        )
        return str(made["head_sha"])
