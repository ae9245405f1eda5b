"""Walk the tree of a file along the known keys, and note what does not fit. Pure.

The result is plain values for the model to validate. Whatever cannot be a value
at all is noted here with its line: unknown and duplicate keys, durations without
a unit, numbers that mean two things, keys that are no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NoReturn

from app.config import duration
from app.config.expectation import expectation
from app.config.keys import KEYS, Key, KeyPath, children
from app.config.problem import ConfigProblem
from app.config.scalar import is_ambiguous, value_of
from app.config.yaml_tree import Mapping, Node, Scalar, Sequence

Steps = tuple[int | str, ...]
LONGEST_SHOWN = 40
DEFAULT = "remove the key to get the default"


class Unusable(Exception):
    """A value was noted as a problem and has nothing to offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the file: a known key, and the steps to a value inside it."""

    key: KeyPath
    steps: Steps


@dataclass(slots=True)
class Reading:
    """One look at one file: the nodes by path, and the problems so far."""

    source: str
    nodes: dict[Steps, Node] = field(default_factory=dict)
    problems: list[ConfigProblem] = field(default_factory=list)
    bad: set[KeyPath] = field(default_factory=set)

    def note(
        self, path: KeyPath, message: str, remedy: str, *, line: int | None = None
    ) -> None:
        """Note a problem at ``path``."""
        if line is None:
            node = self.nodes.get(path)
            line = node.line if node is not None else 1
        self.bad.add(path)
        problem = ConfigProblem(
            source=self.source,
            line=line,
            key=".".join(path),
            message=message,
            remedy=remedy,
        )
        self.problems.append(problem)

    def drop(self, values: dict[str, Any], path: KeyPath) -> None:
        """Leave the value at ``path`` out of ``values``."""
        *above, name = path
        for each in above:
            values = values.get(each, {})
        values.pop(name, None)

    def file(self, root: Node | None) -> dict[str, Any]:
        """Return the values of the file."""
        if root is None:
            return {}
        return self._section(root, ())

    def _section(self, node: Node, path: KeyPath) -> dict[str, Any]:
        if _is_nothing(node):
            return {}  # a section whose keys are all commented out
        if not isinstance(node, Mapping):
            what = f"the section `{path[-1]}`" if path else "the file"
            self.note(
                path,
                f"{what} has to be a mapping of keys, got {shown(node)}",
                "Write `key: value` lines, or remove it to get the defaults",
                line=node.line,
            )
            return {}
        known = children(path)
        values: dict[str, Any] = {}
        for name, key_node, value in self._pairs(node, path):
            here = (*path, name)
            if name not in known:
                self._unknown(here, key_node, list(known))
                continue
            self.nodes[here] = value
            if known[name].is_section:
                values[name] = self._section(value, here)
                continue
            try:
                values[name] = self._value(known[name], value)
            except Unusable:
                continue
        return values

    def _pairs(self, node: Mapping, path: KeyPath) -> list[tuple[str, Scalar, Node]]:
        """Return the pairs with a text as key, the first of each name."""
        first: dict[str, int] = {}
        pairs: list[tuple[str, Scalar, Node]] = []
        for key, value in node.pairs:
            if not isinstance(key, Scalar) or not _is_text(key):
                self.note(
                    path,
                    f"a key has to be a text, got {shown(key)}",
                    "Put quotes around the key, or remove it",
                    line=key.line,
                )
            elif key.text in first:
                self.note(
                    (*path, _cut(key.text)),
                    f"the key is there twice, first in line {first[key.text]}",
                    "Remove one of the two",
                    line=key.line,
                )
            else:
                first[key.text] = key.line
                pairs.append((key.text, key, value))
        return pairs

    def _unknown(self, path: KeyPath, node: Scalar, known: list[str]) -> None:
        name = path[-1]
        nearest = get_close_matches(name, known, n=1)
        elsewhere = [key.name for key in KEYS.values() if key.path[-1] == name]
        if nearest:
            remedy = f"Did you mean `{nearest[0]}`?"
        elif elsewhere:
            remedy = f"Did you mean `{elsewhere[0]}`?"
        else:
            remedy = f"Known here are: {', '.join(known)}"
        self.note((*path[:-1], _cut(name)), "unknown key", remedy, line=node.line)

    def _value(self, key: Key, node: Node) -> object:
        if _is_nothing(node) and not key.may_be_null:
            self._unfit(key, node, f"Write a value, or {DEFAULT}")
        if key.is_duration:
            return self._duration(key, node)
        return self._plain(node, key, key.path)

    def _duration(self, key: Key, node: Node) -> float:
        text = node.text if isinstance(node, Scalar) else ""
        seconds = duration.to_seconds(text)
        if seconds is None:
            remedy = f"Write one whole number and its unit, or {DEFAULT}"
            if text.isascii() and text.isdigit() and len(text) <= LONGEST_SHOWN:
                remedy = f"Say the unit: `{text}s`, `{text}m` or `{text}h`"
            self._unfit(key, node, remedy)
        return seconds

    def _plain(self, node: Node, key: Key, steps: Steps) -> object:
        """Return the value of ``node``, remembering where its parts stand."""
        self.nodes[steps] = node
        if isinstance(node, Sequence):
            return [
                self._plain(item, key, (*steps, place))
                for place, item in enumerate(node.items)
            ]
        if isinstance(node, Mapping):
            return {
                name: self._plain(value, key, (*steps, name))
                for name, _, value in self._pairs(node, key.path)
            }
        if node.is_plain and is_ambiguous(node.text):
            self.note(
                key.path,
                f"{shown(node)} is a different number to different readers",
                "Write it without the leading zero, or quoted if it is a text",
                line=node.line,
            )
            raise Unusable
        if _is_torn(node.text):
            self._unfit(key, node, "Write the character itself, not half of it")
        return _scalar(node)

    def _unfit(self, key: Key, node: Node, remedy: str) -> NoReturn:
        self.note(
            key.path,
            f"expected {expectation(key.schema)}, got {shown(node)}",
            remedy,
            line=node.line,
        )
        raise Unusable


def shown(node: Node) -> str:
    """Return a value of the file in words: what it is and how it begins."""
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    value = _scalar(node)
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the boolean `{node.text}`"
    if isinstance(value, str):
        return f'the text "{_cut(node.text)}"'
    return f"the number {_cut(node.text)}"


def _cut(text: str) -> str:
    if len(text) > LONGEST_SHOWN:
        text = text[:LONGEST_SHOWN] + "…"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _scalar(node: Scalar) -> str | int | float | bool | None:
    return value_of(node.text) if node.is_plain else node.text


def _is_text(node: Scalar) -> bool:
    return isinstance(_scalar(node), str) and not _is_torn(node.text)


def _is_torn(text: str) -> bool:
    """Tell whether there is half of a surrogate pair, which no UTF-8 can hold."""
    return any("\ud800" <= each <= "\udfff" for each in text)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and _scalar(node) is None
