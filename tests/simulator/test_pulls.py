"""Pull requests, files, comparison and contents come from git."""

from __future__ import annotations

import pytest

from tests.simulator.builders import CHANGED, FILES, NAME, OWNER, Shop
from tests.simulator.client import Content

MANY: dict[str, Content] = {f"many/{number:03}.txt": "x\n" for number in range(120)}


def test_files_carry_git_s_patch(shop: Shop) -> None:
    """Status, counts and patch are those of ``git diff``."""
    changed, added = shop.api.get("/{repo}/pulls/1/files")
    assert (changed["status"], changed["additions"], changed["deletions"]) == (
        "modified",
        2,
        1,
    )
    assert changed["patch"].startswith("@@ -7,7 +7,8 @@ line_6 = 6\n")
    assert (added["status"], added["patch"]) == ("added", "@@ -0,0 +1 @@\n+new = 1")


def test_binary_and_large_files_have_no_patch(shop: Shop) -> None:
    """The file is listed, its patch is missing."""
    files: dict[str, Content] = {
        "image.png": b"\x89PNG\x00\x01\x02",
        "large.txt": "x" * 600_000,
        "long.txt": "x\n" * 21_000,
    }
    number = shop.sim.open_pull(OWNER, NAME, "large", files, "T")
    listed = shop.api.get(f"/{{repo}}/pulls/{number}/files")
    assert [each["filename"] for each in listed] == sorted(files)
    assert not any("patch" in each for each in listed)


def test_renamed_and_removed_files(shop: Shop) -> None:
    """A rename names both paths, a removal has the old blob."""
    files: dict[str, Content] = {
        "shop/cart.py": None,
        "shop/basket.py": FILES["shop/cart.py"],
        "README.md": None,
        "link": {"base64": "UkVBRE1FLm1k", "mode": "120000"},
    }
    number = shop.sim.open_pull(OWNER, NAME, "moves", files, "T")
    listed = {
        each["filename"]: each
        for each in shop.api.get(f"/{{repo}}/pulls/{number}/files")
    }
    assert listed["shop/basket.py"]["status"] == "renamed"
    assert listed["shop/basket.py"]["previous_filename"] == "shop/cart.py"
    assert listed["README.md"]["status"] == "removed"
    link = shop.api.get("/{repo}/contents/link?ref=moves")
    assert (link["type"], link["target"]) == ("symlink", "README.md")


@pytest.mark.parametrize(("size", "pages"), [(100, 2), (30, 4), (1000, 2)])
def test_lists_come_in_pages(shop: Shop, size: int, pages: int) -> None:
    """At most 100 a page, with a Link header on the same host."""
    number = shop.sim.open_pull(OWNER, NAME, "many", MANY, "T")
    path, seen = f"/{{repo}}/pulls/{number}/files?per_page={size}", list[str]()
    count = 0
    while path:
        answer = shop.api.send("GET", path)
        seen += [each["filename"] for each in answer.json()]
        path = answer.links.get("next", {}).get("url", "")
        path = path.removeprefix(shop.github.base_url)
        count += 1
    assert (count, seen) == (pages, sorted(MANY))


def test_the_diff_is_a_media_type(shop: Shop) -> None:
    """The diff as text, from the merge base."""
    shop.sim.push_branch(OWNER, NAME, {"later.txt": "l\n"})
    answer = shop.api.send(
        "GET", "/{repo}/pulls/1", Accept="application/vnd.github.v3.diff"
    )
    assert answer.text.startswith("diff --git a/shop/cart.py b/shop/cart.py\n")
    assert "later.txt" not in answer.text


def test_comparison_has_the_merge_base(shop: Shop) -> None:
    """Ahead, behind and the files of a three-dot diff."""
    base = shop.state.base_sha
    shop.sim.push_branch(OWNER, NAME, {"later.txt": "l\n"})
    found = shop.api.get("/{repo}/compare/main...feature")
    assert (found["status"], found["ahead_by"], found["behind_by"]) == (
        "diverged",
        1,
        1,
    )
    assert found["merge_base_commit"]["sha"] == base
    assert [each["filename"] for each in found["files"]] == [
        "shop/cart.py",
        "shop/new.py",
    ]
    same = shop.api.get(f"/{{repo}}/compare/{base}...{base}")
    assert (same["status"], same["files"]) == ("identical", [])
    missing = shop.api.send("GET", "/{repo}/compare/main...nothing")
    assert missing.status_code == 404


def test_a_push_moves_the_head(shop: Shop) -> None:
    """``synchronize`` says what was before; a forced push drops the old commits."""
    first = shop.head
    second = shop.sim.push_commit(OWNER, NAME, shop.number, {"a.txt": "a\n"})
    assert shop.head == second
    last = shop.sim.deliveries()[-1]
    assert (last.action, last.payload["before"]) == ("synchronize", first)
    third = shop.sim.push_commit(OWNER, NAME, shop.number, {"b.txt": "b\n"}, force=True)
    pushed = [each for each in shop.sim.deliveries() if each.event == "push"][-1]
    assert pushed.payload["forced"] is True
    commits = shop.api.get("/{repo}/pulls/1/commits")
    assert [each["sha"] for each in commits] == [third]
    shop.sim.reset_pull(OWNER, NAME, shop.number, first)
    assert shop.head == first


