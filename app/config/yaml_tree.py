"""Read YAML into a small tree that knows its lines, within hard bounds.

The file is untrusted. ruamel.yaml turns text into events, and the tree is built
from those as they come, so that depth, size and expansion are bounded before they
cost anything: its own composer took minutes for 64 KB of ``[``. An alias shares
the node of its anchor and is counted with all that it expands to, so a "billion
laughs" file is refused at its first laugh too many; an anchor is known once its
node is complete, so there are no cycles. Tags, directives and further documents
are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

MAX_DEPTH = 12
MAX_NODES = 5_000

#: What the library raises on hostile text beside its own errors: found by fuzzing
#: this family of parsers (``"\UFFFFFFFF"`` is a ValueError of ``chr``).
_LIBRARY_FAULTS = (
    YAMLError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    NotImplementedError,
)

_REMEDIES = (
    ("\\t", "Indent with spaces: YAML allows no tab there"),
    ("'@'", "Put quotes around a value that starts with `@`"),
    ("'`'", "Put quotes around a value that starts with a backtick"),
    ("'%'", "Put quotes around a value that starts with `%`"),
    ("mapping values", "Put quotes around a value that contains `: `"),
    ("escape", "Use single quotes: a backslash starts an escape in double ones"),
)


class Unreadable(Exception):
    """The text is no YAML that we read; carries the line, why and the remedy."""

    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One value; ``is_plain`` when it stood without quotes."""

    line: int
    text: str
    is_plain: bool
    size: int = 1


@dataclass(slots=True, kw_only=True)
class Sequence:
    """A list, grown while it is read."""

    line: int
    items: list[Node] = field(default_factory=list)
    size: int = 1


@dataclass(slots=True, kw_only=True)
class Mapping:
    """Keys and values in the order of the file, duplicates and all."""

    line: int
    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    key: Node | None = None  # read, and waiting for its value
    size: int = 1


Node = Scalar | Sequence | Mapping


def read_tree(text: str) -> Node | None:
    """Return the root of the only document, ``None`` when there is nothing.

    Raises:
        Unreadable: it is no YAML 1.2, more than one document, or out of bounds.
    """
    builder = _Builder(text)
    for event in _events(text):
        builder.take(event)
    return builder.root


def _events(text: str) -> Iterator[Event]:
    # typ="safe", pure: libyaml would read YAML 1.1.
    yaml = YAML(typ="safe", pure=True)
    events = yaml.parse(text)
    reached = 0
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except _LIBRARY_FAULTS as fault:
            raise _explain(text, fault, reached) from None
        reached = event.end_mark.index
        yield event


class _Builder:
    """Builds the tree from events, holding it to the bounds."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[Sequence | Mapping, str | None]] = []
        self._anchors: dict[str, Node] = {}
        self._documents = 0
        self._nodes = 0
        self.root: Node | None = None

    def take(self, event: Event) -> None:
        """Take the next event of the stream."""
        line = _line(self._text, event.start_mark.index)
        if isinstance(event, DocumentStartEvent):
            self._start_document(event, line)
        elif isinstance(event, AliasEvent):
            self._add(self._resolve(event.anchor, line), line)
        elif isinstance(event, CollectionEndEvent):
            node, anchor = self._open.pop()
            self._finish(node, anchor, line)
        elif isinstance(event, NodeEvent):
            self._start_node(event, line)

    def _start_document(self, event: DocumentStartEvent, line: int) -> None:
        self._documents += 1
        if self._documents > 1:
            raise Unreadable(
                line,
                "a second document starts here",
                "Keep one document: remove the line `---`",
            )
        if event.version not in (None, (1, 2)) or event.tags:
            raise Unreadable(
                line,
                "directives are not supported",
                "Remove the lines that start with `%`",
            )

    def _start_node(self, event: NodeEvent, line: int) -> None:
        tag = getattr(event, "ctag", None)  # ScalarEvent and the two starts have it
        if tag is not None:
            raise Unreadable(
                line,
                f"the tag {str(tag)[:40]} is not supported",
                "Remove it: the type of each value is known",
            )
        if event.anchor is not None and event.anchor in self._anchors:
            raise Unreadable(
                line,
                f"the anchor &{event.anchor[:40]} is defined twice",
                "Give each anchor its own name",
            )
        if isinstance(event, ScalarEvent):
            is_plain = not event.style
            scalar = Scalar(line=line, text=event.value, is_plain=is_plain)
            self._finish(scalar, event.anchor, line)
            return
        if len(self._open) >= MAX_DEPTH:
            raise Unreadable(
                line,
                f"nested deeper than {MAX_DEPTH} levels",
                "No key of this file needs that",
            )
        if isinstance(event, SequenceStartEvent):
            self._open.append((Sequence(line=line), event.anchor))
        elif isinstance(event, MappingStartEvent):
            self._open.append((Mapping(line=line), event.anchor))

    def _resolve(self, anchor: str, line: int) -> Node:
        found = self._anchors.get(anchor)
        if found is None:
            raise Unreadable(
                line,
                f"*{anchor[:40]} refers to an anchor that is not there",
                f'Put quotes around a glob that starts with `*`: "*{anchor[:40]}"',
            )
        return found

    def _finish(self, node: Node, anchor: str | None, line: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        self._add(node, line)

    def _add(self, node: Node, line: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES or node.size > MAX_NODES:
            raise Unreadable(
                line,
                f"more than {MAX_NODES} values, aliases counted in full",
                "Make the file smaller",
            )
        if not self._open:
            self.root = node
            return
        parent, _ = self._open[-1]
        parent.size += node.size
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            if isinstance(node, Scalar) and node.is_plain and not node.text:
                # A value that is not there is missed where its key stands.
                node = replace(node, line=parent.key.line)
            parent.pairs.append((parent.key, node))
            parent.key = None


def _line(text: str, index: int) -> int:
    # Lines as GitHub counts them: ruamel.yaml also counts at U+0085 and U+2028.
    return text.count("\n", 0, index) + 1


def _explain(text: str, fault: Exception, reached: int) -> Unreadable:
    """Say what the library found, and where; it was well up to ``reached``."""
    if isinstance(fault, ReaderError):
        line = _line(text, fault.position)
        message = f"the character U+{fault.character:04X} is not allowed"
        return Unreadable(line, message, "Remove it: it cannot be seen")
    if not isinstance(fault, MarkedYAMLError):
        line = _line(text, reached)
        return Unreadable(line, "this is not YAML", "Compare it with the example")
    mark = fault.problem_mark or fault.context_mark
    line = 1 if mark is None else _line(text, min(mark.index, len(text.rstrip())))
    words = str(fault.problem or fault.context or "this is not YAML")
    remedy = "Compare the indentation, quotes and brackets with the example"
    for sign, known in _REMEDIES:
        if sign in words:
            remedy = known
            break
    return Unreadable(line, f"this is not YAML: {words}", remedy)
