"""Every key that the file knows, derived from the model: one list for all.

Parser, JSON schema and reference page read this list, so that they cannot
disagree. Keys are paths of names; a section is a path with keys below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from app.config import duration
from app.config.model import RepositoryConfig, Seconds, Section

CONFIG_PATH = ".github/recloser.yml"

KeyPath = tuple[str, ...]
#: A fragment of a JSON schema. ``Any`` because JSON is what it is.
Fragment = dict[str, Any]

DURATION: Fragment = {"type": "string", "pattern": duration.PATTERN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of the file.

    Args:
        path: the names that lead to it.
        meaning: the sentence of its docstring.
        schema: what its value may be, as a JSON schema without ``$ref``.
        default: as the file would write it.
        is_section: it holds further keys.
        is_duration: the file writes ``10m``, the model holds seconds.
    """

    path: KeyPath
    meaning: str
    schema: Fragment
    default: object
    is_section: bool = False
    is_duration: bool = False

    @property
    def name(self) -> str:
        """Return the dotted name."""
        return ".".join(self.path)

    @property
    def may_be_null(self) -> bool:
        """Tell whether ``null`` is a value of its own."""
        return {"type": "null"} in self.schema.get("anyOf", ())


def _keys(model: type[Section], above: KeyPath) -> Iterator[Key]:
    hints = get_type_hints(model, include_extras=True)
    schema = model.model_json_schema()
    defaults = model().model_dump(mode="json")
    for name in model.model_fields:
        path = (*above, name)
        fragment = _inlined(schema["properties"][name], schema.get("$defs", {}))
        meaning = fragment.pop("description", "")
        fragment.pop("default", None)
        hint = hints[name]
        if isinstance(hint, type) and issubclass(hint, Section):
            about = " ".join((hint.__doc__ or "").split())
            yield Key(path=path, meaning=about, schema={}, default={}, is_section=True)
            yield from _keys(hint, path)
        elif hint is Seconds:
            yield Key(
                path=path,
                meaning=meaning,
                schema=DURATION,
                default=duration.to_text(defaults[name]),
                is_duration=True,
            )
        else:
            yield Key(
                path=path, meaning=meaning, schema=fragment, default=defaults[name]
            )


def _inlined(fragment: Fragment, definitions: Mapping[str, Fragment]) -> Fragment:
    """Return ``fragment`` with its ``$ref`` put in and its titles left out."""
    found: Fragment = {}
    for name, value in fragment.items():
        if name == "$ref":
            target = definitions[value.removeprefix("#/$defs/")]
            found = {**_inlined(target, definitions), **found}
        elif name == "title":
            continue
        elif name == "anyOf":
            found[name] = [_inlined(each, definitions) for each in value]
        elif name in ("items", "additionalProperties") and isinstance(value, dict):
            found[name] = _inlined(value, definitions)
        else:
            found[name] = value
    return found


#: All keys, in the order of the file.
KEYS: Mapping[KeyPath, Key] = {key.path: key for key in _keys(RepositoryConfig, ())}


def children(path: KeyPath) -> dict[str, Key]:
    """Return the keys directly below ``path``, by name."""
    return {
        key.path[-1]: key
        for key in KEYS.values()
        if key.path[:-1] == path and len(key.path) == len(path) + 1
    }
