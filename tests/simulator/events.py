"""What GitHub tells the app when something happens."""

from __future__ import annotations

from typing import Any

from tests.simulator.bodies import checks, common, pulls
from tests.simulator.bodies import repositories as repos
from tests.simulator.hooks import Delivery, Hooks
from tests.simulator.repo import ZERO, Commit
from tests.simulator.state import (
    Account,
    CheckRun,
    CheckSuite,
    Comment,
    Installation,
    Label,
    Pull,
    Repository,
    Review,
    ReviewComment,
    World,
)


class Events:
    """Builds payloads from the state and hands them to the hooks."""

    def __init__(self, world: World, hooks: Hooks) -> None:
        self._world = world
        self._hooks = hooks

    def about(
        self, known: Repository, event: str, action: str, sender: Account, **more: Any
    ) -> Delivery | None:
        """Send an event of a repository."""
        payload = {
            **more,
            "repository": repos.repository(self._world, known),
            "sender": common.user(self._world, sender),
        }
        if known.owner.type == "Organization":
            payload["organization"] = _organization(self._world, known.owner)
        installed = self._world.installation_of(known)
        return self._hooks.emit(event, action, payload, installed, known.id)

    def pull_request(
        self, known: Repository, pull: Pull, action: str, sender: Account, **more: Any
    ) -> None:
        """Send ``pull_request``."""
        body = pulls.pull(self._world, known, pull)
        more = {"number": pull.number, "pull_request": body, **more}
        self.about(known, "pull_request", action, sender, **more)

    def labeled(
        self,
        known: Repository,
        pull: Pull,
        label: Label,
        sender: Account,
        *,
        is_added: bool,
    ) -> None:
        """Send what a label on a pull request causes."""
        action = "labeled" if is_added else "unlabeled"
        shown = repos.label(self._world, known, label)
        self.pull_request(known, pull, action, sender, label=shown)

    def check_run(
        self,
        known: Repository,
        run: CheckRun,
        action: str,
        sender: Account,
        identifier: str = "",
    ) -> None:
        """Send ``check_run``."""
        body = checks.run(self._world, known, run)
        suite = checks.suite(self._world, known, run.suite)
        more: dict[str, Any] = {"check_run": {**body, "check_suite": suite}}
        if identifier:
            more["requested_action"] = {"identifier": identifier}
        self.about(known, "check_run", action, sender, **more)

    def check_suite(
        self, known: Repository, suite: CheckSuite, action: str, sender: Account
    ) -> None:
        """Send ``check_suite``."""
        body = checks.suite(self._world, known, suite)
        self.about(known, "check_suite", action, sender, check_suite=body)

    def comment(
        self, known: Repository, pull: Pull, comment: Comment, sender: Account
    ) -> None:
        """Send ``issue_comment.created``."""
        self.about(
            known,
            "issue_comment",
            "created",
            sender,
            issue=pulls.issue(self._world, known, pull),
            comment=pulls.comment(self._world, known, pull, comment),
        )

    def review(
        self, known: Repository, pull: Pull, review: Review, action: str, who: Account
    ) -> None:
        """Send ``pull_request_review``; webhooks write the state in small letters."""
        body = pulls.review(self._world, known, pull, review)
        self.about(
            known,
            "pull_request_review",
            action,
            who,
            review={
                **body,
                "state": review.state.lower(),
                "submitted_at": common.time(review.submitted_at),
            },
            pull_request=pulls.simple(self._world, known, pull),
        )

    def review_comment(
        self, known: Repository, pull: Pull, comment: ReviewComment, who: Account
    ) -> None:
        """Send ``pull_request_review_comment.created``."""
        self.about(
            known,
            "pull_request_review_comment",
            "created",
            who,
            comment=pulls.review_comment(self._world, known, pull, comment),
            pull_request=pulls.simple(self._world, known, pull),
        )

    def label(self, known: Repository, label: Label, action: str, who: Account) -> None:
        """Send ``label``."""
        shown = repos.label(self._world, known, label)
        self.about(known, "label", action, who, label=shown)

    def push(
        self, known: Repository, branch: str, before: str | None, sender: Account
    ) -> None:
        """Send ``push`` for a branch that was created or moved."""
        after = known.git.tip(branch)
        # Of a new branch GitHub lists what no other branch has.
        known_already = [before] if before else known.git.other_tips(branch)
        span = [after, *(f"^{sha}" for sha in known_already)]
        commits = known.git.commits(*span, most=2048)
        page = repos.html(self._world, known)
        is_forced = bool(before) and known.git.merge_base(before or "", after) != before
        shown = [self._pushed(known, each) for each in commits]
        self.about(
            known,
            "push",
            "",
            sender,
            ref=f"refs/heads/{branch}",
            before=before or ZERO,
            after=after,
            base_ref=None,
            created=before is None,
            deleted=False,
            forced=is_forced,
            compare=f"{page}/compare/{(before or after)[:12]}...{after[:12]}",
            commits=shown,
            head_commit=self._pushed(known, known.git.show(after)),
            pusher={"name": sender.login, "email": f"{sender.login}@example.com"},
        )

    def renamed(self, known: Repository, old: str, sender: Account) -> None:
        """Send ``repository.renamed``."""
        changes = {"repository": {"name": {"from": old}}}
        self.about(known, "repository", "renamed", sender, changes=changes)

    def merge_group(self, known: Repository, body: dict[str, Any], action: str) -> None:
        """Send ``merge_group``."""
        more: dict[str, Any] = {"merge_group": body}
        if action == "destroyed":
            more["reason"] = "dequeued"
        who = self._world.account("github-merge-queue[bot]")
        self.about(known, "merge_group", action, who, **more)

    def installation(self, installed: Installation, action: str, who: Account) -> None:
        """Send ``installation``."""
        world = self._world
        body = common.installation(world, installed)
        payload: dict[str, Any] = {
            "installation": body,
            "sender": common.user(world, who),
            "repositories": self._short(installed.repositories),
        }
        if action in ("created",):
            payload["requester"] = None
        self._hooks.emit("installation", action, payload, installed)

    def repositories(
        self, installed: Installation, changed: set[int], action: str, who: Account
    ) -> None:
        """Send ``installation_repositories``."""
        world = self._world
        payload = {
            "installation": common.installation(world, installed),
            "repository_selection": "selected",
            "repositories_added": [],
            "repositories_removed": [],
            "requester": None,
            "sender": common.user(world, who),
            f"repositories_{action}": self._short(changed),
        }
        self._hooks.emit("installation_repositories", action, payload, installed)

    def _short(self, ids: set[int]) -> list[dict[str, Any]]:
        found = (self._world.repositories.get(each) for each in sorted(ids))
        return [common.short_repository(each) for each in found if each is not None]

    def _pushed(self, known: Repository, each: Commit) -> dict[str, Any]:
        page = repos.html(self._world, known)
        people = {
            role: {"name": who.name, "email": who.email, "username": who.name}
            for role, who in (("author", each.author), ("committer", each.committer))
        }
        return {
            "id": each.sha,
            "tree_id": each.tree,
            "distinct": True,
            "message": each.message,
            "timestamp": each.author.when.isoformat(),
            "url": f"{page}/commit/{each.sha}",
            **known.git.touched(each.sha),
            **people,
        }


def _organization(world: World, owner: Account) -> dict[str, Any]:
    api = f"{world.base_url}/orgs/{owner.login}"
    return {
        "login": owner.login,
        "id": owner.id,
        "node_id": f"O_{owner.id}",
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": f"{world.base_url}/avatars/{owner.id}",
        "description": None,
    }
