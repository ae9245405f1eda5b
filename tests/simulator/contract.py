"""What may be said to GitHub and what GitHub may answer.

Every request, response and webhook is held against GitHub's own description. Where
the description is wrong or silent, ``contract/deviations.toml`` says so with a
source; everything else is a Violation.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.simulator.schemas import CONTRACT, Schema, document, invented, problems
from tests.simulator.schemas import resolve as resolved

_SUFFIXES = "check-runs|check-suites|pulls|status|statuses|comments"


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One place where an exchange departs from GitHub's description."""

    operation: str
    side: str  # request, response or webhook
    at: str
    message: str

    def __str__(self) -> str:
        return f"{self.operation} {self.side} {self.at or '/'}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One known fault or gap of the description."""

    id: str
    side: str
    operations: re.Pattern[str]
    reason: str
    source: str
    status: int = 0
    schema: str = ""
    at: re.Pattern[str] | None = None
    wrap: str = ""  # a bare array is taken for an object with this field
    general: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One REST operation of the description."""

    id: str
    method: str
    path: str
    pattern: re.Pattern[str]
    query: frozenset[str]
    body: Schema | None
    is_body_required: bool
    responses: Mapping[str, Schema]


@dataclass(slots=True)
class Contract:
    """Checks exchanges and remembers the violations."""

    violations: list[Violation] = field(default_factory=list)
    hits: Counter[str] = field(default_factory=Counter)
    operations: Sequence[Operation] = field(default_factory=lambda: _operations())
    deviations: Sequence[Deviation] = field(default_factory=lambda: load_deviations())

    def find(
        self, method: str, raw_path: str
    ) -> tuple[Operation, dict[str, str]] | None:
        """Return the operation that a request means, with its path parameters."""
        for operation in self.operations:
            if operation.method == method:
                found = operation.pattern.fullmatch(raw_path)
                if found is not None:
                    named = found.groupdict()
                    return operation, {key: unquote(named[key]) for key in named}
        return None

    def unknown(self, method: str, path: str) -> None:
        """Note a request outside of the description."""
        self._add(
            f"{method} {path}", "request", [("", "operation is not in the contract")]
        )

    def check_request(self, op: Operation, query: Iterable[str], body: Any) -> bool:
        """Check a request; tell whether GitHub would take its body."""
        strange = [
            (f"?{name}", "unknown query") for name in query if name not in op.query
        ]
        self._add(op.id, "request", strange)
        if body is None:
            missing = op.body is not None and op.is_body_required
            return self._add(
                op.id, "request", [("", "body is missing")] if missing else []
            )
        if op.body is None:
            is_empty = body in ({}, "")
            return self._add(
                op.id, "request", [] if is_empty else [("", "body unexpected")]
            )
        return self._check(op.id, "request", op.body, self._wrapped(op.id, body))

    def _wrapped(self, name: str, body: Any) -> Any:
        for each in self.deviations:
            is_meant = each.wrap and each.operations.fullmatch(name)
            if is_meant and isinstance(body, list):
                self.hits[each.id] += 1
                return {each.wrap: body}
        return body

    def check_response(self, op: Operation, status: int, body: Any) -> None:
        """Check an answer; ``body`` is None where there is none."""
        response = op.responses.get(str(status))
        if response is None:
            allowed = self._allowed_status(op.id, status)
            if allowed is None:
                found = [("", f"status {status} is not documented")]
                self._add(op.id, "response", found)
                return
            schema: Schema = {"$ref": f"#/components/schemas/{allowed.schema}"}
            if allowed.schema:
                self._check(op.id, "response", schema, body)
            return
        content = response.get("content", {}).get("application/json")
        if content is None:
            if body is not None and self._allowed_status(op.id, status) is None:
                self._add(op.id, "response", [("", f"status {status} has no body")])
            return
        self._check(op.id, "response", content["schema"], body)

    def check_webhook(self, event: str, action: str, payload: Any) -> None:
        """Check a webhook's payload."""
        schema = webhook_schema(event, action)
        name = f"{event}.{action}" if action else event
        if schema is None:
            self._add(name, "webhook", [("", "event is not in the contract")])
            return
        self._check(name, "webhook", schema, payload)

    def _check(self, name: str, side: str, schema: Schema, value: Any) -> bool:
        found = list(problems(schema, value))
        found += [(at, "field is invented") for at in invented(schema, value)]
        return self._add(name, side, found)

    def _add(self, name: str, side: str, found: Iterable[tuple[str, str]]) -> bool:
        is_clean = True
        for at, message in found:
            known = self._known(name, side, at)
            if known is not None:
                self.hits[known.id] += 1
                continue
            is_clean = False
            self.violations.append(
                Violation(operation=name, side=side, at=at, message=message)
            )
        return is_clean

    def _known(self, name: str, side: str, at: str) -> Deviation | None:
        for each in self.deviations:
            is_place = each.at is not None and each.at.fullmatch(at) is not None
            if each.side == side and is_place and each.operations.fullmatch(name):
                return each
        return None

    def _allowed_status(self, name: str, status: int) -> Deviation | None:
        for each in self.deviations:
            if each.status == status and each.operations.fullmatch(name):
                self.hits[each.id] += 1
                return each
        return None


