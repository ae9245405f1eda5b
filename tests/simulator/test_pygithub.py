"""First witness: PyGithub, which knows GitHub and nothing of this simulator."""

from __future__ import annotations

import github as pygithub
import pytest
from github import Auth, GithubException

from tests.simulator.builders import NAME, OWNER, Shop


def connected(shop: Shop) -> pygithub.Github:
    """Return PyGithub as the installation."""
    auth = Auth.AppAuth(shop.github.app_id, shop.github.private_key)
    with pygithub.GithubIntegration(
        auth=auth, base_url=shop.github.base_url
    ) as integration:
        found = integration.get_repo_installation(OWNER, NAME)
        assert found.id == shop.installation_id
        token = integration.get_access_token(found.id).token
    return pygithub.Github(
        auth=Auth.Token(token),
        base_url=shop.github.base_url,
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )


def test_a_review_from_its_start_to_its_end(shop: Shop) -> None:
    """All that a guard app does goes through without one violation."""
    with connected(shop) as api:
        repository = api.get_repo(f"{OWNER}/{NAME}")
        pull = repository.get_pull(shop.number)
        assert pull.changed_files == len(list(pull.get_files())) == 2
        assert [each.sha for each in pull.get_commits()] == [pull.head.sha]
        run = repository.create_check_run(
            name="Recloser",
            head_sha=pull.head.sha,
            status="in_progress",
            external_id="acme/shop#1",
        )
        note = {
            "path": "shop/cart.py",
            "start_line": 10,
            "end_line": 10,
            "annotation_level": "warning",
            "message": "changed",
        }
        run.edit(output={"title": "T", "summary": "S", "annotations": [note] * 2})
        run.edit(
            status="completed",
            conclusion="action_required",
            output={"title": "T", "summary": "S"},
            actions=[{"label": "Again", "description": "d", "identifier": "again"}],
        )
        assert len(list(run.get_annotations())) == 2
        commit = repository.get_commit(pull.head.sha)
        assert [each.id for each in commit.get_check_runs()] == [run.id]
        assert [each.conclusion for each in commit.get_check_suites()] == [
            "action_required"
        ]
        assert [each.number for each in commit.get_pulls()] == [shop.number]
        pull.add_to_labels("needs-human-review")
        pull.remove_from_labels("needs-human-review")
        suggestion = "```suggestion\nline_10 = 10\n```"
        review = pull.create_review(
            commit=commit,
            body="One remark",
            event="COMMENT",
            comments=[{"path": "shop/cart.py", "line": 10, "body": suggestion}],
        )
        assert [each.body for each in pull.get_review_comments()] == [suggestion]
        assert [each.id for each in pull.get_reviews()] == [review.id]
        comment = pull.create_issue_comment("hello")
        comment.edit("hello again")
        assert comment.create_reaction("eyes").content == "eyes"
        contents = repository.get_contents("README.md", ref="main")
        assert not isinstance(contents, list)
        assert contents.decoded_content == b"# Shop\n"
        assert repository.compare("main", "feature").ahead_by == 1
        assert repository.get_collaborator_permission("ada") == "admin"
        tree = repository.get_git_tree(pull.head.sha, recursive=True)
        assert len(tree.tree) == 4
        assert api.get_rate_limit().rate.limit == 5000
    state = shop.state
    assert [each.conclusion for each in state.check_runs] == ["action_required"]
    assert state.comments[0].body == "hello again"
    assert state.labels == []
    assert shop.sim.violations() == []


def test_pygithub_reads_our_refusals(shop: Shop) -> None:
    """It makes GitHub's exceptions of our answers."""
    with connected(shop) as api:
        repository = api.get_repo(f"{OWNER}/{NAME}")
        with pytest.raises(pygithub.UnknownObjectException):
            repository.get_pull(99)
        pull = repository.get_pull(shop.number)
        with pytest.raises(GithubException) as refused:
            pull.create_review(
                body="b",
                event="COMMENT",
                comments=[{"path": "shop/cart.py", "line": 40, "body": "c"}],
            )
        assert refused.value.status == 422
        shop.sim.set_faults({"kind": "secondary", "retry_after": 1})
        with pytest.raises(pygithub.RateLimitExceededException):
            repository.get_pull(shop.number)
        shop.sim.set_faults({"kind": "unauthorized"})
        with pytest.raises(pygithub.BadCredentialsException):
            repository.get_pull(shop.number)


def test_two_writes_leave_traces_of_a_duplicate(shop: Shop) -> None:
    """What stands twice is named, so that a retry that doubles is seen."""
    with connected(shop) as api:
        pull = api.get_repo(f"{OWNER}/{NAME}").get_pull(shop.number)
        pull.create_issue_comment("same")
        assert shop.state.duplicates == []
        pull.create_issue_comment("same")
        assert list(shop.state.duplicates) == ["comment of recloser[bot]: 2"]
