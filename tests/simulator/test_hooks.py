"""Webhooks are signed, come in order, and go wrong when told to."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator

import pytest

from tests.simulator.builders import FILES, NAME, OWNER, Shop, as_app
from tests.simulator.client import SimulatorClient
from tests.simulator.receiver import Received, Receiver

SECRET = "s" * 24


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Give a place that takes webhooks."""
    with Receiver() as made:
        yield made


def listen(sim: SimulatorClient, receiver: Receiver) -> None:
    """Let webhooks go to the receiver."""
    sim.set_hook(receiver.url, SECRET)


def of(received: list[Received], event: str) -> list[Received]:
    """Return what came of one event."""
    return [each for each in received if each.event == event]


def test_the_signature_is_the_hmac_of_the_body(shop: Shop, receiver: Receiver) -> None:
    """``X-Hub-Signature-256`` equals an HMAC that is computed here."""
    listen(shop.sim, receiver)
    shop.sim.add_comment(OWNER, NAME, shop.number, "hé", by="eve")
    one = receiver.wait(lambda got: len(got) == 1)[0]
    expected = hmac.new(SECRET.encode(), one.body, hashlib.sha256).hexdigest()
    assert one.headers["x-hub-signature-256"] == f"sha256={expected}"
    assert one.headers["x-github-hook-installation-target-type"] == "integration"
    assert json.loads(one.body)["installation"]["id"] == shop.installation_id


def test_the_events_of_a_new_pull_come_in_order(
    sim: SimulatorClient, receiver: Receiver
) -> None:
    """A push comes first, then the suite, then the pull request."""
    listen(sim, receiver)
    sim.create_repository(OWNER, NAME, FILES)
    sim.open_pull(OWNER, NAME, "b", {"x.py": "1\n"}, "T", "", "bob")
    got = receiver.wait(lambda got: len(got) == 4)
    wanted = ["installation", "push", "check_suite", "pull_request"]
    assert [each.event for each in got] == wanted
    push = json.loads(got[1].body)
    assert push["commits"][0]["added"] == ["x.py"]


def test_our_own_label_comes_back_from_a_bot(shop: Shop, receiver: Receiver) -> None:
    """What the app writes is told to the app, with itself as the sender."""
    listen(shop.sim, receiver)
    place = f"/{{repo}}/issues/{shop.number}/labels"
    shop.api.post(place, {"labels": ["needs-human-review"]})
    got = receiver.wait(lambda got: len(got) == 1)[0]
    payload = json.loads(got.body)
    assert payload["action"] == "labeled"
    assert payload["label"]["name"] == "needs-human-review"
    assert payload["sender"]["type"] == "Bot"
    assert payload["sender"]["login"] == "recloser[bot]"


def test_an_event_without_subscription_is_not_sent(shop: Shop) -> None:
    """The app did not subscribe to ``label``."""
    shop.api.post("/{repo}/labels", {"name": "new"})
    assert "label" not in {each.event for each in shop.sim.deliveries()}


def test_a_suspended_installation_hears_only_of_itself(shop: Shop) -> None:
    """After ``suspend`` nothing but ``installation`` events comes, and 403."""
    shop.sim.change_installation(shop.installation_id, "suspend")
    before = len(shop.sim.deliveries())
    shop.sim.add_comment(OWNER, NAME, shop.number, "x")
    assert len(shop.sim.deliveries()) == before
    assert shop.api.send("GET", "/{repo}").status_code == 403
    shop.sim.change_installation(shop.installation_id, "unsuspend")
    assert shop.api.send("GET", "/{repo}").status_code == 200
    assert shop.sim.deliveries()[-1].action == "unsuspend"


def test_a_failed_delivery_is_not_repeated(shop: Shop, receiver: Receiver) -> None:
    """A 500 is noted and that is all; a redelivery has the same GUID."""
    receiver.status = 500
    listen(shop.sim, receiver)
    shop.sim.add_comment(OWNER, NAME, shop.number, "x")
    first = receiver.wait(lambda got: len(got) == 1)[0]
    app = as_app(shop.github)
    listed = shop.sim.wait_until(
        lambda: app.get("/app/hook/deliveries?status=failure"), 5
    )
    assert (listed[0]["guid"], listed[0]["status_code"]) == (first.guid, 500)
    receiver.status = 202
    place = f"/app/hook/deliveries/{listed[0]['id']}"
    assert app.send("POST", f"{place}/attempts").status_code == 202
    second = receiver.wait(lambda got: len(got) == 2)[1]
    assert (second.guid, second.body) == (first.guid, first.body)
    shop.sim.wait_until(lambda: app.get("/app/hook/deliveries?status=success"), 5)
    newest = app.get("/app/hook/deliveries")[0]
    assert newest["redelivery"] is True
    assert app.get(place)["request"]["payload"]["action"] == "created"


