"""bandit as we run it, held to bandit as everybody runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from guardrails.engine import Source
from guardrails.model import Confidence, Severity
from guardrails.scanners.bandit import BanditScanner
from guardrails.scanners.bandit_tests import EXCLUDED, weigh
from guardrails.scanners.rulepack import RULEPACK

SAMPLES = sorted((RULEPACK / "python" / "samples").glob("*.py"))


@pytest.fixture(scope="module")
def bandit() -> Iterator[BanditScanner]:
    """Return one scanner for all tests here; its process stays warm."""
    scanner = BanditScanner()
    yield scanner
    scanner.close()


def _source(text: str, path: str = "head/a.py") -> Source:
    return Source(path=path, text=text)


def test_the_warm_process_says_what_the_command_line_says(
    bandit: BanditScanner,
) -> None:
    """Our private use of bandit finds exactly what its own front finds."""
    sources = [_source(each.read_text(), f"head/{each.name}") for each in SAMPLES]
    ours = {
        (each.rule.removeprefix("bandit."), each.path.removeprefix("head/"), each.line)
        for each in bandit.scan(sources).findings
    }
    skip = ",".join(f"B{number}" for number in EXCLUDED)
    stock = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-f", "json", "-s", skip, *SAMPLES],
        capture_output=True,
        check=False,
    )
    theirs = {
        (each["test_id"], Path(each["filename"]).name, each["line_number"])
        for each in json.loads(stock.stdout)["results"]
    }
    assert len(theirs) > 15
    assert ours == theirs


def test_a_finding_shows_its_line(bandit: BanditScanner) -> None:
    """Line, text, weakness and weight come with each finding."""
    text = "import subprocess\n\ndef f(c):\n    subprocess.call(c, shell=True)\n"
    (finding,) = bandit.scan([_source(text)]).findings
    assert finding.rule == "bandit.B602"
    assert finding.severity is Severity.HIGH
    assert (finding.line, finding.evidence) == (4, "    subprocess.call(c, shell=True)")
    assert finding.cwe == "CWE-78"
    assert finding.origin == "bandit"


def test_files_of_other_languages_are_left_alone(bandit: BanditScanner) -> None:
    """A shell script without a suffix is accepted by name and then not parsed."""
    assert bandit.accepts("bin/deploy")
    assert not bandit.accepts("a.js")
    result = bandit.scan([_source("#!/bin/sh\nif\n", "head/bin/deploy")])
    assert result.findings == ()
    assert result.gaps == ()


def test_a_text_that_takes_too_long_is_a_gap_and_the_rest_is_seen(
    tmp_path: Path,
) -> None:
    """One hanging file costs that file only."""
    runner = tmp_path / "runner.py"
    runner.write_text(
        "import json, sys, time\n"
        "sys.stdin.readline()\n"
        "print(json.dumps({'python': '3', 'bandit': '1'}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    time.sleep(60 if 'slow' in line else 0)\n"
        "    print(json.dumps({'issues': [], 'skipped': None}), flush=True)\n"
    )
    scanner = BanditScanner(runner=runner, file_timeout=0.5)
    result = scanner.scan(
        [_source("slow", "head/slow.py"), _source("ok", "head/fast.py")]
    )
    scanner.close()
    assert [gap.path for gap in result.gaps] == ["head/slow.py"]


def test_a_huge_text_is_a_gap(bandit: BanditScanner) -> None:
    """What is too big to parse in time is named, not skipped."""
    (gap,) = bandit.scan([_source("x = 1\n" * 200_000)]).gaps
    assert gap.path == "head/a.py"


def test_deep_nesting_is_a_gap_and_the_next_file_is_seen(
    bandit: BanditScanner,
) -> None:
    """A text that overflows the parser does not take the others with it."""
    deep = _source("x = " + "-" * 30_000 + "1", "head/deep.py")
    after = _source("import os\nos.system(input())\n", "head/after.py")
    result = bandit.scan([deep, after])
    assert [gap.path for gap in result.gaps] == ["head/deep.py"]
    assert [each.path for each in result.findings] == ["head/after.py"]


def test_only_a_sure_finding_weighs_high() -> None:
    """bandit's own doubt, and our caps, keep honest code from being blocked."""
    assert weigh("B602", "HIGH", "HIGH") == (Severity.HIGH, Confidence.HIGH)
    assert weigh("B602", "HIGH", "LOW")[0] is Severity.MEDIUM
    assert weigh("B324", "HIGH", "HIGH")[0] is Severity.MEDIUM
    assert weigh("B113", "MEDIUM", "LOW")[0] is Severity.MEDIUM


def test_every_excluded_test_has_a_reason() -> None:
    """Nothing is switched off without a word."""
    assert all(len(reason) > 4 for reason in EXCLUDED.values())
