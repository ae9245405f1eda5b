"""Rules that no schema knows: each is enforced, and a probe notices when it is gone.

Every probe runs twice, with the rule and with the rule weakened. A probe that answers
the same both times would not notice that the simulator forgot the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest

from tests.simulator import access, diff, hooks, rate
from tests.simulator.builders import NAME, OWNER, Shop, as_app, as_installation, at
from tests.simulator.rest import contents, issues, lines, pulls, reviews


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: what asks for it, what it answers, and how it is weakened."""

    probe: Callable[[Shop], int]
    refused: int
    module: ModuleType
    name: str
    weak: Any
    weakened: int


def long_label(shop: Shop) -> int:
    """Make a label of 51 characters."""
    return shop.api.post("/{repo}/labels", {"name": "x" * 51}).status_code


def long_comment(shop: Shop) -> int:
    """Write a comment of 65537 characters."""
    body = {"body": "x" * 65_537}
    return shop.api.post("/{repo}/issues/1/comments", body).status_code


def long_review(shop: Shop) -> int:
    """Write a review of 65537 characters."""
    body = {"body": "x" * 65_537, "event": "COMMENT"}
    return shop.api.post("/{repo}/pulls/1/reviews", body).status_code


def far_line(shop: Shop) -> int:
    """Comment on a line outside of the diff."""
    line = {"path": "shop/cart.py", "line": 40, "body": "c"}
    body = {"event": "COMMENT", "comments": [line]}
    return shop.api.post("/{repo}/pulls/1/reviews", body).status_code


def old_jwt(shop: Shop) -> int:
    """Show a JWT that is good for 20 minutes."""
    exp = at(shop.github, minutes=20)
    return as_app(shop.github, exp=exp).send("GET", "/app").status_code


def old_token(shop: Shop) -> int:
    """Use a token after an hour and a minute."""
    api = as_installation(shop.github, shop.installation_id)
    shop.sim.shift_clock(3660)
    return api.send("GET", "/{repo}").status_code


def large_diff(shop: Shop) -> int:
    """Ask for the diff of two files, where one is the most."""
    answer = shop.api.send(
        "GET", "/{repo}/pulls/1", Accept="application/vnd.github.diff"
    )
    return answer.status_code


def old_delivery(shop: Shop) -> int:
    """Ask for a delivery of four days ago."""
    last = shop.sim.deliveries()[-1].id
    shop.sim.shift_clock(4 * 86_400)
    place = f"/app/hook/deliveries/{last}/attempts"
    return as_app(shop.github).send("POST", place).status_code


def wide_token(shop: Shop) -> int:
    """Write with a token that may only read."""
    api = as_installation(
        shop.github, shop.installation_id, permissions={"pull_requests": "read"}
    )
    return api.post("/{repo}/issues/1/comments", {"body": "x"}).status_code


def everywhere(*_: Any) -> lines.Place:
    """Find any line anywhere."""
    return lines.Place(
        path="shop/cart.py", line=40, side="RIGHT", start_line=None, start_side=None,
        position=1, diff_hunk="@@ -1 +1 @@",
    )  # fmt: skip