def webhook_schema(event: str, action: str) -> Schema | None:
    """Return the schema of an event's payload, None when the cut lacks it."""
    name = f"{event}-{action}" if action else event
    found = document()["x-webhooks"].get(name.replace("_", "-"))
    if found is None:
        return None
    content = found["post"]["requestBody"]["content"]
    schema: Schema = content["application/json"]["schema"]
    return schema


def load_deviations() -> tuple[Deviation, ...]:
    """Read the table of the description's known faults."""
    text = (CONTRACT / "deviations.toml").read_text(encoding="utf-8")
    return tuple(
        Deviation(
            id=row["id"],
            side=row["side"],
            operations=re.compile(row.get("operations", ".*")),
            reason=row["reason"],
            source=row["source"],
            status=row.get("status", 0),
            schema=row.get("schema", ""),
            at=re.compile(row["at"]) if "at" in row else None,
            wrap=row.get("wrap", ""),
            general=row.get("general", False),
        )
        for row in tomllib.loads(text)["deviation"]
    )


def _operations() -> tuple[Operation, ...]:
    found = [
        _operation(path, method, node)
        for path, methods in document()["paths"].items()
        for method, node in methods.items()
    ]
    # The longer path first: /commits/{ref}/check-runs before /commits/{ref}.
    return tuple(sorted(found, key=lambda each: -each.path.count("/")))


def _operation(path: str, method: str, node: dict[str, Any]) -> Operation:
    parameters = [resolved(each) for each in node.get("parameters", ())]
    body = node.get("requestBody", {})
    content = body.get("content", {}).get("application/json", {})
    return Operation(
        id=node["operationId"],
        method=method.upper(),
        path=path,
        pattern=re.compile(_pattern(path, parameters)),
        query=frozenset(each["name"] for each in parameters if each["in"] == "query"),
        body=content.get("schema"),
        is_body_required=body.get("required", False),
        responses={
            status: resolved(each) for status, each in node["responses"].items()
        },
    )


def _pattern(path: str, parameters: Sequence[dict[str, Any]]) -> str:
    made = re.escape(path).replace(r"\{", "{").replace(r"\}", "}")
    for each in parameters:
        if each["in"] != "path":
            continue
        name = each["name"]
        if each["schema"]["type"] == "integer":
            piece = r"\d+"
        elif each.get("x-multi-segment"):
            # A ref must not swallow the end of another operation's path.
            piece = rf"(?!.*/(?:{_SUFFIXES})$).+" if path.endswith("{ref}") else ".+"
        else:
            piece = "[^/]+"
        made = made.replace("{" + name + "}", f"(?P<{name}>{piece})")
    return made
