"""Run bandit's tests on texts that come in by standard input, one JSON line each.

A program of its own (``python -I bandit_runner.py``): it starts inside the
sandbox, imports nothing of Recloser and holds no secret. Its private use of
bandit (``_parse_file``) avoids 200 ms of start for each call; the version is
pinned and a test holds it to bandit's own command line.

In: {"exclude": [...]} once, then {"text": "..."} for each file.
Out: {"python": "3.x", "bandit": "1.x"} once, then {"issues": [...], "skipped": ...}.
"""

from __future__ import annotations

import io
import json
import logging
import platform
import sys
import warnings
from typing import Any

FILE_NAME = "source.py"  # the same for all: no test may depend on a PR's names


def main() -> None:
    """Answer line by line until standard input ends."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # a stray print must not become an answer
    sys.setrecursionlimit(4000)  # deep but honest code; beyond it a file is skipped
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    from bandit import __version__
    from bandit.core.config import BanditConfig
    from bandit.core.manager import BanditManager

    hello = json.loads(sys.stdin.readline())
    manager = BanditManager(
        BanditConfig(),
        "file",
        profile={"exclude": hello["exclude"]},
        ignore_nosec=True,  # B27
    )

    def answer(value: dict[str, Any]) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    answer({"python": platform.python_version(), "bandit": __version__})
    for line in sys.stdin:
        answer(_look(manager, json.loads(line)["text"]))


def _look(manager: Any, text: str) -> dict[str, Any]:
    manager.results, manager.skipped, manager.scores = [], [], []
    data = text.encode("utf-8", "surrogateescape")
    manager._parse_file(FILE_NAME, io.BytesIO(data), [FILE_NAME])
    issues = [
        {
            "test": each.test_id,
            "severity": each.severity,
            "confidence": each.confidence,
            "text": each.text,
            "cwe": each.cwe.id,
            "line": each.lineno,
            "lines": each.linerange,
        }
        for each in manager.results
    ]
    skipped = manager.skipped[0][1] if manager.skipped else None
    return {"issues": issues, "skipped": skipped}


if __name__ == "__main__":
    main()
