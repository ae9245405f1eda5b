"""Fill what GitHub always sends and nobody here cares about.

A repository has some eighty required fields, most of them addresses. ``complete``
adds those that are missing, from the schema: null where it may be null, else the
smallest value of its type. It never replaces a value that is given, so a mistake in
what is given stays visible to the contract.
"""

from __future__ import annotations

from typing import Any

from tests.simulator.schemas import Schema, document, resolve

_FILLED_URI = "https://github.invalid/"
_FILLED_TIME = "2026-01-01T00:00:00Z"


def named(name: str) -> Schema:
    """Return the schema component called ``name``."""
    found: Schema = document()["components"]["schemas"][name]
    return found


def complete(schema: Schema, value: Any) -> Any:
    """Return ``value`` with the required fields that it lacks, recursively."""
    schema = resolve(schema)
    if isinstance(value, list):
        items = schema.get("items")
        return [complete(items, each) for each in value] if items else value
    if not isinstance(value, dict):
        return value
    parts = [schema, *(resolve(each) for each in schema.get("allOf", ()))]
    for word in ("anyOf", "oneOf"):
        chosen = [
            each
            for each in map(resolve, schema.get(word, ()))
            if each.get("properties") and "object" in _types(each)
        ]
        parts += chosen[:1]
    made = dict(value)
    for part in parts:
        properties = part.get("properties", {})
        for name in part.get("required", ()):
            if name not in made:
                made[name] = _smallest(properties.get(name, {}))
        for name, child in properties.items():
            if name in made:
                made[name] = complete(child, made[name])
    return made


def project(schema: Schema, value: Any) -> Any:
    """Return ``value`` without the fields that ``schema`` does not know.

    A webhook carries the same pull request as the REST API, with fewer fields.
    """
    schema = resolve(schema)
    if isinstance(value, list):
        items = schema.get("items")
        return [project(items, each) for each in value] if items else value
    if not isinstance(value, dict):
        return value
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found = resolve(each)
        if found.get("properties") and set(found.get("required", ())) <= set(value):
            return project(found, value)
    properties = schema.get("properties")
    if not properties or schema.get("additionalProperties"):
        return value
    return {
        name: project(properties[name], child)
        for name, child in value.items()
        if name in properties
    }


def _types(schema: Schema) -> list[str]:
    kind = schema.get("type", "object" if "properties" in schema else "")
    return kind if isinstance(kind, list) else [kind]


def _smallest(schema: Schema) -> Any:
    schema = resolve(schema)
    kinds = _types(schema)
    choices = [each for word in ("anyOf", "oneOf") for each in schema.get(word, ())]
    if "null" in kinds or any("null" in _types(resolve(each)) for each in choices):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    if kinds[0] == "string":
        form = schema.get("format")
        return {"uri": _FILLED_URI, "date-time": _FILLED_TIME}.get(str(form), "")
    plain = {"integer": 0, "number": 0, "boolean": False}
    if kinds[0] in plain:
        return plain[kinds[0]]
    if kinds[0] == "array":
        return []
    if choices:
        return _smallest(choices[0])
    return complete(schema, {})