def test_a_fork_s_pull_outlives_the_fork(shop: Shop) -> None:
    """Head, files and refs stay; the head's repository is null."""
    number = shop.sim.open_pull(
        OWNER, NAME, "theirs", {"f.py": "1\n"}, "T", None, "eve", fork="eve"
    )
    shown = shop.api.get(f"/{{repo}}/pulls/{number}")
    assert shown["head"]["label"] == "eve:theirs"
    assert shown["head"]["repo"]["fork"] is True
    run = {"name": "Recloser", "head_sha": shown["head"]["sha"]}
    made = shop.api.post("/{repo}/check-runs", run).json()
    assert made["pull_requests"] == []
    shop.sim.delete_fork(OWNER, NAME, number)
    shown = shop.api.get(f"/{{repo}}/pulls/{number}")
    assert shown["head"]["repo"] is None
    assert len(shop.api.get(f"/{{repo}}/pulls/{number}/files")) == 1
    of_commit = shop.api.get(f"/{{repo}}/commits/{shown['head']['sha']}/pulls")
    assert [each["number"] for each in of_commit] == [number]


def test_pulls_are_found_by_commit_branch_and_state(shop: Shop) -> None:
    """Lists are narrowed by their parameters."""
    found = shop.api.get(f"/{{repo}}/commits/{shop.head}/pulls")
    assert [each["number"] for each in found] == [1]
    assert shop.api.get(f"/{{repo}}/commits/{shop.state.base_sha}/pulls") == []
    assert len(shop.api.get("/{repo}/pulls?head=acme:feature&base=main")) == 1
    assert shop.api.get("/{repo}/pulls?head=acme:other") == []
    shop.sim.close_pull(OWNER, NAME, shop.number)
    assert shop.api.get("/{repo}/pulls") == []
    assert len(shop.api.get("/{repo}/pulls?state=all")) == 1


def test_the_app_opens_a_pull(shop: Shop) -> None:
    """From a branch that exists; a second one for the same branch is refused."""
    shop.sim.push_branch(OWNER, NAME, {"n.txt": "n\n"}, branch="mine")
    body = {"title": "T", "head": "mine", "base": "main"}
    made = shop.api.post("/{repo}/pulls", body)
    assert made.status_code == 201
    assert made.json()["user"]["login"] == "recloser[bot]"
    assert shop.api.post("/{repo}/pulls", body).status_code == 422
    nowhere = {**body, "head": "nowhere"}
    assert shop.api.post("/{repo}/pulls", nowhere).status_code == 422


def test_trees_blobs_and_refs(shop: Shop) -> None:
    """The git database is read as it is."""
    ref = shop.api.get("/{repo}/git/ref/heads/feature")
    assert ref["object"]["sha"] == shop.head
    tree = shop.api.get(f"/{{repo}}/git/trees/{shop.head}?recursive=1")
    paths = {each["path"]: each for each in tree["tree"]}
    assert list(paths) == ["README.md", "shop", "shop/cart.py", "shop/new.py"]
    blob = paths["shop/cart.py"]["sha"]
    raw = shop.api.send(
        "GET", f"/{{repo}}/git/blobs/{blob}", Accept="application/vnd.github.raw"
    )
    assert raw.text == CHANGED
    assert shop.api.get(f"/{{repo}}/git/blobs/{blob}")["size"] == len(CHANGED)
    for path in ("git/ref/heads/none", f"git/blobs/{'0' * 40}", "git/trees/none"):
        assert shop.api.send("GET", f"/{{repo}}/{path}").status_code == 404


def test_contents_of_a_folder_and_of_nothing(shop: Shop) -> None:
    """A folder is a list, a missing path is 404."""
    listed = shop.api.get("/{repo}/contents/shop?ref=feature")
    assert [each["name"] for each in listed] == ["cart.py", "new.py"]
    for path in ("contents/none.py", "contents/README.md?ref=none"):
        assert shop.api.send("GET", f"/{{repo}}/{path}").status_code == 404


def test_a_branch_and_a_commit(shop: Shop) -> None:
    """A branch ends in a commit with its files."""
    branch = shop.api.get("/{repo}/branches/feature")
    assert branch["commit"]["sha"] == shop.head
    commit = shop.api.get("/{repo}/commits/feature")
    assert commit["stats"] == {"additions": 3, "deletions": 1, "total": 4}
    first = shop.api.get("/{repo}/commits/main")
    assert len(first["files"]) == 2


def test_a_renamed_repository_is_redirected(shop: Shop) -> None:
    """A GET is 301, a write 307; the new place answers; the id stays."""
    number = shop.api.get("/{repo}")["id"]
    shop.sim.rename_repository(OWNER, NAME, "store")
    moved = shop.api.send("GET", "/{repo}/pulls?state=all")
    assert moved.status_code == 301
    place = moved.headers["location"].removeprefix(shop.github.base_url)
    assert place == f"/repositories/{number}/pulls?state=all"
    assert len(shop.api.get(place)) == 1
    answer = shop.api.post("/{repo}/issues/1/comments", {"body": "x"})
    assert answer.status_code == 307
    assert shop.api.get("/repos/acme/store")["id"] == number


def test_an_issue_is_the_pull_that_it_is(shop: Shop) -> None:
    """A pull request has a page of its own among the issues."""
    shown = shop.api.get("/{repo}/issues/1")
    assert shown["pull_request"]["url"].endswith("/pulls/1")


def test_comments_are_edited_and_deleted(shop: Shop) -> None:
    """The id stays, the body changes, a deleted one is 404."""
    made = shop.api.post("/{repo}/issues/1/comments", {"body": "a"}).json()
    place = f"/{{repo}}/issues/comments/{made['id']}"
    assert shop.api.patch(place, {"body": "b"}).json()["body"] == "b"
    assert [x["body"] for x in shop.api.get("/{repo}/issues/1/comments")] == ["b"]
    assert shop.api.send("DELETE", place).status_code == 204
    assert shop.api.send("DELETE", place).status_code == 404
    assert shop.api.post("/{repo}/issues/1/comments", {"body": " "}).status_code == 422
