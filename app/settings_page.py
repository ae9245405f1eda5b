"""Write the page of the operator's settings, so that it cannot drift.

``python -m app.settings_page --write`` brings ``docs/settings.md`` up to date;
without ``--write`` the page is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.settings import PREFIX, Settings

PAGE_FILE = Path(__file__).parents[1] / "docs" / "settings.md"

INTRODUCTION = """# Settings

<!-- Written by `python -m app.settings_page --write`; do not edit by hand. -->

The operator sets these as environment variables. They are read once, at start. An
empty variable counts as not set; an unknown one that starts with `RECLOSER_` is an
error, because it is most likely a misspelt one. Everything that is wrong is told at
once, and no message repeats a value.

The keys of the model providers (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`) are read by
the built-in agent itself, under those names. What a repository decides is in
[its configuration](configuration.md).

"""


def page() -> str:
    """Return the whole page as Markdown."""
    return INTRODUCTION + "\n".join(_table()) + "\n"


def _table() -> Iterator[str]:
    yield "| variable | value | default | meaning |"
    yield "|---|---|---|---|"
    properties = Settings.model_json_schema()
    for name, field in Settings.model_fields.items():
        schema = properties["properties"][name]
        meaning = " ".join((field.description or "").split())
        default = _default(field.default)
        words = _words(schema, properties.get("$defs", {}))
        yield f"| `{PREFIX}{name.upper()}` | {words} | {default} | {meaning} |"


def _words(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """Return what a value looks like."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].removeprefix("#/$defs/")]
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if schema.get("type") == "integer":
        most = f" to {schema['maximum']:,}" if "maximum" in schema else " or more"
        return f"a whole number, {schema['minimum']:,}{most}"
    if schema.get("type") == "array":
        return "one or two secrets"
    if schema.get("format") == "password":
        return "a secret"
    if "pattern" in schema:
        return f"a text that matches `{schema['pattern']}`"
    is_path = schema.get("format") == "path" or "anyOf" in schema
    return "a path" if is_path else "a text"


def _default(value: object) -> str:
    # Secrets and what follows from other settings have none to show.
    return f"`{value}`" if value and str(value) else ""


def main(arguments: list[str]) -> int:
    """Print the page, or write the file of ``docs/``."""
    if arguments == ["--write"]:
        PAGE_FILE.write_text(page(), encoding="utf-8")
        return 0
    sys.stdout.write(page())
    return 0 if not arguments else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
