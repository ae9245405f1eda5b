"""The tree: what git shows of two commits, whatever the repository wants."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from app.errors import RepositoryError
from app.github.command import Git, GitFailed
from app.github.git import GitTree
from app.github.local import LocalRepository, make_bare
from tests.app.github.conftest import Repository


def test_the_diff_starts_at_the_merge_base(repository: Repository) -> None:
    """What happened on the base branch meanwhile is no part of the diff."""
    start = repository.commit({"a.py": "a = 1\n"})
    base = repository.commit({"b.py": "b = 1\n"})
    repository.git("checkout", "--quiet", "-b", "feature", start)
    head = repository.commit({"c.py": "c = 1\n"})
    with LocalRepository(repository.path).tree() as tree:
        assert tree.merge_base(base, head) == start
        diff = tree.diff(base, head)
    assert b"c.py" in diff
    assert b"b.py" not in diff


@pytest.mark.parametrize(
    "attributes",
    [
        "*.py -diff",
        "*.py binary",
        "*.py diff=hide",
        "*.py -text eol=crlf export-ignore linguist-generated",
        "[attr]hidden -diff\n*.py hidden",
    ],
)
def test_attributes_of_the_change_hide_nothing(
    repository: Repository, attributes: str
) -> None:
    """No ``.gitattributes`` of the head (or of HEAD) takes a line out of the diff."""
    base = repository.commit({"readme": "x\n"})
    for key in ("textconv", "command", "binary"):
        repository.git("config", f"diff.hide.{key}", "true")
    head = repository.commit(
        {
            ".gitattributes": f"{attributes}\n",
            "sub/.gitattributes": f"{attributes}\n",
            "sub/evil.py": "os.system('evil')\n",
        }
    )
    with LocalRepository(repository.path).tree() as tree:
        diff = tree.diff(base, head)
    assert b"sub/evil.py" in diff
    assert b"+os.system('evil')" in diff
    assert b"Binary files" not in diff


def test_attributes_of_a_bare_repository_hide_nothing(
    repository: Repository, tmp_path: Path
) -> None:
    """Neither does the HEAD of a bare clone that is taken as it is."""
    base = repository.commit({"readme": "x\n"})
    head = repository.commit({".gitattributes": "*.py -diff\n", "e.py": "evil()\n"})
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    tree = GitTree(Git(git_dir=tmp_path / "bare.git"))
    assert b"+evil()" in tree.diff(base, head)


def test_configuration_of_the_repository_changes_nothing(
    repository: Repository,
) -> None:
    """Settings that reshape diffs, and ``info/attributes``, are not obeyed."""
    base = repository.commit({"a.py": "one\ntwo\nthree\nfour\nfive\n"})
    head = repository.commit({"a.py": "one\ntwo\n3\nfour\nfive\n"})
    with LocalRepository(repository.path).tree() as tree:
        plain = tree.diff(base, head)
    for key, value in {
        "diff.noprefix": "true",
        "diff.context": "0",
        "diff.external": "true",
        "diff.renames": "false",
        "color.ui": "always",
        "core.attributesFile": str(repository.path / "attributes"),
        "core.worktree": "/",
    }.items():
        repository.git("config", key, value)
    (repository.path / ".git/info/attributes").write_text("* -diff\n")
    with LocalRepository(repository.path).tree() as tree:
        assert tree.diff(base, head) == plain


def test_a_replacement_object_changes_nothing(repository: Repository) -> None:
    """``refs/replace`` cannot put another commit in the place of the head."""
    base = repository.commit({"a.py": "1\n"})
    head = repository.commit({"a.py": "2\n"})
    repository.git("replace", head, base)
    with LocalRepository(repository.path).tree() as tree:
        assert b"+2" in tree.diff(base, head)


def test_links_and_submodules_are_not_files(repository: Repository) -> None:
    """A link is neither listed nor read, wherever it points (B08)."""
    (repository.path / "inside").symlink_to("real.txt")
    (repository.path / "outside").symlink_to("/etc/passwd")
    (repository.path / "sub").symlink_to("/etc")
    head = repository.commit({"real.txt": "real\n"})
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},module")
    head = repository.commit({})
    with LocalRepository(repository.path).tree() as tree:
        assert tree.paths(head) == ["real.txt"]
        for path in ("inside", "outside", "sub", "sub/passwd", "module", ""):
            assert tree.read(head, path) is None
        diff = tree.diff(head, head)
    assert diff == b""


def test_a_link_is_seen_in_the_diff(repository: Repository) -> None:
    """The diff shows the link as a link, so that a rule can object (B08)."""
    base = repository.commit({"a": "x\n"})
    (repository.path / "key").symlink_to("../../.ssh/id_rsa")
    head = repository.commit({})
    with LocalRepository(repository.path).tree() as tree:
        diff = tree.diff(base, head)
    assert b"new file mode 120000" in diff
    assert b"+../../.ssh/id_rsa" in diff


@pytest.mark.parametrize(
    "path",
    [
        "naïve file.py",
        'quo"te\\back.py',
        "tab\there.py",
        "new\nline.py",
        ":(top)magic.py",
        "-dash.py",
        "*.py",
    ],
)
def test_any_path_is_listed_and_read(repository: Repository, path: str) -> None:
    """A path is a name, never a pattern, an option or a magic word."""
    head = repository.commit({path: "content\n", "other.py": "no\n"})
    with LocalRepository(repository.path).tree() as tree:
        assert tree.paths(head) == sorted([path, "other.py"])
        assert tree.read(head, path) == b"content\n"
        assert tree.read(head, path + "x") is None


def test_a_path_that_is_no_utf8_is_kept(repository: Repository) -> None:
    """Bytes that are no UTF-8 survive as surrogates and can be read back."""
    name = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    head = repository.commit({name: "x\n"})
    with LocalRepository(repository.path).tree() as tree:
        assert list(tree.paths(head)) == [name]
        assert tree.read(head, name) == b"x\n"


def test_a_large_file_is_an_error_and_not_cut(repository: Repository) -> None:
    """A file over the limit is never half of itself."""
    head = repository.commit({"big": b"x" * 2000})
    with LocalRepository(repository.path).tree() as tree:
        small = GitTree(tree._git, most_file_bytes=1999)
        with pytest.raises(RepositoryError, match="2000 bytes"):
            small.read(head, "big")
        assert GitTree(tree._git, most_file_bytes=2000).read(head, "big") is not None


def test_a_large_diff_is_an_error_and_not_cut(repository: Repository) -> None:
    """A diff over the limit is never half of itself."""
    base = repository.commit({})
    head = repository.commit({"big": "line\n" * 5000})
    with LocalRepository(repository.path).tree() as tree:
        small = GitTree(tree._git, most_diff_bytes=1000)
        with pytest.raises(RepositoryError, match="more than"):
            small.diff(base, head)


def test_changes_without_a_hunk_are_in_the_diff(repository: Repository) -> None:
    """Pure renames, mode changes and empty files are there (B04)."""
    base = repository.commit({"notes.txt": "some words\n" * 20, "run.sh": "x\n"})
    repository.git("mv", "notes.txt", "payload.py")
    script = repository.path / "run.sh"
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    head = repository.commit({"pkg/__init__.py": ""})
    with LocalRepository(repository.path).tree() as tree:
        diff = tree.diff(base, head).decode()
    assert "rename from notes.txt\nrename to payload.py" in diff
    assert "old mode 100644\nnew mode 100755" in diff
    assert "b/pkg/__init__.py\nnew file mode 100644" in diff


def test_unrelated_commits_are_a_clear_error(repository: Repository) -> None:
    """Two commits without a common ancestor have no diff."""
    base = repository.commit({"a": "a\n"})
    repository.git("checkout", "--quiet", "--orphan", "other")
    head = repository.commit({"b": "b\n"})
    with (
        LocalRepository(repository.path).tree() as tree,
        pytest.raises(RepositoryError, match="share no history"),
    ):
        tree.diff(base, head)


@pytest.mark.parametrize("name", ["HEAD", "main", "--output=/tmp/x", "", "f" * 39])
def test_only_full_shas_name_commits(repository: Repository, name: str) -> None:
    """Whatever could be an option or move meanwhile is refused."""
    head = repository.commit({"a": "a\n"})
    with LocalRepository(repository.path).tree() as tree:
        with pytest.raises(RepositoryError, match="not a full commit SHA"):
            tree.diff(name, head)
        with pytest.raises(RepositoryError, match="not a full commit SHA"):
            tree.read(name, "a")


def test_a_missing_commit_is_a_clear_error(repository: Repository) -> None:
    """A SHA that is not there is no empty tree."""
    repository.commit({"a": "a\n"})
    with LocalRepository(repository.path).tree() as tree:
        assert not tree.has("0" * 39 + "1")
        with pytest.raises(RepositoryError):
            tree.paths("0" * 39 + "1")


def test_a_shallow_history_guesses_no_merge_base(
    repository: Repository, tmp_path: Path
) -> None:
    """Where history was cut, only a merge base that is known from elsewhere counts."""
    start = repository.commit({"a": "a\n"})
    base = repository.commit({"b": "b\n"})
    repository.git("checkout", "--quiet", "-b", "feature", start)
    head = repository.commit({"c": "c\n"})
    clone = tmp_path / "shallow"
    source = f"file://{repository.path}"
    repository.git("clone", "--quiet", "--depth=1", "--no-single-branch", source,
                   str(clone))  # fmt: skip
    with LocalRepository(clone).tree() as tree:
        with pytest.raises(RepositoryError, match="shallow"):
            tree.diff(base, head)
        known = GitTree(tree._git, merge_bases={(base, head): base})
        assert known.merge_base(base, head) == base


def test_revisions_are_resolved(repository: Repository) -> None:
    """Branches and relative names become SHAs; options and nonsense do not."""
    first = repository.commit({"a": "a\n"})
    second = repository.commit({"a": "b\n"})
    local = LocalRepository(repository.path)
    assert local.resolve("main") == second
    assert local.resolve("HEAD~1") == first
    for wrong in ("nope", "--all", "", "HEAD:a", "a\0b"):
        with pytest.raises(RepositoryError):
            local.resolve(wrong)


def test_every_kind_of_local_repository_is_found(
    repository: Repository, tmp_path: Path
) -> None:
    """Subdirectory, linked worktree and bare repository all work."""
    head = repository.commit({"deep/er/a": "a\n"})
    repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    places = [repository.path / "deep/er", tmp_path / "linked", tmp_path / "bare.git"]
    for place in places:
        local = LocalRepository(place)
        assert local.resolve("HEAD") == head
        with local.tree() as tree:
            assert tree.read(head, "deep/er/a") == b"a\n"


def test_no_repository_is_a_clear_error(tmp_path: Path) -> None:
    """A directory that is no repository is named."""
    with pytest.raises(RepositoryError, match="no git repository at"):
        LocalRepository(tmp_path)
    with pytest.raises(RepositoryError, match="no git repository at"):
        LocalRepository(tmp_path / "missing")


def test_the_work_tree_is_neither_read_nor_changed(repository: Repository) -> None:
    """What is not committed does not show, and no file appears."""
    base = repository.commit({"a.py": "1\n"})
    head = repository.commit({"a.py": "2\n"})
    (repository.path / "a.py").write_text("dirty\n")
    before = sorted(path.name for path in (repository.path / ".git").rglob("*"))
    with LocalRepository(repository.path).tree() as tree:
        assert tree.read(head, "a.py") == b"2\n"
        assert b"dirty" not in tree.diff(base, head)
    after = sorted(path.name for path in (repository.path / ".git").rglob("*"))
    assert before == after


def test_many_threads_may_read_one_tree(repository: Repository) -> None:
    """Readers on several threads get their own answers."""
    head = repository.commit({f"f{n}": f"{n}\n" for n in range(16)})
    seen = dict[int, bytes | None]()
    with LocalRepository(repository.path).tree() as tree:

        def look(number: int) -> None:
            seen[number] = tree.read(head, f"f{number}")

        threads = [threading.Thread(target=look, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen == {n: f"{n}\n".encode() for n in range(16)}


def test_a_slow_git_is_ended(tmp_path: Path) -> None:
    """A command that hangs is killed with all its children."""
    git_dir = make_bare(tmp_path)
    slow = Git(git_dir=git_dir, timeout=0.3)
    with pytest.raises(GitFailed, match=r"took longer than 0.3 s"):
        slow.run("-c", "alias.wait=!sleep 60 & sleep 60", "wait")


def test_a_git_that_fills_the_disk_is_ended(tmp_path: Path) -> None:
    """A fetch stops soon after the limit, not when the disk is full."""
    git_dir = make_bare(tmp_path)
    greedy = Git(git_dir=git_dir, timeout=60, most_disk=1_000_000)
    fill = "!head -c 2000000 /dev/zero > objects/pack/tmp_pack_x; sleep 60"
    with pytest.raises(GitFailed, match="fetched more than 1 MB"):
        greedy.run("-c", f"alias.fill={fill}", "fill")


def test_the_environment_does_not_reach_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables that steer git in this process do not steer ours."""
    git_dir = make_bare(tmp_path)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("SECRET_OF_THE_SERVER", "value")
    said = Git(git_dir=git_dir).run("-c", "alias.seen=!env", "seen")
    assert b"SECRET_OF_THE_SERVER" not in said
    assert b"GIT_EXTERNAL_DIFF" not in said
