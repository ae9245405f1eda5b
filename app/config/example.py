"""Write the file that says what the defaults say, for people to start from. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from app.config.keys import CONFIG_PATH, KEYS, Key
from app.config.scalar import value_of

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]*(?<!:)")


def example() -> str:
    """Return the text of a configuration file equal to an empty one."""
    lines = [f"# {CONFIG_PATH}: every key is optional; these are the defaults."]
    for key in KEYS.values():
        lines += _lines(key)
    return "\n".join(lines) + "\n"


def written(value: object) -> str:
    """Return ``value`` as YAML on one line."""
    if isinstance(value, list):
        return f"[{', '.join(written(each) for each in value)}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _lines(key: Key) -> Iterator[str]:
    indent = "  " * (len(key.path) - 1)
    if key.is_section:
        if not indent:
            yield ""
        yield f"{indent}{key.path[-1]}: # {key.meaning}"
        return
    # A key without a default is shown, and left out.
    off = "# " if key.default is None else ""
    value = "NAME" if key.default is None else written(key.default)
    yield f"{indent}# {key.meaning}"
    yield f"{indent}{off}{key.path[-1]}: {value}"
