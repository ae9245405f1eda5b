"""The JSON schema of the file, and the command that writes schema and page.

``python -m app.config.schema --write`` brings ``docs/`` up to date; without
``--write`` the schema is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.config.keys import CONFIG_PATH, Fragment, KeyPath, children
from app.config.reference import page

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA_FILE = DOCS / "recloser.schema.json"
PAGE_FILE = DOCS / "configuration.md"


def schema() -> Fragment:
    """Return the JSON schema of the file as it is written, durations and all."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Recloser: {CONFIG_PATH}",
        **_section((), "What Recloser does in this repository."),
    }


def schema_text() -> str:
    """Return the schema as the file in ``docs/`` has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _section(path: KeyPath, meaning: str) -> Fragment:
    properties: Fragment = {}
    for name, key in children(path).items():
        if key.is_section:
            properties[name] = _section(key.path, key.meaning)
        else:
            properties[name] = {
                **key.schema,
                "description": key.meaning,
                "default": key.default,
            }
    return {
        # An empty file is null, and so is a section that is commented out.
        "type": ["object", "null"],
        "description": meaning,
        "additionalProperties": False,
        "properties": properties,
        **_CONDITIONS.get(path, {}),
    }


def _needs(use: str, needed: str, fragment: Fragment) -> Fragment:
    return {
        "if": {"properties": {"use": {"const": use}}, "required": ["use"]},
        "then": {"properties": {needed: fragment}, "required": [needed]},
    }


#: What app.config.agreement says, as far as a schema can.
_CONDITIONS: dict[KeyPath, Fragment] = {
    ("agent",): {
        "allOf": [
            _needs("command", "command", {"type": "string", "minLength": 1}),
            _needs("observe", "observe", {"type": "array", "minItems": 1}),
        ]
    }
}


def main(arguments: list[str]) -> int:
    """Print the schema, or write both files of ``docs/``."""
    if arguments == ["--write"]:
        SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
        PAGE_FILE.write_text(page(), encoding="utf-8")
        return 0
    sys.stdout.write(schema_text())
    return 0 if not arguments else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
