"""The hub against a whole GitHub: all calls, all of them twice."""

from __future__ import annotations

import pytest

from app.errors import GitHubRefused
from app.github.hub import GitHubHub, GitHubHubFactory, git_url
from app.ports import Annotation, CheckReport, Hub, HubFactory, ReviewComment
from tests.app.github.conftest import OpenPull
from tests.simulator.client import SimulatorClient

MARKER = "<!-- recloser:review:1 -->"
STICKY = "<!-- recloser:handoff:1 -->"
REPORT = CheckReport(
    conclusion="action_required",
    title="A human has to look",
    summary="Because.",
    text="Details.",
    annotations=(
        Annotation(
            path="new.py",
            line=2,
            end_line=2,
            level="warning",
            title="two",
            message="it is two",
        ),
    ),
    actions=(("retry", "Run again", "Run the agent again"),),
)


def _write_everything(hub: Hub, pull: OpenPull) -> None:
    now = hub.pull(pull.number)
    check_id = hub.open_check(now.head_sha, f"acme/shop#{now.number}", "Looking")
    comments = [
        ReviewComment(path="new.py", line=2, body="```suggestion\n2\n```"),
        ReviewComment(path="a.py", line=21, start_line=20, body="hm"),
    ]
    hub.post_review(now.number, now.head_sha, "words", comments, MARKER)
    hub.add_label(now.number, "needs-human-review", "d93f0b", "A human has to look.")
    hub.upsert_comment(now.number, STICKY, f"handoff\n{STICKY}")
    hub.complete_check(check_id, REPORT)


