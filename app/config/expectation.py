"""Say in words what a key expects: for problems and for the reference page. Pure."""

from __future__ import annotations

from app.config.keys import DURATION, Fragment


def expectation(schema: Fragment) -> str:
    """Return the words for a value that ``schema`` allows."""
    if "anyOf" in schema:
        return " or ".join(expectation(each) for each in schema["anyOf"])
    if "enum" in schema:
        *most, last = (f"`{each}`" for each in schema["enum"])
        return f"{', '.join(most)} or {last}" if most else last
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("pattern") == DURATION["pattern"]:
        return "a duration up to 24h, such as `90s`, `10m` or `1h`"
    return _of_type(schema)


def _of_type(schema: Fragment) -> str:
    match schema["type"]:
        case "integer":
            return f"a whole number{_bounds(schema)}"
        case "number":
            return f"a number{_bounds(schema)}"
        case "array":
            return "a list of texts"
        case "object":
            return "a mapping from text to lists of texts"
        case "null":
            return "nothing"
        case _:
            return _text(schema)


def _bounds(schema: Fragment) -> str:
    return f" from {schema['minimum']:,} to {schema['maximum']:,}"


def _text(schema: Fragment) -> str:
    if "pattern" in schema:
        return f"a text that matches `{schema['pattern']}`"
    if "maxLength" in schema:
        return f"a text of {schema['minLength']} to {schema['maxLength']} characters"
    return "a text"
