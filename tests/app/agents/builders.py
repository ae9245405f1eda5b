"""Tasks for tests: a change of two files, and the tree it makes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from app.agents.base import Gate, Report, ReviewAgent, Task
from guardrails import ChangeSet
from guardrails.diff import from_texts

BEFORE = "def mean(values):\n    return 0\n"
AFTER = """\
def mean(values):
    total = 0
    for each in values:
        total += each
    return total / len(values)


def load(path):
    handle = open(path)
    return handle.read()
"""


class DictTree:
    """A tree of texts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)

    def read(self, path: str) -> str | None:
        return self.files.get(path)

    def paths(self) -> Sequence[str]:
        return sorted(self.files)


def task(
    before: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
    **fields: Any,
) -> Task:
    """Return a task; without arguments, app.py changes from BEFORE to AFTER."""
    before = {"app.py": BEFORE} if before is None else before
    after = {"app.py": AFTER, "docs/notes.md": "mean\n"} if after is None else after
    changed = [path for path in after if before.get(path) != after[path]]
    changes = tuple(from_texts(each, before.get(each), after[each]) for each in changed)
    made = {
        "review_id": "owner/repo#7@" + "a" * 40 + "#1",
        "change_set": ChangeSet(files=changes),
        "scope": tuple(changed),
        "tree": DictTree(after),
        "title": "Compute the mean",
        "body": "It was always zero.",
        **fields,
    }
    return Task(**made)


async def no_sleep(_: float) -> None:
    """Wait for nothing."""


def run(agent: ReviewAgent, gate: Gate, given: Task | None = None) -> Report:
    """Let ``agent`` review, in an event loop of its own as the app does."""
    return asyncio.run(agent.review(given or task(), gate, lambda _: None))
