"""Reviews are taken whole or not at all, and lines must lie in git's diff."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.simulator.builders import NAME, OWNER, Shop

PATH = "shop/cart.py"


def review(shop: Shop, *comments: dict[str, Any], **more: Any) -> httpx.Response:
    """Post one review."""
    body = {"event": "COMMENT", "body": "b", "comments": list(comments), **more}
    return shop.api.post(f"/{{repo}}/pulls/{shop.number}/reviews", body)


def on(line: int, side: str = "RIGHT", **more: Any) -> dict[str, Any]:
    """Return a comment on a line."""
    return {"path": PATH, "line": line, "side": side, "body": "c", **more}


@pytest.mark.parametrize(
    ("line", "side"),
    [(10, "RIGHT"), (11, "RIGHT"), (7, "RIGHT"), (14, "RIGHT"), (10, "LEFT")],
)
def test_a_line_of_the_diff_is_taken(shop: Shop, line: int, side: str) -> None:
    """Added, removed and context lines of a hunk can be commented."""
    assert review(shop, on(line, side)).status_code == 200
    assert shop.state.reviews[0].comments[0].line == line


@pytest.mark.parametrize(
    ("line", "side"), [(6, "RIGHT"), (15, "RIGHT"), (40, "RIGHT"), (11_000, "LEFT")]
)
def test_a_line_outside_of_the_diff_is_refused(
    shop: Shop, line: int, side: str
) -> None:
    """One line beyond the context is not in the diff."""
    answer = review(shop, on(line, side))
    assert answer.status_code == 422
    assert answer.json()["errors"] == ["Line could not be resolved"]


def test_a_path_outside_of_the_diff_is_refused(shop: Shop) -> None:
    """A file that exists but was not changed cannot be commented."""
    answer = review(shop, {"path": "README.md", "line": 1, "body": "c"})
    assert answer.json()["errors"] == ["Path could not be resolved"]


def test_one_bad_line_loses_the_whole_review(shop: Shop) -> None:
    """Nothing is stored and nothing is told when one of two lines is wrong."""
    before = len(shop.sim.deliveries())
    assert review(shop, on(10), on(40)).status_code == 422
    assert shop.state.reviews == []
    assert shop.api.get(f"/{{repo}}/pulls/{shop.number}/comments") == []
    assert len(shop.sim.deliveries()) == before


def test_a_range_lies_in_one_hunk_and_runs_forward(shop: Shop) -> None:
    """Start before end, in the same hunk."""
    assert review(shop, on(11, start_line=10, start_side="RIGHT")).status_code == 200
    assert review(shop, on(10, start_line=11)).status_code == 422
    assert review(shop, on(10, start_line=10)).status_code == 422


def test_a_position_is_counted_from_the_first_hunk(shop: Shop) -> None:
    """Position 1 is the line below the first hunk's head."""
    answer = review(shop, {"path": PATH, "position": 1, "body": "c"})
    assert answer.status_code == 200
    assert shop.state.reviews[0].comments[0].line == 7


def test_a_review_of_an_unknown_commit_is_refused(shop: Shop) -> None:
    """The commit must belong to the pull request."""
    base = shop.state.base_sha
    assert review(shop, commit_id=base).status_code == 422


def test_a_comment_on_an_old_head_is_outdated(shop: Shop) -> None:
    """After a push the comment has no position any more, and keeps the old one."""
    review(shop, on(10))
    shop.sim.push_commit(OWNER, NAME, shop.number, {"shop/third.py": "x = 1\n"})
    shown = shop.api.get(f"/{{repo}}/pulls/{shop.number}/comments")[0]
    assert shown["position"] is None
    assert shown["original_line"] == 10


def test_an_empty_review_is_refused(shop: Shop) -> None:
    """A COMMENT needs a body or comments; a request for changes needs a body."""
    assert review(shop, body="").status_code == 422
    answer = review(shop, on(10), event="REQUEST_CHANGES", body="")
    assert answer.status_code == 422


def test_nobody_approves_a_pull_of_its_own(shop: Shop) -> None:
    """The app cannot approve what it opened itself."""
    world = shop.github.simulator.world
    known = world.repository(OWNER, NAME)
    assert known is not None
    known.pulls[shop.number].author = world.app.bot
    assert review(shop, event="APPROVE").status_code == 422


def test_only_one_review_may_be_pending(shop: Shop) -> None:
    """A second review without an event is refused."""
    place = f"/{{repo}}/pulls/{shop.number}/reviews"
    assert shop.api.post(place, {"body": "a"}).json()["state"] == "PENDING"
    assert shop.api.post(place, {"body": "b"}).status_code == 422


def test_a_review_is_dismissed_once(shop: Shop) -> None:
    """Only an approval or a request for changes can be dismissed."""
    made = review(shop, event="REQUEST_CHANGES").json()
    place = f"/{{repo}}/pulls/{shop.number}/reviews/{made['id']}/dismissals"
    assert shop.api.send("PUT", place, {"message": "m"}).json()["state"] == "DISMISSED"
    assert shop.api.send("PUT", place, {"message": "m"}).status_code == 422
    last = shop.sim.deliveries()[-1]
    assert (last.event, last.action) == ("pull_request_review", "dismissed")


def test_a_single_comment_names_the_field(shop: Shop) -> None:
    """The operation for one comment says which field is wrong."""
    place = f"/{{repo}}/pulls/{shop.number}/comments"
    answer = shop.api.post(place, {**on(40), "commit_id": shop.head})
    assert answer.status_code == 422
    field = answer.json()["errors"][0]["field"]
    assert field == "pull_request_review_thread.line"
    made = shop.api.post(place, {**on(10), "commit_id": shop.head})
    assert made.status_code == 201
    place = f"/{{repo}}/pulls/comments/{made.json()['id']}"
    assert shop.api.patch(place, {"body": "d"}).json()["body"] == "d"
    assert shop.api.send("DELETE", place).status_code == 204
    assert shop.api.send("DELETE", place).status_code == 404