def test_deliveries_are_kept_three_days(shop: Shop, receiver: Receiver) -> None:
    """After that they are neither listed nor redelivered."""
    listen(shop.sim, receiver)
    shop.sim.add_comment(OWNER, NAME, shop.number, "x")
    shop.sim.wait_until(lambda: shop.sim.deliveries()[-1].status == "OK", 5)
    last = shop.sim.deliveries()[-1].id
    shop.sim.shift_clock(3 * 86_400 + 60)
    app = as_app(shop.github)
    assert app.get("/app/hook/deliveries") == []
    answer = app.send("POST", f"/app/hook/deliveries/{last}/attempts")
    assert answer.status_code == 404


def test_deliveries_are_listed_by_cursor(shop: Shop, receiver: Receiver) -> None:
    """The Link header leads from page to page, newest first."""
    listen(shop.sim, receiver)
    for text in "abc":
        shop.sim.add_comment(OWNER, NAME, shop.number, text)
    shop.sim.wait_until(lambda: shop.sim.deliveries()[-1].status == "OK", 5)
    app, seen = as_app(shop.github), list[int]()
    path = "/app/hook/deliveries?per_page=2"
    while path:
        answer = app.send("GET", path)
        seen += [each["id"] for each in answer.json()]
        path = answer.links.get("next", {}).get("url", "")
        path = path.removeprefix(shop.github.base_url)
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("duplicate", ["a", "a", "b"]),
        ("reorder", ["b", "a"]),
        ("drop", ["b"]),
        ("delay", ["a", "b"]),
    ],
)
def test_a_rule_changes_what_comes(
    shop: Shop, receiver: Receiver, rule: str, wanted: list[str]
) -> None:
    """Duplicate, reorder, drop and delay do what they say."""
    listen(shop.sim, receiver)
    shop.sim.set_hook_rules({"kind": rule, "event": "issue_comment", "seconds": 0.1})
    for text in "ab":
        shop.sim.add_comment(OWNER, NAME, shop.number, text)
    got = receiver.wait(lambda got: len(got) == len(wanted))
    assert [json.loads(each.body)["comment"]["body"] for each in got] == wanted
    if rule == "duplicate":
        assert got[0].guid == got[1].guid


def test_nobody_listens(shop: Shop) -> None:
    """An address without a server is a failed delivery, nothing worse."""
    shop.sim.set_hook("http://127.0.0.1:9/hook", SECRET)
    shop.sim.add_comment(OWNER, NAME, shop.number, "x")
    last = shop.sim.wait_until(
        lambda: next(
            (x for x in shop.sim.deliveries()[-1:] if x.status != "pending"), None
        ),
        5,
    )
    assert (last.status, last.status_code) == ("failed to connect", 502)


def test_every_command_of_people_sends_what_github_describes(shop: Shop) -> None:
    """All events that people cause keep to the official schemas."""
    sim, number = shop.sim, shop.number
    sim.edit_pull(OWNER, NAME, number, title="New", draft=True)
    sim.edit_pull(OWNER, NAME, number, draft=False)
    sim.push_branch(OWNER, NAME, {"b.txt": "b\n"}, branch="stable")
    sim.edit_pull(OWNER, NAME, number, base="stable")
    sim.add_label(OWNER, NAME, number, "bug")
    sim.remove_label(OWNER, NAME, number, "bug")
    sim.add_review(OWNER, NAME, number, by="eve", state="APPROVED", body="ok")
    sim.push_commit(OWNER, NAME, number, {"c.txt": "c\n"})
    sim.rerequest_suite(OWNER, NAME, shop.head)
    sim.queue_merge(OWNER, NAME, number)
    sim.queue_merge(OWNER, NAME, number, "destroyed")
    sim.close_pull(OWNER, NAME, number)
    sim.edit_pull(OWNER, NAME, number, state="open")
    sim.create_repository(OWNER, "other", FILES)
    sim.change_installation(shop.installation_id, "removed", owner=OWNER, name="other")
    sim.change_installation(
        shop.installation_id, "permissions", permissions={"checks": "write"}
    )
    sim.rename_repository(OWNER, NAME, "store")
    sim.delete_repository(OWNER, "store")
    sim.change_installation(shop.installation_id, "deleted")
    sent = {(each.event, each.action) for each in sim.deliveries()}
    assert sent >= {
        ("pull_request", "opened"), ("pull_request", "edited"),
        ("pull_request", "converted_to_draft"), ("pull_request", "ready_for_review"),
        ("pull_request", "labeled"), ("pull_request", "unlabeled"),
        ("pull_request", "synchronize"), ("pull_request", "closed"),
        ("pull_request", "reopened"), ("push", None),
        ("pull_request_review", "submitted"), ("check_suite", "requested"),
        ("check_suite", "rerequested"), ("merge_group", "checks_requested"),
        ("merge_group", "destroyed"), ("installation", "created"),
        ("installation", "deleted"), ("installation", "new_permissions_accepted"),
        ("installation_repositories", "added"), ("repository", "renamed"),
        ("installation_repositories", "removed"), ("repository", "deleted"),
    }  # fmt: skip
