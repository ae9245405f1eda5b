"""GitHub's OpenAPI description, made ready for a JSON Schema validator.

OpenAPI 3.0 says ``nullable`` where JSON Schema says ``type: [x, null]``. E-mail and
time-stamp formats of bots break GitHub's own description, so only ``uri`` and
``date-time`` are held.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

CONTRACT = Path(__file__).parent / "contract"
Schema = dict[str, Any]
_FORMATS = ("uri", "date-time")


@cache
def document() -> dict[str, Any]:
    """Return the description with JSON Schema's way to say nullable."""
    text = (CONTRACT / "github-openapi.json").read_text(encoding="utf-8")
    made: dict[str, Any] = _without_nullable(json.loads(text))
    return made


def _without_nullable(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nullable(item) for item in value]
    if not isinstance(value, dict):
        return value
    node = {key: _without_nullable(item) for key, item in value.items()}
    if isinstance(node.get("format"), str) and node["format"] not in _FORMATS:
        del node["format"]
    if node.get("nullable") is not True:
        return node
    del node["nullable"]
    if isinstance(node.get("type"), str):
        node["type"] = [node["type"], "null"]
        if "enum" in node and None not in node["enum"]:
            node["enum"] = [*node["enum"], None]
        return node
    return {"anyOf": [node, {"type": "null"}]} if node else {}


def resolve(node: Schema) -> Schema:
    """Follow ``$ref`` to what it means."""
    while "$ref" in node:
        target: Any = document()
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


@cache
def _validator(text: str) -> Any:
    schema = {**json.loads(text), "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def problems(schema: Schema, value: Any) -> Iterator[tuple[str, str]]:
    """Yield where (a JSON pointer) and how ``value`` breaks ``schema``."""
    for error in _validator(json.dumps(schema, sort_keys=True)).iter_errors(value):
        yield "".join(f"/{part}" for part in error.instance_path), error.message[:300]


def invented(schema: Schema, value: Any, at: str = "") -> Iterator[str]:
    """Yield the fields of ``value`` that ``schema`` does not know.

    The description allows unknown fields everywhere, so that a misspelt
    ``conclussion`` would pass without this.
    """
    if isinstance(value, list):
        items = [item for each in _variants(schema) if (item := each.get("items"))]
        for index, element in enumerate(value):
            if items:
                yield from invented({"anyOf": items}, element, f"{at}/{index}")
    elif isinstance(value, dict):
        variants = list(_variants(schema))
        known: dict[str, list[Schema]] = {}
        for each in variants:
            for name, child in each.get("properties", {}).items():
                known.setdefault(name, []).append(child)
        is_open = not known or any(
            each.get("additionalProperties") for each in variants
        )
        for name, child in value.items():
            if name in known:
                yield from invented({"anyOf": known[name]}, child, f"{at}/{name}")
            elif not is_open:
                yield f"{at}/{name}"


def _variants(schema: Schema) -> Iterator[Schema]:
    schema = resolve(schema)
    yield schema
    for word in ("allOf", "anyOf", "oneOf"):
        for each in schema.get(word, ()):
            yield from _variants(each)