def test_everything_is_written_once(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """Check, review, label and comment stand there, and a repeat changes nothing."""
    _write_everything(live, pull)
    first = pull.state
    check = first.check("Recloser")
    assert check is not None
    assert (check.status, check.conclusion) == ("completed", "action_required")
    assert (check.title, check.summary, check.text) == (
        "A human has to look",
        "Because.",
        "Details.",
    )
    assert [each["message"] for each in check.annotations] == ["it is two"]
    assert [each["label"] for each in check.actions] == ["Run again"]
    (review,) = first.reviews
    assert review.author == "recloser[bot]"
    assert review.state == "COMMENTED"
    assert review.commit_id == first.head_sha
    assert [(c.path, c.start_line, c.line) for c in review.comments] == [
        ("new.py", None, 2),
        ("a.py", 20, 21),
    ]
    assert first.labels == ["needs-human-review"]
    assert [each.body for each in first.comments] == [f"handoff\n\n{STICKY}"]
    live.complete_check(check.id, REPORT)
    live.post_review(pull.number, first.head_sha, "words", [], MARKER)
    live.add_label(pull.number, "Needs-Human-Review", "d93f0b", "x")
    live.upsert_comment(pull.number, STICKY, f"handoff\n{STICKY}")
    assert pull.state == first
    assert first.duplicates == []


@pytest.mark.parametrize("kind", ["bad_gateway", "refused_502", "cut"])
@pytest.mark.parametrize(
    "operation",
    [
        "apps/create-installation-access-token",
        "checks/create",
        "checks/update",
        "pulls/create-review",
        "issues/create-label",
        "issues/add-labels",
        "issues/create-comment",
        "issues/update-comment",
    ],
)
def test_a_lost_answer_costs_and_doubles_nothing(
    live: GitHubHub,
    pull: OpenPull,
    people: SimulatorClient,
    operation: str,
    kind: str,
) -> None:
    """Whether GitHub carried it out or not, everything stands there once."""
    before = people.requests().get(operation, 0)
    people.set_faults({"kind": kind, "operation": operation})
    _write_everything(live, pull)
    live.upsert_comment(pull.number, STICKY, f"newer\n{STICKY}")
    assert people.requests()[operation] > before
    state = pull.state
    check = state.check("Recloser")
    assert check is not None
    assert check.conclusion == "action_required"
    assert len(state.reviews) == 1
    assert [each.body for each in state.comments] == [f"newer\n\n{STICKY}"]
    assert state.labels == ["needs-human-review"]
    assert state.duplicates == []


def test_a_normal_review_needs_few_requests(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """What we cost of the installation's five thousand an hour is known."""
    live.file_on_default_branch(".github/recloser.yml")
    now = live.pull(pull.number)
    with live.checkout(pull.number, now.base_sha, now.head_sha) as tree:
        tree.diff(now.base_sha, now.head_sha)
    check_id = live.open_check(now.head_sha, "x", "Looking")
    live.pull(pull.number)
    live.complete_check(check_id, REPORT)
    assert sum(people.requests().values()) == 10  # one of them is the token


def test_the_pull_request_is_as_github_shows_it(
    live: GitHubHub, pull: OpenPull
) -> None:
    """Every field is there and right."""
    now, state = live.pull(pull.number), pull.state
    assert (now.number, now.state, now.is_draft) == (pull.number, "open", False)
    assert (now.title, now.body, now.author) == ("Title", "Body", "ada")
    assert (now.head_sha, now.head_ref) == (state.head_sha, "topic")
    assert (now.base_sha, now.base_ref) == (state.base_sha, "main")
    assert (now.changed_files, now.default_branch) == (2, "main")


def test_a_closed_draft_by_a_bot_is_seen(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """State, draft and the kind of the author are told."""
    number = people.open_pull(
        "acme", "shop", "bump", {"b": "1\n"}, "Bump", None, "bumper[bot]", draft=True
    )
    people.add_label("acme", "shop", number, "dependencies")
    people.close_pull("acme", "shop", number)
    now = live.pull(number)
    assert (now.state, now.is_draft, now.author_is_bot) == ("closed", True, True)
    assert now.body == ""
    assert now.labels == ("dependencies",)


def test_the_configuration_comes_from_the_default_branch(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """What a pull request makes of the file is not seen (B21), a push is."""
    path = ".github/recloser.yml"
    people.push_commit("acme", "shop", pull.number, {path: "enforcement: enforce\n"})
    for _ in range(2):
        found = live.file_on_default_branch(path)
        assert found.text == "enforcement: advise\n"
        assert found.source == f"acme/shop@main:{path}"
    people.push_branch("acme", "shop", {path: "a: 2\n"})
    assert live.file_on_default_branch(path).text == "a: 2\n"
    people.push_branch("acme", "shop", {path: None})
    assert live.file_on_default_branch(path).text is None


def test_the_files_by_the_api_are_complete(live: GitHubHub, pull: OpenPull) -> None:
    """The second-best way agrees with git for a small change."""
    found = live.changed_files(pull.number)
    assert [(row["path"], row["status"], row["gap"]) for row in found.rows] == [
        ("a.py", "modified", ""),
        ("new.py", "added", ""),
    ]
    assert found.gap == ""


def test_pull_requests_are_found_by_commit_and_in_the_list(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """Forks are found, too, for the payloads do not name them (B17)."""
    number = people.open_pull(
        "acme", "shop", "far", {"c": "1\n"}, "Far", "", "eve", fork="eve"
    )
    sha = people.pull_state("acme", "shop", number).head_sha
    assert live.pulls_for_commit(sha) == [number]
    assert live.open_pulls() == [pull.number, number]
    people.close_pull("acme", "shop", number)
    assert live.pulls_for_commit(sha) == []
    assert live.open_pulls() == [pull.number]


@pytest.mark.parametrize("role", ["admin", "maintain", "write", "triage", "read"])
def test_roles_are_told_apart(
    live: GitHubHub, people: SimulatorClient, role: str
) -> None:
    """Who may loosen and who may only tighten depends on it."""
    people.set_role("acme", "shop", "bob", role)
    assert live.permission("bob") == role


def test_a_label_comes_off(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """Whatever its case, and also when it is not there."""
    people.add_label("acme", "shop", pull.number, "Call/A Human")
    live.remove_label(pull.number, "call/a human")
    live.remove_label(pull.number, "call/a human")
    assert pull.state.labels == []


def test_the_app_knows_itself(live_factory: GitHubHubFactory, pull: OpenPull) -> None:
    """Login and installations come from GitHub."""
    assert live_factory.login() == "recloser[bot]"
    assert live_factory.installation_of("acme/shop") == pull.installation_id


def test_a_repository_without_the_app_is_refused(
    live_factory: GitHubHubFactory, pull: OpenPull, people: SimulatorClient
) -> None:
    """What the installation does not see is not found."""
    people.create_repository("acme", "secret", {"a": "1"}, install=False)
    hub = live_factory.hub(pull.installation_id, "acme/secret")
    for ask in (lambda: hub.pull(1), lambda: hub.file_on_default_branch("a")):
        with pytest.raises(GitHubRefused) as caught:
            ask()
        assert caught.value.status == 404


def test_a_suspended_installation_is_refused(
    live: GitHubHub, pull: OpenPull, people: SimulatorClient
) -> None:
    """Nothing is tried again and nothing breaks."""
    people.change_installation(pull.installation_id, "suspend")
    with pytest.raises(GitHubRefused, match="suspended"):
        live.pull(pull.number)


def test_the_hub_is_what_the_core_asks_for(
    live: GitHubHub, live_factory: GitHubHubFactory
) -> None:
    """Both protocols are kept; the type checker holds us to it."""
    hub: Hub = live
    factory: HubFactory = live_factory
    assert hub is live
    assert factory is live_factory


@pytest.mark.parametrize(
    ("api", "git"),
    [
        ("https://api.github.com", "https://github.com"),
        ("https://ghe.example.org/api/v3", "https://ghe.example.org"),
        ("https://api.acme.ghe.com/", "https://acme.ghe.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ],
)
def test_git_is_found_beside_the_api(api: str, git: str) -> None:
    """Cloud, server and local addresses all have their git."""
    assert git_url(api) == git


def test_lost_deliveries_are_listed_and_asked_for_again(
    live_factory: GitHubHubFactory, pull: OpenPull, people: SimulatorClient
) -> None:
    """All pages are read by their cursor; a repeat keeps its GUID."""
    people.set_hook("http://127.0.0.1:9/", "secret")  # nobody listens there
    for number in range(105):
        people.send_event("ping", {"zen": str(number)})
    everything = live_factory.deliveries
    people.wait_until(lambda: len(list(everything(most_pages=9))) >= 105)
    assert len(list(everything())) == 100
    found = list(everything(most_pages=9))
    assert len({each["id"] for each in found}) == len(found)
    lost = next(each for each in found if each["event"] == "ping")
    assert lost["status_code"] != 200
    live_factory.redeliver(lost["id"])
    people.wait_until(
        lambda: [each.guid for each in people.deliveries()].count(lost["guid"]) == 2
    )
