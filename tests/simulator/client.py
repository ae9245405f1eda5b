"""The typed side of the simulator's own commands, for tests and the demo.

It plays the people on GitHub: makes repositories, opens pull requests, pushes, sets
labels, presses buttons; and it reads back what the app wrote.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx

from tests.simulator.client_states import (
    CheckRunState,
    CommentState,
    DeliveryState,
    PullState,
    RepositoryState,
    ReviewCommentState,
    ReviewState,
)

__all__ = [
    "CheckRunState",
    "CommentState",
    "DeliveryState",
    "PullState",
    "RepositoryState",
    "ReviewCommentState",
    "ReviewState",
    "SimulatorClient",
    "SimulatorError",
]

T = TypeVar("T")
Content = str | bytes | Mapping[str, str] | None


class SimulatorError(Exception):
    """The simulator will not do it, or what was waited for did not come."""


class SimulatorClient:
    """Commands to one running simulator. Safe from any thread."""

    def __init__(self, base_url: str, timeout: float = 30.0) -> None:
        self.base_url = base_url.rstrip("/")
        self._http = httpx.Client(
            base_url=f"{self.base_url}/_sim/", timeout=timeout, trust_env=False
        )

    def __enter__(self) -> SimulatorClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # -- what people do -----------------------------------------------------------

    def create_repository(
        self,
        owner: str,
        name: str,
        files: Mapping[str, Content],
        *,
        private: bool = True,
        install: bool = True,
        default_branch: str = "main",
        author: str = "ada",
    ) -> RepositoryState:
        """Make a repository with a first commit; its author is its admin."""
        made = self.command(
            "create_repository",
            owner=owner,
            name=name,
            files=_encoded(files),
            private=private,
            install=install,
            default_branch=default_branch,
            author=author,
        )
        return RepositoryState(**made)

    def open_pull(
        self,
        owner: str,
        name: str,
        branch: str,
        files: Mapping[str, Content] | None,
        title: str,
        body: str | None = "",
        author: str = "ada",
        *,
        base: str = "",
        draft: bool = False,
        fork: str = "",
    ) -> int:
        """Push a branch and open a pull request from it; return its number.

        Args:
            owner: of the repository.
            name: of the repository.
            branch: of the head; made from the base when it does not exist.
            files: what one commit changes; None as content deletes, None as the
                whole means that the branch is taken as it is.
            title: of the pull request, and the commit's message.
            body: of the pull request.
            author: of the commit and the pull request.
            base: the branch to merge into, by default the default branch.
            draft: whether it is one.
            fork: the login in whose fork the branch is pushed.
        """
        made = self.command(
            "open_pull",
            owner=owner,
            name=name,
            branch=branch,
            files=None if files is None else _encoded(files),
            title=title,
            body=body,
            author=author,
            base=base,
            draft=draft,
            fork=fork,
        )
        return int(made["number"])

    def push_commit(
        self,
        owner: str,
        name: str,
        number: int,
        files: Mapping[str, Content],
        *,
        message: str = "",
        author: str = "",
        force: bool = False,
    ) -> str:
        """Push to the head; ``force`` replaces all its commits. Return the sha."""
        made = self.command(
            "push_commit",
            owner=owner,
            name=name,
            number=number,
            files=_encoded(files),
            message=message,
            author=author,
            force=force,
        )
        return str(made["sha"])

    def push_branch(
        self,
        owner: str,
        name: str,
        files: Mapping[str, Content],
        *,
        branch: str = "",
        message: str = "",
        author: str = "",
    ) -> str:
        """Push to a branch, by default the default branch. Return the sha."""
        made = self.command(
            "push_branch",
            owner=owner,
            name=name,
            files=_encoded(files),
            branch=branch,
            message=message,
            author=author,
        )
        return str(made["sha"])

    def reset_pull(self, owner: str, name: str, number: int, sha: str) -> None:
        """Force the head back to a commit that exists."""
        self.command("reset_pull", owner=owner, name=name, number=number, sha=sha)

    def delete_fork(self, owner: str, name: str, number: int) -> None:
        """Delete the fork that a pull request comes from."""
        self.command("delete_fork", owner=owner, name=name, number=number)

    def edit_pull(self, owner: str, name: str, number: int, **changes: Any) -> None:
        """Change ``state``, ``draft``, ``base``, ``title`` or ``body``."""
        self.command("edit_pull", owner=owner, name=name, number=number, **changes)

    def close_pull(self, owner: str, name: str, number: int) -> None:
        """Close a pull request."""
        self.edit_pull(owner, name, number, state="closed")

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

    def queue_merge(
        self, owner: str, name: str, number: int, action: str = "checks_requested"
    ) -> str:
        """Put a pull request into the merge queue; return the group's head."""
        made = self.command(
            "merge_group", owner=owner, name=name, number=number, action=action
        )
        return str(made["head_sha"])

    def change_installation(
        self, installation_id: int, action: str, **more: Any
    ) -> None:
        """Do suspend, unsuspend, deleted, added, removed or permissions."""
        self.command(
            "installation", installation_id=installation_id, action=action, **more
        )

    def rename_repository(self, owner: str, name: str, to: str) -> None:
        """Rename a repository; the old name is redirected."""
        self.command("rename_repository", owner=owner, name=name, to=to)

    def delete_repository(self, owner: str, name: str) -> None:
        """Delete a repository."""
        self.command("delete_repository", owner=owner, name=name)

    # -- what goes wrong ----------------------------------------------------------

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

    # -- what is there ------------------------------------------------------------

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

    def wait_until(
        self,
        predicate: Callable[[], T | None],
        timeout: float = 30.0,
        *,
        interval: float = 0.1,
    ) -> T:
        """Return what ``predicate`` returns as soon as it is true.

        Raises:
            SimulatorError: it did not become true in time.
        """
        end = time.monotonic() + timeout
        while True:
            found = predicate()
            if found:
                return found
            if time.monotonic() > end:
                raise SimulatorError(f"not true within {timeout} s: {predicate}")
            time.sleep(interval)

    def command(self, command: str, /, **body: Any) -> Any:
        """Send one command."""
        answer = self._http.post(command, json=body)
        if answer.status_code != 200:
            raise SimulatorError(f"{command}: {answer.text}")
        return answer.json()


def _encoded(files: Mapping[str, Content]) -> dict[str, Any]:
    return {
        path: {"base64": base64.b64encode(content).decode()}
        if isinstance(content, bytes)
        else content
        for path, content in files.items()
    }
