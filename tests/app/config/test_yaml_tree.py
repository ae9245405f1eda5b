"""The tree of a YAML text, and its bounds."""

from __future__ import annotations

import pytest

from app.config.yaml_tree import (
    MAX_DEPTH,
    MAX_NODES,
    Mapping,
    Scalar,
    Sequence,
    Unreadable,
    read_tree,
)


def refusal(text: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read_tree(text)
    return caught.value


def test_nothing_is_no_tree() -> None:
    """Comments and blank lines make no document."""
    assert read_tree("# a\n\n") is None


def test_nodes_know_their_lines_and_quotes() -> None:
    """Each node has the line it starts in; a quoted scalar is told from a plain one."""
    root = read_tree("a: 1\nb:\n  - '2'\n")
    assert isinstance(root, Mapping)
    (_, first), (_, second) = root.pairs
    assert first == Scalar(line=1, text="1", is_plain=True)
    assert isinstance(second, Sequence)
    assert second.items == [Scalar(line=3, text="2", is_plain=False)]


def test_duplicate_keys_are_kept() -> None:
    """The tree drops nothing, so that the parser can name both."""
    root = read_tree("a: 1\na: 2\n")
    assert isinstance(root, Mapping)
    assert len(root.pairs) == 2


@pytest.mark.parametrize("text", ["[" * 60_000, "- " * 30_000, "{a: " * 16_000])
def test_depth_is_bounded_before_it_costs_anything(text: str) -> None:
    """64 KB of brackets are refused at once, not after minutes."""
    assert refusal(text).message == f"nested deeper than {MAX_DEPTH} levels"


def test_the_number_of_values_is_bounded() -> None:
    """A long list ends at the bound."""
    assert f"more than {MAX_NODES}" in refusal("[" + "a," * 20_000 + "]").message


def test_a_billion_laughs_are_counted_before_they_are_told() -> None:
    """Nine aliases of nine aliases of ... are refused where they get too many."""
    lines = ["l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    for level in range(1, 9):
        nine = ", ".join([f"*l{level - 1}"] * 9)
        lines.append(f"l{level}: &l{level} [{nine}]")
    fault = refusal("\n".join(lines))
    assert fault.line == 4
    assert "aliases counted in full" in fault.message


def test_a_node_cannot_hold_itself() -> None:
    """An alias inside its own anchor is unknown there: there are no cycles."""
    assert "not there" in refusal("a: &a [*a]").message


def test_an_anchor_has_one_meaning() -> None:
    """An anchor that is defined again is refused."""
    assert refusal("a: &x 1\nb: &x 2\n").line == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("%YAML 1.1\n---\na: no\n", 2, "directives"),
        ("%TAG !e! tag:example.org,2000:\n---\na: 1\n", 2, "directives"),
        ("a: 1\nb: !!python/object:os.system x\n", 2, "the tag"),
        ("a: !!set {b}\n", 1, "the tag"),
        ("a: 1\nb: [1, 2\n", 2, "this is not YAML"),
        ("a: 1\nb: 'x\n", 2, "this is not YAML"),
        ('a: 1\nb: "\\UFFFFFFFF"\n', 2, "this is not YAML"),
        ("a: 1\nb: \x00\n", 2, "U+0000"),
        ("a: 1\n b: 2\n", 2, "mapping values"),
    ],
)
def test_what_is_not_read_is_named_with_its_line(
    text: str, line: int, words: str
) -> None:
    """A refusal says where and why."""
    fault = refusal(text)
    assert fault.line == line
    assert words in fault.message
    assert fault.remedy
