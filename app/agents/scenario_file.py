"""Read a scenario from YAML: strict, and every error names its file and line. Pure.

    acts:
      - when: {path: "src/**", title: "login", pull: 7, review: 2, probe: false}
        steps:
          - call_model: {prompt_tokens: 1200, output_tokens: 300}
          - call_tool: {tool: read_file, arguments: {path: src/a.py}}
          - publish: {path: src/a.py, line: 3, body: "This can divide by zero."}
          - repeat: {times: 5, steps: [...]}
          - wait: 2s
          - fail: crash
        summary: "One remark."
        confidence: 0.9
        stubborn: false

The file is the operator's own, yet it is read with the same bounded YAML 1.2 reader
as everything else.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Literal, NoReturn, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from app.agents.scenario import (
    Act,
    CallModel,
    CallTool,
    Delegate,
    Fail,
    Part,
    Propose,
    Publish,
    Repeat,
    Scenario,
    Step,
    When,
)
from app.agents.scenario import Wait as WaitStep
from app.config.duration import to_seconds
from app.config.scalar import is_ambiguous, value_of
from app.config.yaml_tree import Mapping, Node, Scalar, Sequence, Unreadable, read_tree
from app.errors import SettingsError

MOST_TIMES = 100_000
ACT_KEYS = ("when", "steps", "summary", "confidence", "stubborn")
FAILURES = ("crash", "empty", "infrastructure")
BODIES: dict[str, type[Part]] = {
    "call_model": CallModel,
    "call_tool": CallTool,
    "propose": Propose,
    "publish": Publish,
    "delegate": Delegate,
}
STEPS = (*BODIES, "wait", "fail", "repeat")

_Made = TypeVar("_Made")
_WHEN = TypeAdapter(When)
_Plain = str | int | float | bool | None | list["_Plain"] | dict[str, "_Plain"]


class ScenarioError(SettingsError):
    """The scenario cannot be read; the message names file, line and remedy."""


def parse_scenario(text: str, *, source: str) -> Scenario:
    """Return the scenario that ``text`` means.

    Raises:
        ScenarioError: it means none.
    """
    try:
        root = read_tree(text)
    except Unreadable as fault:
        message = f"{source}, line {fault.line}: {fault.message}. {fault.remedy}"
        raise ScenarioError(message) from None
    return _Reader(source).scenario(root)


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source

    def scenario(self, root: Node | None) -> Scenario:
        if root is None:
            self._fail(1, "there is no scenario here: it starts with `acts:`")
        fields = self._fields(root, ("acts",), "a scenario")
        if "acts" not in fields:
            self._fail(root.line, "there are no `acts`")
        acts = self._list(fields["acts"], "acts")
        if not acts:
            self._fail(root.line, "`acts` is empty")
        made = tuple(self._act(each) for each in acts)
        return Scenario(source=self._source, acts=made)

    def _act(self, node: Node) -> Act:
        fields = self._fields(node, ACT_KEYS, "an act")
        steps = self._steps(fields["steps"]) if "steps" in fields else ()
        when = When()
        if "when" in fields:
            self._fields(fields["when"], tuple(When.model_fields), "`when`")
            when = self._made(_WHEN, fields["when"])
        rest = {key: fields[key] for key in fields if key not in ("when", "steps")}
        types = {"summary": str, "confidence": float, "stubborn": bool}
        values = {
            key: self._made(TypeAdapter[object](types[key]), each)
            for key, each in rest.items()
        }
        confidence = cast(float, values.get("confidence", 1.0))
        if not 0 <= confidence <= 1:
            self._fail(rest["confidence"].line, "confidence is from 0 to 1")
        return Act(
            when=when,
            steps=steps,
            summary=cast(str, values.get("summary", "")),
            confidence=confidence,
            stubborn=cast(bool, values.get("stubborn", False)),
        )

    def _steps(self, node: Node) -> tuple[Step, ...]:
        return tuple(self._step(each) for each in self._list(node, "steps"))

    def _step(self, node: Node) -> Step:
        fields = self._fields(node, STEPS, "a step")
        if len(fields) != 1:
            self._fail(node.line, f"a step is one of {', '.join(STEPS)}: one, not more")
        ((kind, body),) = fields.items()
        if kind in BODIES:
            names = tuple(BODIES[kind].model_fields)
            self._fields(body, names, f"`{kind}`")
            return cast(Step, self._made(TypeAdapter(BODIES[kind]), body))
        if kind == "repeat":
            return self._repeat(body)
        text = body.text if isinstance(body, Scalar) else ""
        if kind == "fail":
            if text not in FAILURES:
                self._fail(body.line, f"`fail` is one of {', '.join(FAILURES)}")
            return Fail(
                kind=cast(Literal["crash", "empty", "infrastructure"], text),
            )
        seconds = to_seconds(text)
        if seconds is None:
            self._fail(body.line, "`wait` is a duration such as 2s or 5m")
        return WaitStep(seconds=seconds)

    def _repeat(self, node: Node) -> Repeat:
        fields = self._fields(node, ("times", "steps"), "`repeat`")
        if len(fields) != 2:
            self._fail(node.line, "`repeat` needs `times` and `steps`")
        times = self._plain(fields["times"])
        if not isinstance(times, int) or not 1 <= times <= MOST_TIMES:
            self._fail(fields["times"].line, f"`times` is from 1 to {MOST_TIMES}")
        return Repeat(times=times, steps=self._steps(fields["steps"]))

    def _fields(self, node: Node, known: tuple[str, ...], what: str) -> dict[str, Node]:
        """Return the values of a mapping, each key known and there once."""
        if not isinstance(node, Mapping):
            self._fail(node.line, f"{what} is a mapping of {', '.join(known)}")
        fields = dict[str, Node]()
        for key, value in node.pairs:
            name = self._key(key)
            if name not in known:
                listed = ", ".join(known)
                self._fail(key.line, f"{what} has no `{name[:40]}`, only {listed}")
            if name in fields:
                self._fail(key.line, f"`{name}` is there twice")
            fields[name] = value
        return fields

    def _key(self, key: Node) -> str:
        if not isinstance(key, Scalar):
            self._fail(key.line, "a key is a text")
        return key.text

    def _list(self, node: Node, what: str) -> Many[Node]:
        if not isinstance(node, Sequence):
            self._fail(node.line, f"`{what}` is a list: each item starts with `- `")
        return node.items

    def _made(self, adapter: TypeAdapter[_Made], node: Node) -> _Made:
        try:
            return adapter.validate_python(self._plain(node), strict=True)
        except ValidationError as error:
            worst = error.errors(include_url=False)[0]
            line, where = _locate(node, worst["loc"])
            name = f"`{where}`: " if where else ""
            self._fail(line, f"{name}{worst['msg']}")

    def _plain(self, node: Node) -> _Plain:
        if isinstance(node, Scalar):
            if not node.is_plain:
                return node.text
            if is_ambiguous(node.text):
                self._fail(node.line, f"put quotes around {node.text} or drop its zero")
            return value_of(node.text)
        if isinstance(node, Sequence):
            return [self._plain(each) for each in node.items]
        names = [self._key(key) for key, _ in node.pairs]
        if len(set(names)) != len(names):
            self._fail(node.line, "a key is there twice")
        return {self._key(key): self._plain(value) for key, value in node.pairs}

    def _fail(self, line: int, message: str) -> NoReturn:
        raise ScenarioError(f"{self._source}, line {line}: {message}")


def _locate(node: Node, loc: tuple[int | str, ...]) -> tuple[int, str]:
    """Return the line of what ``loc`` names, and its dotted name."""
    names = list[str]()
    for step in loc:
        if isinstance(node, Mapping):
            found = [
                v for k, v in node.pairs if isinstance(k, Scalar) and k.text == step
            ]
            if not found:
                names.append(str(step))
                break
            node = found[0]
            names.append(str(step))
        else:
            break  # the branch of a union: no place in the file
    return node.line, ".".join(names)
