"""The JSON schema and the parser judge alike."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from app.config.example import example
from app.config.keys import KEYS
from app.config.parser import parse
from app.config.schema import schema

GOOD = (
    "",
    example(),
    "enforcement: advise",
    "fuse:\nbudget:\n",
    "agent: {use: command, command: pr-agent}",
    "agent: {use: observe, observe: [a-bot]}",
    "agent: {command: null}",
    "agent: {model: 'anthropic:claude'}",
    "breaker: {stakes: low, recovery: {first: 1s, max: 24h}}",
    "fuse: {cost_usd: 0, drift_limit: 1, deadline: 90s, repeats: 8, tools: []}",
    "guardrails: {lanes: {'a/**': [x]}, protected: []}",
    "fallback: {linters: auto}",
    "fallback: {linters: [ruff]}",
    "escalation: {reviewers: none, label: 🚨}",
    "escalation: {reviewers: [octocat, org/team]}",
)
BAD = (
    "just text",
    "- a",
    "nope: 1",
    "fuse: {nope: 1}",
    "breaker: {recovery: {nope: 1s}}",
    "fuse: 5",
    "enforcement: off",
    "enforcement: true",
    "agent: {use: command}",
    "agent: {use: command, command: null}",
    "agent: {use: observe}",
    "agent: {use: observe, observe: []}",
    "agent: {model: gpt}",
    "agent: {observe: a-bot}",
    "agent: {observe: [1]}",
    "breaker: {false_trip_every: 99}",
    "breaker: {stakes: null}",
    "fuse: {tokens: '5000'}",
    "fuse: {tokens: true}",
    "fuse: {tokens: 1000.5}",
    "fuse: {tokens: 1000000000000000000000000000000}",
    "fuse: {cost_usd: -1}",
    "fuse: {deadline: 600}",
    "fuse: {deadline: 25h}",
    "fuse: {deadline: 0s}",
    "fuse: {repeats: 9}",
    "fuse: {drift_limit: 1.01}",
    "guardrails: {lanes: {a: x}}",
    "guardrails: {lanes: [a]}",
    "guardrails: {block: none}",
    "fallback: {linters: all}",
    "fallback: {linters: [1]}",
    "escalation: {label: ''}",
    f"escalation: {{label: {'x' * 51}}}",
    "escalation: {reviewers: everybody}",
)
VALIDATOR = Draft202012Validator(schema())


def plain(text: str) -> object:
    yaml = YAML(typ="safe", pure=True)
    return yaml.load(text)


def test_the_schema_is_one() -> None:
    """The schema is valid itself."""
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("text", GOOD)
def test_both_accept(text: str) -> None:
    """What the parser reads, an editor does not underline."""
    assert parse(text, source="x").problems == ()
    assert [error.message for error in VALIDATOR.iter_errors(plain(text))] == []


@pytest.mark.parametrize("text", BAD)
def test_both_refuse(text: str) -> None:
    """What the parser refuses, an editor underlines."""
    assert parse(text, source="x").config is None
    assert not VALIDATOR.is_valid(plain(text))


def test_each_key_has_a_meaning() -> None:
    """No key of the file is left without its sentence."""
    assert [key.name for key in KEYS.values() if not key.meaning.endswith(".")] == []


def test_each_default_is_allowed() -> None:
    """The schema accepts the defaults that it names."""
    for key in KEYS.values():
        assert Draft202012Validator(key.schema).is_valid(key.default), key.name