RULES = {
    "labels have at most 50 characters": Rule(
        probe=long_label, refused=422,
        module=issues, name="MOST_LABEL", weak=60, weakened=201,
    ),
    "comments have at most 65536 characters": Rule(
        probe=long_comment, refused=422,
        module=issues, name="MOST_BODY", weak=70_000, weakened=201,
    ),
    "reviews have at most 65536 characters": Rule(
        probe=long_review, refused=422,
        module=reviews, name="MOST_BODY", weak=70_000, weakened=200,
    ),
    "a JWT is good for at most ten minutes": Rule(
        probe=old_jwt, refused=401,
        module=access, name="JWT_LIFE", weak=timedelta(hours=1), weakened=200,
    ),
    "deliveries are kept three days": Rule(
        probe=old_delivery, refused=404,
        module=hooks, name="KEPT", weak=timedelta(days=9), weakened=202,
    ),
    "a permission has a level": Rule(
        probe=wide_token, refused=403,
        module=access, name="_RANK", weak={"read": 2, "write": 2}, weakened=201,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_enforced_and_its_loss_is_noticed(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With the rule the probe is refused, without it the probe gets through."""
    rule = RULES[name]
    shift = shop.github.simulator.world.shift
    assert rule.probe(shop) == rule.refused
    shop.github.simulator.world.shift = shift
    monkeypatch.setattr(rule.module, rule.name, rule.weak)
    assert rule.probe(shop) == rule.weakened


def test_a_line_must_lie_in_the_diff(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the look into the diff, a far line would be taken."""
    assert far_line(shop) == 422
    monkeypatch.setattr(lines.Patches, "find", everywhere)
    assert far_line(shop) == 200


def test_a_token_lives_an_hour(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two hours it would still be good."""
    assert old_token(shop) == 401
    monkeypatch.setattr(access, "TOKEN_LIFE", timedelta(hours=2))
    monkeypatch.setattr("tests.simulator.rest.apps.TOKEN_LIFE", timedelta(hours=2))
    assert old_token(shop) == 200


def test_a_large_diff_is_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the most files or lines it is 406; the files are still listed."""
    assert large_diff(shop) == 200
    monkeypatch.setattr(diff, "DIFF_FILES", 1)
    assert large_diff(shop) == 406
    monkeypatch.setattr(diff, "DIFF_FILES", 300)
    monkeypatch.setattr(diff, "PATCH_LINES", 3)
    assert large_diff(shop) == 406
    assert len(shop.api.get("/{repo}/pulls/1/files")) == 2


def test_the_list_of_files_ends(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many files are ever listed, whatever ``changed_files`` says."""
    monkeypatch.setattr(pulls, "MOST_FILES", 1)
    assert len(shop.api.get("/{repo}/pulls/1/files")) == 1
    assert shop.api.get("/{repo}/pulls/1")["changed_files"] == 2


def test_a_large_file_has_no_inline_content(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above 1 MB content is empty; above 100 MB there is none at all."""
    place = "/{repo}/contents/shop/cart.py"
    assert shop.api.get(place)["encoding"] == "base64"
    monkeypatch.setattr(contents, "INLINE_BYTES", 10)
    shown = shop.api.get(place)
    assert (shown["encoding"], shown["content"]) == ("none", "")
    raw = shop.api.send("GET", place, Accept="application/vnd.github.raw+json")
    assert raw.text.startswith("line_1 = 1")
    monkeypatch.setattr(contents, "MOST_BYTES", 10)
    assert shop.api.send("GET", place).status_code == 403


def test_labels_are_equal_whatever_their_case(shop: Shop) -> None:
    """One that differs by case is ``already_exists``; adding finds the first."""
    assert shop.api.post("/{repo}/labels", {"name": "Bug"}).status_code == 201
    answer = shop.api.post("/{repo}/labels", {"name": "bUG"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "already_exists"
    shop.api.post("/{repo}/issues/1/labels", {"labels": ["BUG"]})
    assert list(shop.state.labels) == ["Bug"]
    assert shop.api.get("/{repo}/labels/bug")["name"] == "Bug"


def test_a_label_that_is_not_there_cannot_be_removed(shop: Shop) -> None:
    """404 with GitHub's words."""
    answer = shop.api.send("DELETE", "/{repo}/issues/1/labels/none")
    assert answer.status_code == 404
    assert answer.json()["message"] == "Label does not exist"


def test_the_primary_limit_is_5000_an_hour(shop: Shop) -> None:
    """The headers say what is left."""
    answer = shop.api.send("GET", "/{repo}")
    assert answer.headers["x-ratelimit-limit"] == str(rate.LIMIT) == "5000"


def test_a_reviewer_must_be_a_collaborator(shop: Shop) -> None:
    """Neither the author nor a stranger can be asked for a review."""
    place = "/{repo}/pulls/1/requested_reviewers"
    assert shop.api.post(place, {"reviewers": ["bob"]}).status_code == 422
    assert shop.api.post(place, {"reviewers": ["eve"]}).status_code == 422
    shop.sim.set_role(OWNER, NAME, "eve", "write")
    answer = shop.api.post(place, {"reviewers": ["eve"], "team_reviewers": ["core"]})
    assert answer.status_code == 201
    assert list(shop.state.reviewers) == ["eve", "core"]
    assert shop.sim.deliveries()[-1].action == "review_requested"


def test_a_reaction_is_given_once(shop: Shop) -> None:
    """The second time the same one is 200 and not a second reaction."""
    number = shop.sim.add_comment(OWNER, NAME, shop.number, "/recloser retry")
    place = f"/{{repo}}/issues/comments/{number}/reactions"
    assert shop.api.post(place, {"content": "eyes"}).status_code == 201
    assert shop.api.post(place, {"content": "eyes"}).status_code == 200
    assert list(shop.state.comments[0].reactions) == ["eyes"]
