"""A warm program that crashes, hangs or lies, tried with real programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from guardrails.scanners.worker import Worker, WorkerLost

PROGRAM = """
import json, os, sys, time
json.loads(sys.stdin.readline())
print(json.dumps({"pid": os.getpid(), "start": time.time()}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    if question["do"] == "die": os._exit(3)
    if question["do"] == "hang": time.sleep(60)
    if question["do"] == "lie": print("not json", flush=True); continue
    if question["do"] == "list": print("[]", flush=True); continue
    print(json.dumps({"size": len(question.get("text", ""))}), flush=True)
"""

Make = Callable[..., Worker]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Return a maker of workers that are closed at the end."""
    made = list[Worker]()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def maker(**options: int) -> Worker:
        argv = (sys.executable, "-I", "-S", str(program))
        made.append(Worker(argv, {}, **options))
        return made[-1]

    yield maker
    for each in made:
        each.close()


def test_one_program_answers_many_questions(make: Make) -> None:
    """The start is paid once, and long texts go through."""
    worker = make()
    assert worker.ask({"do": "size", "text": "x"}, timeout=10) == {"size": 1}
    start = worker.greeting["start"]
    long = "é" * 300_000
    assert worker.ask({"do": "size", "text": long}, timeout=10) == {"size": 300_000}
    assert worker.greeting["start"] == start


@pytest.mark.parametrize("trick", ["die", "lie", "list"])
def test_a_lost_program_is_started_again(make: Make, trick: str) -> None:
    """One bad question costs one answer, not the next."""
    worker = make()
    with pytest.raises(WorkerLost):
        worker.ask({"do": trick}, timeout=10)
    assert worker.ask({"do": "size", "text": "xy"}, timeout=10) == {"size": 2}


def test_a_hanging_program_is_killed(make: Make) -> None:
    """The deadline of a question holds, and the next is answered."""
    worker = make()
    with pytest.raises(WorkerLost, match=r"no answer within 0\.3 s"):
        worker.ask({"do": "hang"}, timeout=0.3)
    assert worker.ask({"do": "size"}, timeout=10) == {"size": 0}


def test_a_program_is_replaced_after_so_many_questions(make: Make) -> None:
    """Nothing can pile up in a program for ever."""
    worker = make(questions=2)
    starts = set[float]()
    for _ in range(4):
        worker.ask({"do": "size"}, timeout=10)
        starts.add(worker.greeting["start"])
    assert len(starts) == 2


def test_a_program_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    """A missing program raises; it does not answer with nothing."""
    worker = Worker((sys.executable, "-I", str(tmp_path / "none.py")), {})
    with pytest.raises(WorkerLost):
        worker.ask({}, timeout=10)
    worker.close()
