"""What people do with repositories and pull requests."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from tests.simulator.client_commands import Commands
from tests.simulator.client_states import RepositoryState

Content = str | bytes | Mapping[str, str] | None


class PullCommands(Commands):
    """Make repositories, push, open and change pull requests."""

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


def _encoded(files: Mapping[str, Content]) -> dict[str, Any]:
    return {
        path: {"base64": base64.b64encode(content).decode()}
        if isinstance(content, bytes)
        else content
        for path, content in files.items()
    }
