"""B02: the files API says ``removed`` where everybody expects ``deleted``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.github.files import STATUSES
from app.github.hub import GitHubHub
from tests.app.github.conftest import *  # noqa: F403  # the fixtures of that edge
from tests.app.github.server import Reply, ScriptedServer

# GitHub's own words, out of its description of ``diff-entry``.
SEVEN = ["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]


def _row(status: str) -> dict[str, object]:
    return {
        "filename": "a.py",
        "status": status,
        "additions": 1,
        "deletions": 0,
        "changes": 1,
        "patch": "@@ -0,0 +1 @@\n+x",
    }


def _described() -> list[str]:
    for place in Path(__file__).parents[1].rglob("*.json"):
        if place.stat().st_size < 100_000:
            continue
        schemas = json.loads(place.read_bytes()).get("components", {}).get("schemas")
        if schemas and "diff-entry" in schemas:
            words = schemas["diff-entry"]["properties"]["status"]["enum"]
            return [str(word) for word in words]
    return []


def test_every_word_of_the_description_is_known() -> None:
    """The words are GitHub's, not typed from memory."""
    described = _described()
    if not described:
        pytest.skip("GitHub's description is not vendored here")
    assert sorted(described) == sorted(STATUSES) == sorted(SEVEN)


def test_all_seven_are_mapped(hub: GitHubHub, server: ScriptedServer) -> None:
    """A removal is a deletion, and none of the seven is a gap."""
    server.script = [
        Reply(body=[_row(word) for word in SEVEN]),
        Reply(body={"changed_files": 7}),
    ]
    found = hub.changed_files(1)
    assert [row["status"] for row in found.rows] == [
        "added",
        "deleted",
        "modified",
        "renamed",
        "copied",
        "modified",
        "modified",
    ]
    assert all(row["gap"] == "" for row in found.rows)


def test_an_unknown_word_is_a_modification_and_a_gap(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """What GitHub may invent tomorrow is looked at and reported."""
    server.script = [
        Reply(body=[_row("reticulated"), _row("added")]),
        Reply(body={"changed_files": 2}),
    ]
    strange, known = hub.changed_files(1).rows
    assert strange["status"] == "modified"
    assert "'reticulated'" in strange["gap"]
    assert known["gap"] == ""
