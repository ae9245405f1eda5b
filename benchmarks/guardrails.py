"""Claim: a warm guardrail scan costs a fraction of the stock command lines.

``python -m benchmarks.guardrails --json``. Each round changes the file, so that
no result comes from memory; the stock side is ``semgrep scan`` with the same
rules and ``bandit``, one after the other, on the same file.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from guardrails import ChangeKind, ChangeSet, FileChange, Policy, evaluate
from guardrails.scanners import default_scanners
from guardrails.scanners.languages import Language
from guardrails.scanners.process import sandbox
from guardrails.scanners.rulepack import rulepack

WARM_ROUNDS = 9
STOCK_ROUNDS = 3
SECONDS_FOR_STOCK = 35.0
VIEWS = 12


def source(number: int) -> str:
    """Return a web application of about 150 lines; ``number`` makes it unique."""
    head = f'"""Application {number}."""\n\nimport subprocess\n\n'
    head += "from flask import Flask, request\n\napp = Flask(__name__)\n"
    views = [
        f'''

@app.route("/view/{each}")
def view_{each}():
    """Answer the view {each}."""
    name = request.args.get("name", "nobody")
    rows = [len(name), {each}, {number}]
    total = sum(row * {each} for row in rows)
    subprocess.run(["echo", "--", name], check=False)
    return {{"name": name, "total": total}}
'''
        for each in range(VIEWS)
    ]
    bad = '''

@app.route("/run")
def run():
    """Run what the visitor says."""
    return subprocess.run(request.args["c"], shell=True, check=False).returncode
'''
    return head + "".join(views) + bad


def milliseconds(work: Callable[[int], None], number: int) -> float:
    """Return how long ``work`` took on the file ``number``."""
    start = time.perf_counter()
    work(number)
    return (time.perf_counter() - start) * 1000


def warm(number: int) -> None:
    """Judge one changed file the way Recloser does; fail if the fault is missed."""
    file = FileChange(path="a.py", kind=ChangeKind.ADDED, after=source(number))
    change_set = ChangeSet(files=(file,))
    verdict = evaluate(change_set, Policy(), scanners=default_scanners())
    if not verdict.blocking(Policy().block) or not verdict.is_complete:
        raise SystemExit(f"the planted fault was not found: {verdict.gaps}")


def stock(number: int, folder: Path) -> None:
    """Run the two command lines as anybody would."""
    file = folder / "a.py"
    file.write_text(source(number))
    scripts = Path(sys.executable).parent
    rules = rulepack().configs([Language.PYTHON])
    environment = {**os.environ, "HOME": str(folder), "SEMGREP_SEND_METRICS": "off"}
    commands = (
        [
            str(scripts / "semgrep"),
            *("scan", "--json", "--quiet", "--metrics=off"),
            "--disable-version-check",
            *(f"--config={each}" for each in rules),
            str(file),
        ],
        [str(scripts / "bandit"), "-q", "-f", "json", str(file)],
    )
    for command in commands:
        subprocess.run(command, env=environment, capture_output=True, check=False)


def measure() -> dict[str, object]:
    """Return the medians of both sides and their ratio."""
    warm(0)  # starts bandit's process and finds out about the sandbox
    warm_times = [milliseconds(warm, number + 1) for number in range(WARM_ROUNDS)]
    stock_times = list[float]()
    end = time.perf_counter() + SECONDS_FOR_STOCK
    with tempfile.TemporaryDirectory() as folder:
        work = partial(stock, folder=Path(folder))
        for number in range(STOCK_ROUNDS):
            if number and time.perf_counter() > end:
                break
            stock_times.append(milliseconds(work, number))
    warm_median = statistics.median(warm_times)
    stock_median = statistics.median(stock_times)
    return {
        "lines": source(0).count("\n"),
        "rounds": {"warm": len(warm_times), "stock": len(stock_times)},
        "warm_median_ms": round(warm_median, 1),
        "stock_median_ms": round(stock_median, 1),
        "ratio_vs_stock": round(stock_median / warm_median, 2),
        "sandbox": sandbox().describe(),
    }


def main() -> None:
    """Print the result, as JSON with ``--json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    result = measure()
    if parser.parse_args().json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
