"""What people say on pull requests and do with checks."""

from __future__ import annotations

from tests.simulator.client_commands import Commands


class TalkCommands(Commands):
    """Label, comment, review, press buttons."""

    def add_label(
        self, owner: str, name: str, number: int, label: str, *, by: str = "ada"
    ) -> None:
        """Put a label on a pull request."""
        self.command(
            "add_label", owner=owner, name=name, number=number, label=label, by=by
        )

    def remove_label(
        self, owner: str, name: str, number: int, label: str, *, by: str = "ada"
    ) -> None:
        """Take a label off a pull request."""
        self.command(
            "remove_label", owner=owner, name=name, number=number, label=label, by=by
        )

    def add_comment(
        self, owner: str, name: str, number: int, body: str, *, by: str = "ada"
    ) -> int:
        """Write a comment; return its id."""
        made = self.command(
            "add_comment", owner=owner, name=name, number=number, body=body, by=by
        )
        return int(made["id"])

    def add_review(
        self,
        owner: str,
        name: str,
        number: int,
        *,
        by: str,
        state: str = "COMMENTED",
        body: str = "",
    ) -> int:
        """Review as a person or another bot; return the review's id."""
        made = self.command(
            "add_review",
            owner=owner,
            name=name,
            number=number,
            by=by,
            state=state,
            body=body,
        )
        return int(made["id"])

    def set_role(self, owner: str, name: str, login: str, role: str) -> None:
        """Give somebody a role: admin, maintain, write, triage, read or none."""
        self.command("set_role", owner=owner, name=name, login=login, role=role)

    def press_button(
        self, owner: str, name: str, check_run_id: int, identifier: str, *, by: str
    ) -> None:
        """Press a button of a check run."""
        self.command(
            "press_button",
            owner=owner,
            name=name,
            check_run_id=check_run_id,
            identifier=identifier,
            by=by,
        )

    def rerequest_check(
        self, owner: str, name: str, check_run_id: int, *, by: str = "ada"
    ) -> None:
        """Ask to run a check again."""
        self.command(
            "rerequest", owner=owner, name=name, check_run_id=check_run_id, by=by
        )

    def rerequest_suite(
        self, owner: str, name: str, sha: str, *, by: str = "ada"
    ) -> None:
        """Ask to run all checks of a commit again."""
        self.command("rerequest", owner=owner, name=name, sha=sha, by=by)
