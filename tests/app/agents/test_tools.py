"""What the tools return, what they refuse, and that all of it is bounded."""

from __future__ import annotations

import pytest

from app.agents import tools as subject
from app.agents.tools import ToolProblem, TreeTools, inside, proposal_of
from app.errors import RepositoryError
from guardrails.rules.globs import matches
from tests.app.agents.builders import DictTree

CHANGE = {
    "path": "a.py",
    "start_line": 1,
    "end_line": 1,
    "replacement": "x = 1",
    "reason": "because",
}


def made(**files: str) -> TreeTools:
    return TreeTools(DictTree({name.replace("_", "."): files[name] for name in files}))


def test_a_file_is_read_with_its_numbers() -> None:
    """Lines come with their numbers, and the head says which and of how many."""
    read = made(a_py="one\ntwo\nthree\n").read_file("a.py", 2, 3)
    assert read == "a.py, lines 2 to 3 of 3\n     2 two\n     3 three"


def test_a_long_file_is_cut_and_says_where_to_go_on() -> None:
    """A long file is cut at the bound, and the head says where to read on."""
    tools = made(a_py="x\n" * 1_000)
    first = tools.read_file("a.py")
    assert first.startswith("a.py, lines 1 to 400 of 1000 (cut here; read on with")
    assert "start=401" in first.split("\n")[0]
    assert "cut" not in tools.read_file("a.py", 990)


def test_an_answer_is_bounded_whatever_the_lines_are() -> None:
    """Long lines do not make an answer longer than its bound."""
    tools = made(a_py=("y" * 10_000 + "\n") * 400)
    assert len(tools.read_file("a.py")) < subject.MOST_CHARACTERS + 200
    assert len(tools.search("y")) < subject.MOST_CHARACTERS + 200


@pytest.mark.parametrize(
    "path",
    ["../secret", "a/../../secret", "/etc/passwd", "~/x", "", ".", "a\0b", "a\\..\\b"],
)
def test_nothing_outside_the_tree_is_reached(path: str) -> None:
    """A path that is not inside the repository is refused before it is read."""
    tree = DictTree({"../secret": "s", "/etc/passwd": "s", "": "s", ".": "s"})
    with pytest.raises(ToolProblem):
        TreeTools(tree).read_file(path)


def test_a_path_is_normalised() -> None:
    """Detours inside the tree lead to the file."""
    assert inside("./a/./b/../c.py") == "a/c.py"


def test_a_missing_file_and_a_range_that_is_none_are_told() -> None:
    """A missing file, a line beyond the end and a backward range are told."""
    tools = made(a_py="x\n")
    for path, start, end in (("b.py", 1, 0), ("a.py", 9, 0), ("a.py", 3, 2)):
        with pytest.raises(ToolProblem):
            tools.read_file(path, start, end)


def test_a_search_is_for_literal_text() -> None:
    """A search takes signs of patterns literally."""
    tools = made(a_py="f(x)\nfxx\n")
    assert tools.search("f(x)") == "a.py:1: f(x)"
    assert tools.search("f.x") == "no hits"


def test_a_search_looks_at_the_changed_files_first_and_stops_at_its_bound() -> None:
    """Hits of the changed files come first, and the rest is left out with a word."""
    tree = DictTree({"a.py": "hit\n" * 100, "z.py": "hit\n"})
    found = TreeTools(tree, first=("z.py",)).search("hit").split("\n")
    assert found[0] == "z.py:1: hit"
    assert found[-1] == "(more hits were left out)"
    assert len(found) == subject.MOST_HITS + 1


def test_what_was_not_searched_is_told() -> None:
    """A search over too many files, or over ones that cannot be read, says so."""

    class Broken(DictTree):
        def read(self, path: str) -> str | None:
            if path == "f0003":
                raise RepositoryError("too large")
            return super().read(path)

    tree = Broken({f"f{n:04}": "x" for n in range(subject.MOST_SEARCHED + 5)})
    found = TreeTools(tree).search("hit")
    assert "only 1000 of 1005 files were searched" in found
    assert "(1 binary or large files were not searched)" in found


def test_files_are_listed_by_glob() -> None:
    """A glob lists what it matches; many matches are cut with a word."""
    tree = DictTree({f"src/{n}.py": "" for n in range(400)} | {"README.md": ""})
    tools = TreeTools(tree)
    assert tools.list_files("*.md") == "README.md"
    assert tools.list_files("*.rs") == "no files"
    assert tools.list_files("src/**").endswith("(100 more were left out)")


@pytest.mark.parametrize(
    ("pattern", "path", "does"),
    [
        ("**", "a/b.py", True),
        ("*.py", "a/b.py", True),
        ("a/*.py", "a/b.py", True),
        ("a/*.py", "a/c/b.py", False),
        ("a/**/b.py", "a/b.py", True),
        ("a/**/b.py", "a/x/y/b.py", True),
        ("**/b.py", "b.py", True),
        ("a/", "a/x/y", True),
        ("./a/b.py", "a/b.py", True),
        ("b/**", "a/b.py", False),
        ("a/?.py", "a/b.py", True),
    ],
)
def test_globs(pattern: str, path: str, does: bool) -> None:
    """A star stays in its folder, two stars span folders."""
    assert matches(pattern, path) is does


def test_a_hostile_glob_is_cheap() -> None:
    """A pattern made to be slow is not."""
    assert not matches("**/a*" * 20 + "/x", "/".join(["aaaaaaaa"] * 60))


def test_text_that_is_no_utf8_is_shown_and_never_raises() -> None:
    """Bytes that are no UTF-8 are shown as such, for JSON cannot carry them."""
    read = made(a_py="bad \udcff\n").read_file("a.py")
    assert "bad \\xff" in read
    read.encode("utf-8")


def test_a_tool_is_run_by_name_with_its_own_arguments_only() -> None:
    """Unknown tools, unknown arguments and wrong types are told."""
    tools = made(a_py="x\n")
    assert "x" in tools.run("read_file", {"path": "a.py"})
    for name, arguments in (
        ("shell", {}),
        ("read_file", {}),
        ("read_file", {"path": "a.py", "mode": "w"}),
        ("read_file", {"path": 3}),
        ("read_file", {"path": "a.py", "start": True}),
        ("search", {"text": " "}),
    ):
        with pytest.raises(ToolProblem):
            tools.run(name, arguments)


def test_a_proposal_is_made_of_its_arguments() -> None:
    """A proposal takes its arguments, and a path inside the tree."""
    proposal = proposal_of({**CHANGE, "path": "./a.py", "confidence": 1})
    assert (proposal.path, proposal.confidence) == ("a.py", 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"path": "../a.py"},
        {"severity": "terrible"},
        {"confidence": 2},
        {"confidence": float("nan")},
        {"start_line": "1"},
        {"replacement": "x" * 30_000},
        {"expected": 3},
        {"shell": "id"},
    ],
)
def test_a_proposal_that_is_none_is_told(wrong: dict[str, object]) -> None:
    """Arguments out of bounds are told and make no proposal."""
    with pytest.raises(ToolProblem):
        proposal_of({**CHANGE, **wrong})
