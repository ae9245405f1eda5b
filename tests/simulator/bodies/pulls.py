"""Pull requests, their comments and reviews."""

from __future__ import annotations

from typing import Any

from tests.simulator import diff
from tests.simulator.bodies.common import Json, association, time, user
from tests.simulator.bodies.repositories import api, html, label, repository
from tests.simulator.state import (
    Account,
    Comment,
    Pull,
    Repository,
    Review,
    ReviewComment,
    World,
)


def pull(world: World, known: Repository, each: Pull) -> Json:
    """Return a pull request in full."""
    files = diff.changed_files(known.git, base_of(known, each), each.head_sha)
    commits = known.git.commits(f"{each.base_sha}..{each.head_sha}")
    return {
        **simple(world, known, each),
        "merged": False,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "unknown",
        "merged_by": None,
        "comments": len(each.comments),
        "review_comments": len(each.review_comments),
        "maintainer_can_modify": False,
        "commits": len(commits),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def base_of(known: Repository, each: Pull) -> str:
    """Return the commit that a pull request is compared with: the merge base."""
    tip = known.git.find(each.base_ref) or each.base_sha
    return known.git.merge_base(tip, each.head_sha) or tip


def simple(world: World, known: Repository, each: Pull) -> Json:
    """Return a pull request as lists show it."""
    place, page = api(world, known), html(world, known)
    url, issue = f"{place}/pulls/{each.number}", f"{place}/issues/{each.number}"
    statuses = f"{place}/statuses/{each.head_sha}"
    comment_url = f"{place}/pulls/comments{{/number}}"
    return {
        "url": url,
        "id": each.id,
        "node_id": f"PR_{each.id}",
        "html_url": f"{page}/pull/{each.number}",
        "diff_url": f"{page}/pull/{each.number}.diff",
        "patch_url": f"{page}/pull/{each.number}.patch",
        "issue_url": issue,
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": comment_url,
        "comments_url": f"{issue}/comments",
        "statuses_url": statuses,
        "number": each.number,
        "state": each.state,
        "locked": False,
        "title": each.title,
        "user": user(world, each.author),
        "body": each.body,
        "labels": labels(world, known, each),
        "milestone": None,
        "active_lock_reason": None,
        "created_at": time(each.created_at),
        "updated_at": time(each.updated_at),
        "closed_at": time(each.closed_at),
        "merged_at": None,
        "merge_commit_sha": None,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [user(world, one) for one in each.reviewers],
        "requested_teams": [team(world, known, slug) for slug in each.teams],
        "head": _side(
            world, each.head_owner, each.head_ref, each.head_sha, head_of(world, each)
        ),
        "base": _side(world, known.owner, each.base_ref, each.base_sha, known),
        "_links": {
            "self": {"href": url},
            "html": {"href": f"{page}/pull/{each.number}"},
            "issue": {"href": issue},
            "comments": {"href": f"{issue}/comments"},
            "review_comments": {"href": f"{url}/comments"},
            "review_comment": {"href": comment_url},
            "commits": {"href": f"{url}/commits"},
            "statuses": {"href": statuses},
        },
        "author_association": association(known, each.author),
        "auto_merge": None,
        "draft": each.is_draft,
    }


def team(world: World, known: Repository, slug: str) -> Json:
    """Return a team of the owner."""
    org = f"{world.base_url}/orgs/{known.owner.login}"
    return {
        "id": sum(slug.encode()),
        "node_id": f"T_{slug}",
        "name": slug,
        "slug": slug,
        "description": None,
        "privacy": "closed",
        "permission": "pull",
        "parent": None,
        "url": f"{org}/teams/{slug}",
        "html_url": f"{org}/teams/{slug}",
        "members_url": f"{org}/teams/{slug}/members{{/member}}",
        "repositories_url": f"{org}/teams/{slug}/repos",
        "type": "organization",
        "organization_id": known.owner.id,
    }


def head_of(world: World, each: Pull) -> Repository | None:
    """Return the repository of the head, None when the fork is gone."""
    return world.repositories.get(each.head_repository_id or 0)


def minimal(world: World, known: Repository, each: Pull) -> Json:
    """Return a pull request as check runs carry it."""
    head = head_of(world, each) or known
    return {
        "id": each.id,
        "number": each.number,
        "url": f"{api(world, known)}/pulls/{each.number}",
        "head": _minimal_side(world, each.head_ref, each.head_sha, head),
        "base": _minimal_side(world, each.base_ref, each.base_sha, known),
    }


def labels(world: World, known: Repository, each: Pull) -> list[Json]:
    """Return the labels on a pull request."""
    return [label(world, known, known.labels[name]) for name in each.labels]


def issue(world: World, known: Repository, each: Pull) -> Json:
    """Return a pull request as the issue that it also is."""
    place, page = api(world, known), html(world, known)
    url = f"{place}/issues/{each.number}"
    page_url = f"{page}/pull/{each.number}"
    return {
        "id": each.id + 1,
        "node_id": f"PR_{each.id}",
        "url": url,
        "repository_url": place,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": page_url,
        "number": each.number,
        "state": each.state,
        "state_reason": None,
        "title": each.title,
        "body": each.body,
        "user": user(world, each.author),
        "labels": labels(world, known, each),
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "locked": False,
        "active_lock_reason": None,
        "comments": len(each.comments),
        "closed_at": time(each.closed_at),
        "created_at": time(each.created_at),
        "updated_at": time(each.updated_at),
        "draft": each.is_draft,
        "author_association": association(known, each.author),
        "pull_request": {
            "url": f"{place}/pulls/{each.number}",
            "html_url": page_url,
            "diff_url": f"{page_url}.diff",
            "patch_url": f"{page_url}.patch",
            "merged_at": None,
        },
        "performed_via_github_app": None,
    }


def comment(world: World, known: Repository, each: Pull, one: Comment) -> Json:
    """Return a comment on a pull request."""
    place, page = api(world, known), html(world, known)
    return {
        "id": one.id,
        "node_id": f"IC_{one.id}",
        "url": f"{place}/issues/comments/{one.id}",
        "html_url": f"{page}/pull/{each.number}#issuecomment-{one.id}",
        "issue_url": f"{place}/issues/{each.number}",
        "body": one.body,
        "user": user(world, one.author),
        "created_at": time(one.created_at),
        "updated_at": time(one.updated_at),
        "author_association": association(known, one.author),
        "performed_via_github_app": None,
    }


def review(world: World, known: Repository, each: Pull, one: Review) -> Json:
    """Return a review."""
    url = f"{api(world, known)}/pulls/{each.number}"
    page = f"{html(world, known)}/pull/{each.number}#pullrequestreview-{one.id}"
    made: Json = {
        "id": one.id,
        "node_id": f"PRR_{one.id}",
        "user": user(world, one.author),
        "body": one.body,
        "state": one.state,
        "html_url": page,
        "pull_request_url": url,
        "_links": {"html": {"href": page}, "pull_request": {"href": url}},
        "commit_id": one.commit_id,
        "author_association": association(known, one.author),
    }
    if one.submitted_at is not None:
        made["submitted_at"] = time(one.submitted_at)
    return made


def review_comment(
    world: World, known: Repository, each: Pull, one: ReviewComment
) -> Json:
    """Return a comment on lines; without a position it is outdated."""
    url = f"{api(world, known)}/pulls/comments/{one.id}"
    pull_url = f"{api(world, known)}/pulls/{each.number}"
    page = f"{html(world, known)}/pull/{each.number}#discussion_r{one.id}"
    is_current = one.commit_id == each.head_sha
    made: Json = {
        "id": one.id,
        "node_id": f"PRRC_{one.id}",
        "url": url,
        "pull_request_review_id": one.review_id,
        "diff_hunk": one.diff_hunk,
        "path": one.path,
        "commit_id": each.head_sha,
        "original_commit_id": one.commit_id,
        "user": user(world, one.author),
        "body": one.body,
        "created_at": time(one.created_at),
        "updated_at": time(one.updated_at),
        "html_url": page,
        "pull_request_url": pull_url,
        "author_association": association(known, one.author),
        "_links": {
            "self": {"href": url},
            "html": {"href": page},
            "pull_request": {"href": pull_url},
        },
        "side": one.side,
        "start_side": one.start_side,
        "start_line": one.start_line if is_current else None,
        "original_start_line": one.start_line,
        "subject_type": "file" if one.line is None else "line",
    }
    if one.line is not None:
        made["original_line"] = one.line
        made["line"] = one.line if is_current else None
    if one.position is not None:
        made["original_position"] = one.position
        made["position"] = one.position if is_current else None
    if one.in_reply_to is not None:
        made["in_reply_to_id"] = one.in_reply_to
    return made


def _side(
    world: World, owner: Account, ref: str, sha: str, place: Repository | None
) -> dict[str, Any]:
    return {
        "label": f"{owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(world, owner),
        "repo": repository(world, place) if place else None,
    }


def _minimal_side(
    world: World, ref: str, sha: str, place: Repository
) -> dict[str, Any]:
    repo = {"id": place.id, "url": api(world, place), "name": place.name}
    return {"ref": ref, "sha": sha, "repo": repo}
