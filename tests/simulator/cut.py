"""Cut GitHub's official description down to what a guard app uses.

``npm pack @octokit/openapi@23.0.2`` gives the official file; then
``python -m tests.simulator.cut generated/api.github.com.json`` checks that what is
vendored equals a fresh cut, ``--add operation-id`` and ``--add-webhook name`` widen it.
Prose and examples are dropped, nothing else is changed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

CUT = Path(__file__).parent / "contract" / "github-openapi.json"
PROSE = frozenset((
    "summary", "description", "tags", "externalDocs", "examples", "example",
    "x-github", "x-octokit", "title",
))  # fmt: skip
Json = dict[str, Any]


def cut(official: Json, operations: Sequence[str], webhooks: Sequence[str]) -> Json:
    """Return the part of ``official`` with these operations and webhooks."""
    paths: Json = {}
    for path, methods in official["paths"].items():
        for method, node in methods.items():
            if node["operationId"] in operations:
                paths.setdefault(path, {})[method] = _lean(node)
    hooks = {name: _lean(official["x-webhooks"][name]) for name in webhooks}
    components: Json = {}
    waiting = [*_references(paths), *_references(hooks)]
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            node = components[kind][name] = _lean(official["components"][kind][name])
            waiting += _references(node)
    return {"paths": paths, "x-webhooks": hooks, "components": components}


def names(known: Json) -> tuple[list[str], list[str]]:
    """Return the operations and webhooks of a cut."""
    operations = [
        node["operationId"]
        for methods in known["paths"].values()
        for node in methods.values()
    ]
    return operations, list(known["x-webhooks"])


def _lean(node: Any, *, is_named: bool = False) -> Any:
    """Drop the prose; below ``properties`` every key is a field's name, not prose."""
    if isinstance(node, list):
        return [_lean(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _lean(item, is_named=not is_named and key in ("properties", "headers"))
        for key, item in node.items()
        if is_named or key not in PROSE
    }


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _references(item)
    elif isinstance(node, dict):
        for key, item in node.items():
            if key == "$ref" and isinstance(item, str):
                yield item
            else:
                yield from _references(item)


def main() -> int:
    """Compare what is vendored with a fresh cut, or widen it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("official", type=Path)
    parser.add_argument("--add", nargs="*", default=[], metavar="OPERATION")
    parser.add_argument("--add-webhook", nargs="*", default=[], metavar="WEBHOOK")
    asked = parser.parse_args()
    official = json.loads(asked.official.read_text(encoding="utf-8"))
    known = json.loads(CUT.read_text(encoding="utf-8"))
    operations, webhooks = names(known)
    fresh = cut(official, [*operations, *asked.add], [*webhooks, *asked.add_webhook])
    if asked.add or asked.add_webhook:
        whole = {"openapi": known["openapi"], "info": known["info"], **fresh}
        text = json.dumps(whole, separators=(",", ":"), ensure_ascii=False)
        CUT.write_text(f"{text}\n", encoding="utf-8")
        return 0
    different = [key for key in fresh if fresh[key] != known[key]]
    print("equal" if not different else f"different: {', '.join(different)}")
    return len(different)


if __name__ == "__main__":
    raise SystemExit(main())
