"""Reviews and comments on lines: a review is taken whole or not at all."""

from __future__ import annotations

from typing import Any

from tests.simulator import forge
from tests.simulator.bodies import pulls
from tests.simulator.rest.call import ApiError, Call, Reply, invalid
from tests.simulator.rest.lines import Misplaced, Patches, Place
from tests.simulator.state import Pull, Repository, Review, ReviewComment

_STATES = {
    "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "COMMENT": "COMMENTED",
}  # fmt: skip
MOST_BODY = 65_536


def list_reviews(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews."""
    known, pull = call.repository, call.pull
    return call.page(
        pull.reviews, lambda each: pulls.review(call.world, known, pull, each)
    )


def create_review(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews."""
    known, pull, body = call.repository, call.pull, call.body or {}
    event, text = body.get("event", ""), body.get("body", "")
    wanted = body.get("comments", [])
    actor = call.principal.actor
    if event in ("APPROVE", "REQUEST_CHANGES") and pull.author is actor:
        verb = "approve" if event == "APPROVE" else "request changes on"
        raise _refused(f"Can not {verb} your own pull request")
    if not text and (event == "REQUEST_CHANGES" or (event == "COMMENT" and not wanted)):
        raise _refused("Body can't be blank")
    if len(text) > MOST_BODY:
        raise _refused("Body is too long (maximum is 65536 characters)")
    if not event and any(
        each.author is actor and each.state == "PENDING" for each in pull.reviews
    ):
        raise _refused("User can only have one pending review per pull request")
    commit_id = body.get("commit_id") or pull.head_sha
    _require_commit(known, pull, commit_id)
    patches = Patches(known, pull, commit_id)
    try:
        # All places are found before anything is stored.
        places = [patches.find(each) for each in wanted]
    except Misplaced as error:
        raise _refused(error.message) from None
    review = forge.add_review(
        call.world,
        pull,
        author=actor,
        body=text,
        state=_STATES.get(event, "PENDING"),
        commit_id=commit_id,
    )
    comments = [
        _add_comment(call, pull, review, place, each["body"], commit_id)
        for each, place in zip(wanted, places, strict=True)
    ]
    if event:
        call.events.review(known, pull, review, "submitted", actor)
        for comment in comments:
            call.events.review_comment(known, pull, comment, actor)
    return Reply(body=pulls.review(call.world, known, pull, review))


def update_review(call: Call) -> Reply:
    """PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}."""
    review = _review(call)
    if review.author is not call.principal.actor:
        raise ApiError(403, "Resource not accessible by integration")
    review.body = call.body["body"]
    shown = pulls.review(call.world, call.repository, call.pull, review)
    return Reply(body=shown)


def dismiss_review(call: Call) -> Reply:
    """PUT /repos/{owner}/{repo}/pulls/{n}/reviews/{review_id}/dismissals."""
    known, pull, review = call.repository, call.pull, _review(call)
    if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
        raise _refused(f"Can not dismiss a {review.state.lower()} pull request review")
    review.state = "DISMISSED"
    call.events.review(known, pull, review, "dismissed", call.principal.actor)
    return Reply(body=pulls.review(call.world, known, pull, review))


def list_review_comments(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{n}/reviews/{review_id}/comments."""
    known, pull, review = call.repository, call.pull, _review(call)
    found = [each for each in pull.review_comments if each.review_id == review.id]
    return call.page(
        found, lambda each: pulls.review_comment(call.world, known, pull, each)
    )


def list_comments(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/pulls/{pull_number}/comments."""
    known, pull = call.repository, call.pull
    return call.page(
        pull.review_comments,
        lambda each: pulls.review_comment(call.world, known, pull, each),
    )


def create_comment(call: Call) -> Reply:
    """POST /repos/{owner}/{repo}/pulls/{pull_number}/comments."""
    known, pull, body = call.repository, call.pull, call.body
    commit_id = body["commit_id"]
    _require_commit(known, pull, commit_id)
    try:
        place = Patches(known, pull, commit_id).find(body)
    except Misplaced as error:
        field = f"pull_request_review_thread.{error.field}"
        raise invalid("PullRequestReviewComment", field, error.message) from None
    actor = call.principal.actor
    review = forge.add_review(
        call.world, pull, author=actor, body="", state="COMMENTED", commit_id=commit_id
    )
    comment = _add_comment(call, pull, review, place, body["body"], commit_id)
    call.events.review(known, pull, review, "submitted", actor)
    call.events.review_comment(known, pull, comment, actor)
    shown = pulls.review_comment(call.world, known, pull, comment)
    return Reply(status=201, body=shown, headers={"Location": shown["url"]})


def update_comment(call: Call) -> Reply:
    """PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}."""
    pull, comment = _comment(call)
    comment.body, comment.updated_at = call.body["body"], call.world.now()
    shown = pulls.review_comment(call.world, call.repository, pull, comment)
    return Reply(body=shown)


def delete_comment(call: Call) -> Reply:
    """DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}."""
    pull, comment = _comment(call)
    pull.review_comments.remove(comment)
    return Reply(status=204)


def _comment(call: Call) -> tuple[Pull, ReviewComment]:
    wanted = int(call.path["comment_id"])
    for pull in call.repository.pulls.values():
        for each in pull.review_comments:
            if each.id == wanted:
                return pull, each
    raise ApiError(404, "Not Found")


def _review(call: Call) -> Review:
    for each in call.pull.reviews:
        if each.id == int(call.path["review_id"]):
            return each
    raise ApiError(404, "Not Found")


def _require_commit(known: Repository, pull: Pull, commit_id: str) -> None:
    span = f"{pulls.base_of(known, pull)}..{pull.head_sha}"
    if commit_id not in {each.sha for each in known.git.commits(span)}:
        raise _refused("commit_id is not part of the pull request")


def _add_comment(
    call: Call, pull: Pull, review: Review, place: Place, body: str, commit_id: str
) -> ReviewComment:
    now = call.world.now()
    made = ReviewComment(
        id=call.world.new_id(),
        review_id=review.id,
        author=review.author,
        body=body,
        path=place.path,
        commit_id=commit_id,
        line=place.line,
        side=place.side,
        start_line=place.start_line,
        start_side=place.start_side,
        position=place.position,
        diff_hunk=place.diff_hunk,
        created_at=now,
        updated_at=now,
    )
    pull.review_comments.append(made)
    return made


def _refused(message: str) -> ApiError:
    errors: list[Any] = [message]
    return ApiError(422, "Unprocessable Entity", errors)
