"""Read ``.github/recloser.yml``: strict, with every problem and its line. Pure.

Bytes in, a configuration or the problems out; whatever the bytes, no exception
(B19). An empty file is all defaults. Unknown and duplicate keys are problems,
nothing is coerced: ``"5"`` is not 5, ``true`` is not 1, and a duration says its
unit (B20).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.config.agreement import disagreements
from app.config.expectation import expectation
from app.config.keys import KEYS, KeyPath
from app.config.model import RepositoryConfig
from app.config.problem import ConfigProblem
from app.config.reading import Place, Reading, shown
from app.config.yaml_tree import Unreadable, read_tree

MAX_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A configuration, or the reasons why there is none: never both."""

    config: RepositoryConfig | None
    problems: tuple[ConfigProblem, ...]


def parse(text: str | bytes, *, source: str) -> Parsed:
    """Return the configuration that ``text`` means, or all that is wrong with it.

    Args:
        text: the file; a ``str`` may hold undecodable bytes by surrogateescape.
        source: where it was read, for the problems.
    """
    reading = Reading(source)
    try:
        tree = read_tree(_decoded(text))
    except Unreadable as fault:
        problem = ConfigProblem(
            source=source,
            line=fault.line,
            key="",
            message=fault.message,
            remedy=fault.remedy,
        )
        return Parsed(config=None, problems=(problem,))
    values = reading.file(tree)
    config = _validated(values, reading)
    problems = tuple(sorted(reading.problems, key=lambda each: (each.line, each.key)))
    return Parsed(config=None if problems else config, problems=problems)


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        # A lone surrogate that stands for no byte fails below like a bad byte.
        text = text.encode("utf-8", "surrogatepass" if _is_torn(text) else _ESCAPE)
    if len(text) > MAX_BYTES:
        raise Unreadable(
            1,
            f"the file has {len(text):,} bytes, more than {MAX_BYTES:,}",
            "Make the file smaller",
        )
    try:
        return text.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as fault:
        raise Unreadable(
            text.count(b"\n", 0, fault.start) + 1,
            f"the byte 0x{text[fault.start]:02x} is not UTF-8",
            "Save the file as UTF-8",
        ) from None


_ESCAPE = "surrogateescape"


def _is_torn(text: str) -> bool:
    try:
        text.encode("utf-8", _ESCAPE)
    except UnicodeEncodeError:
        return True
    return False


def _validated(values: dict[str, Any], reading: Reading) -> RepositoryConfig | None:
    """Return the configuration; note what the model refuses in ``values``."""
    try:
        config = _model(values)
    except ValidationError as refusal:
        places = [_place(reading, each["loc"]) for each in refusal.errors()]
        for place in _exact(places):
            _refuse(reading, place)
            reading.drop(values, place.key)
        # What was refused is left out now, so that contradictions in the rest
        # are found by the same look at the file.
        config = _model(values)
    for contradiction in disagreements(config):
        if not any(path in reading.bad for path in contradiction.paths):
            reading.note(
                contradiction.paths[0], contradiction.message, contradiction.remedy
            )
    return config


def _model(values: dict[str, Any]) -> RepositoryConfig:
    # JSON is the border on purpose: there a list may be a tuple and a text an
    # enum, while everything else stays strict.
    return RepositoryConfig.model_validate_json(json.dumps(values))


def _place(reading: Reading, location: Iterable[int | str]) -> Place:
    """Return where in the file pydantic's ``location`` is.

    Members of a union stand in it by name, and no node answers to those.
    """
    key: KeyPath = ()
    place: tuple[int | str, ...] = ()
    for step in location:
        if (*place, step) in reading.nodes:
            place = (*place, step)
            if place in KEYS:
                key = tuple(str(each) for each in place)
    return Place(key=key, steps=place)


def _exact(places: list[Place]) -> list[Place]:
    """Return the places, once each, without those that hold a more exact one.

    A value that fits no member of a union is refused as a whole and inside.
    """
    once = dict.fromkeys(places)
    inner = {
        place.steps[:length]
        for place in once
        for length in range(len(place.key), len(place.steps))
    }
    return [each for each in once if each.steps not in inner]


def _refuse(reading: Reading, place: Place) -> None:
    key = KEYS[place.key]
    node = reading.nodes[place.steps]
    inside = " inside it" if len(place.steps) > len(place.key) else ""
    reading.note(
        place.key,
        f"expected {expectation(key.schema)}, got {shown(node)}{inside}",
        "Write such a value, or remove the key to get the default",
        line=node.line,
    )
