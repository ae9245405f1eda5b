"""Pull requests."""

from __future__ import annotations

from tests.simulator import diff, forge
from tests.simulator.bodies import common, pulls, repositories
from tests.simulator.rest.call import ApiError, Call, Reply, invalid

MOST_FILES = 3000
MOST_COMMITS = 250


def list_pulls(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls."""
    known = call.repository
    state = call.query.get("state", "open")
    if state not in ("open", "closed", "all"):
        raise invalid("PullRequest", "state", "state is not valid")
    head, base = call.query.get("head"), call.query.get("base")
    found = [
        each
        for each in known.pulls.values()
        if state in (each.state, "all")
        and base in (None, each.base_ref)
        and head in (None, f"{each.head_owner.login}:{each.head_ref}")
    ]
    is_up = call.query.get("direction", "desc") == "asc"
    by_update = call.query.get("sort") == "updated"
    found.sort(
        key=lambda each: (each.updated_at if by_update else each.created_at, each.id),
        reverse=not is_up,
    )
    return call.page(found, lambda each: pulls.simple(call.world, known, each))


def create_pull(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/pulls."""
    known, body = call.repository, call.body
    head = str(body["head"]).rpartition(":")[2]
    if known.git.find(body["base"]) is None:
        raise invalid("PullRequest", "base", "base is invalid", "invalid")
    if known.git.find(head) is None:
        raise invalid("PullRequest", "head", "head is invalid", "invalid")
    for each in known.pulls.values():
        if each.state == "open" and (each.head_ref, each.base_ref) == (
            head,
            body["base"],
        ):
            owner = known.owner.login
            message = f"A pull request already exists for {owner}:{head}."
            raise invalid("PullRequest", "head", message)
    made = forge.open_pull(
        call.world,
        call.events,
        known,
        forge.Proposal(
            title=body.get("title", ""),
            body=body.get("body"),
            base=body["base"],
            branch=head,
            author=call.principal.actor,
            is_draft=body.get("draft", False),
        ),
    )
    return Reply(status=201, body=pulls.pull(call.world, known, made))


def get_pull(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{pull_number}, or its diff."""
    known, each = call.repository, call.pull
    form = next((x for x in ("diff", "patch") if f".{x}" in call.accept), "")
    if not form:
        return Reply(body=pulls.pull(call.world, known, each))
    base = pulls.base_of(known, each)
    files = diff.changed_files(known.git, base, each.head_sha)
    text = diff.text(known.git, base, each.head_sha)
    if len(files) > diff.DIFF_FILES:
        message = "Sorry, the diff exceeded the maximum number of files"
        raise ApiError(406, f"{message} ({diff.DIFF_FILES}).")
    if text.count("\n") > diff.PATCH_LINES:
        message = "Sorry, the diff exceeded the maximum number of lines"
        raise ApiError(406, f"{message} ({diff.PATCH_LINES})")
    if form == "patch":
        text = known.git.git("format-patch", "--stdout", f"{base}..{each.head_sha}")
    return Reply(text=text, headers={"Content-Type": f"application/vnd.github.{form}"})


def request_reviewers(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers."""
    known, pull, body = call.repository, call.pull, call.body or {}
    asked = [call.world.accounts.get(x.lower()) for x in body.get("reviewers", ())]
    for each in asked:
        if each is pull.author:
            message = "Review cannot be requested from pull request author."
            raise ApiError(422, message)
        if each is None or known.roles.get(each.login.lower(), "none") == "none":
            message = "Reviews may only be requested from collaborators."
            raise ApiError(422, message)
    for each in asked:
        if each is not None and each not in pull.reviewers:
            pull.reviewers.append(each)
            shown = common.user(call.world, each)
            call.events.pull_request(
                known,
                pull,
                "review_requested",
                call.principal.actor,
                requested_reviewer=shown,
            )
    for slug in body.get("team_reviewers", ()):
        if slug not in pull.teams:
            pull.teams.append(slug)
    return Reply(status=201, body=pulls.simple(call.world, known, pull))


def list_files(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{pull_number}/files."""
    known, each = call.repository, call.pull
    base = pulls.base_of(known, each)
    files = diff.changed_files(known.git, base, each.head_sha)[:MOST_FILES]
    return call.page(
        files,
        lambda file: repositories.changed_file(call.world, known, each.head_sha, file),
    )


def list_commits(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{pull_number}/commits."""
    known, each = call.repository, call.pull
    span = f"{pulls.base_of(known, each)}..{each.head_sha}"
    commits = known.git.commits(span)[:MOST_COMMITS]
    return call.page(commits, lambda one: repositories.commit(call.world, known, one))
