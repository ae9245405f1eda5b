"""semgrep's native front as we run it, held to its Python front."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from guardrails.engine import Source
from guardrails.errors import ScannerError
from guardrails.model import Severity
from guardrails.scanners import semgrep_output
from guardrails.scanners.languages import Language
from guardrails.scanners.rulepack import FOLDERS, RULEPACK, Rulepack, rulepack
from guardrails.scanners.semgrep import SemgrepScanner
from guardrails.scanners.sources import materialised

EVAL = "import flask\n\nflask.render_template_string(flask.request.args['t'])\n"


def _source(text: str, path: str = "head/a.py") -> Source:
    return Source(path=path, text=text)


def _pack(tmp_path: Path, rules: str) -> Rulepack:
    file = tmp_path / "rules.yaml"
    file.write_text(rules)
    files = {folder: (file,) for folder in FOLDERS.values()}
    return Rulepack(files=files, digest="test")


def test_both_fronts_find_the_same(tmp_path: Path) -> None:
    """Every sample of the rulepack, through the native and the Python front."""
    samples = sorted(RULEPACK.glob("*/samples/*"))
    todo = list[tuple[Source, str]]()
    for each in samples:
        suffix = Language.WORKFLOW if each.suffix == ".yml" else each.suffix
        path = "head/action.yml" if each.suffix == ".yml" else f"head/{each.name}"
        todo.append((Source(path=path, text=each.read_text()), suffix))
    # One path a sample, so that both sides can be told apart by number.
    numbered = [
        Source(path=f"head/{number}/{source.path[5:]}", text=source.text)
        for number, (source, _) in enumerate(todo)
    ]
    ours = {
        (each.rule.removeprefix("semgrep."), int(each.path.split("/")[1]), each.line)
        for each in SemgrepScanner().scan(numbered).findings
    }
    configs = [
        f"--config={file}" for files in rulepack().files.values() for file in files
    ]
    with materialised(todo) as workspace:
        stock = subprocess.run(
            [
                str(Path(sys.executable).with_name("pysemgrep")),
                *("scan", "--json", "--quiet", "--metrics=off", "--no-git-ignore"),
                *("--disable-version-check", "--disable-nosem"),
                *configs,
                str(workspace.root),
            ],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"},
            capture_output=True,
            check=False,
        )
    theirs = {
        (
            each["check_id"].rpartition(".")[2],
            int(Path(each["path"]).name[:6]),
            each["start"]["line"],
        )
        for each in json.loads(stock.stdout)["results"]
    }
    assert len(theirs) > 60
    assert ours == theirs


def test_a_finding_shows_the_line_of_the_text() -> None:
    """semgrep prints 'requires login'; we read the text, also past ASCII."""
    (finding,) = SemgrepScanner().scan([_source(f"# é日本\n{EVAL}")]).findings
    assert finding.rule == "semgrep.py-template-injection"
    assert finding.severity is Severity.HIGH
    assert finding.line == 4
    assert finding.evidence == EVAL.splitlines()[2]
    assert finding.cwe == "CWE-1336"
    assert finding.remedy.endswith(".")


def test_all_languages_of_a_change_go_into_one_run() -> None:
    """Python, TypeScript, shell, a Dockerfile and a workflow side by side."""
    sources = [
        _source(EVAL),
        _source("export const f = (x: string) => eval(x);\n", "head/a.ts"),
        _source('#!/bin/sh\neval "$1"\n', "head/bin/run"),
        _source("FROM x\nRUN curl -s https://e.com/i | sh\n", "head/Dockerfile"),
        _source("permissions: write-all\n", "head/.github/workflows/a.yml"),
        _source("permissions: write-all\n", "head/other.yml"),
    ]
    result = SemgrepScanner().scan(sources)
    assert result.gaps == ()
    assert {each.path for each in result.findings} == {
        each.path for each in sources[:-1]
    }


def test_a_text_seen_before_costs_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look comes from memory, under whatever path the text stands."""
    scanner = SemgrepScanner()
    first = scanner.scan([_source(EVAL)]).findings
    monkeypatch.setattr(os, "access", None)  # any run would need its program
    monkeypatch.setattr(subprocess, "Popen", None)
    second = scanner.scan([_source(EVAL, "base/b.py")]).findings
    assert [each.path for each in second] == ["base/b.py"]
    assert [each.rule for each in first] == [each.rule for each in second]


def test_the_same_text_in_two_languages_is_two_texts() -> None:
    """What a text means depends on its language, so the memory does too."""
    scanner = SemgrepScanner()
    text = "eval(x)\n"
    assert scanner.scan([_source(text, "head/a.py")]).findings == ()
    assert len(scanner.scan([_source(text, "head/a.js")]).findings) == 1


def test_a_huge_text_is_a_gap() -> None:
    """semgrep itself skips a file of more than 1 MB without a word."""
    (gap,) = SemgrepScanner().scan([_source("x = 1\n" * 200_000)]).gaps
    assert gap.path == "head/a.py"


def test_a_text_read_in_part_is_a_gap() -> None:
    """What semgrep could parse is reported, and that it was not all, too."""
    result = SemgrepScanner().scan([_source(f"{EVAL}\0\n")])
    assert [each.rule for each in result.findings] == ["semgrep.py-template-injection"]
    assert [gap.path for gap in result.gaps] == ["head/a.py"]
    again = SemgrepScanner().scan([_source(f"{EVAL}\0\n")])
    assert again.gaps == result.gaps


RULE = """rules:
  - id: good
    languages: [python]
    severity: ERROR
    message: Say no.
    metadata: {confidence: HIGH, cwe: CWE-1}
    pattern: eval(...)
"""


@pytest.mark.parametrize(
    "broken",
    [
        RULE + "  - id: bad\n    languages: [python]\n    severity: ERROR\n"
        "    message: x\n    pattern: 'eval((('\n",
        RULE + "  - id: bad\n    languages: [python]\n    message: x\n",
        RULE + "  - : [\n",
    ],
)
def test_a_rule_that_does_not_load_fails_the_scan(tmp_path: Path, broken: str) -> None:
    """Half a rulepack is not taken for the whole: the engine makes it a Gap."""
    scanner = SemgrepScanner(pack=_pack(tmp_path, broken))
    with pytest.raises(ScannerError):
        scanner.scan([_source("eval(x)\n")])


def test_a_rule_that_loads_is_applied(tmp_path: Path) -> None:
    """The rule of the test above works when nothing broken stands beside it."""
    scanner = SemgrepScanner(pack=_pack(tmp_path, RULE))
    assert len(scanner.scan([_source("eval(x)\n")]).findings) == 1


def _output(**changes: object) -> bytes:
    whole = {
        "results": [],
        "errors": [],
        "skipped_rules": [],
        "paths": {"scanned": ["/w/000000.py"]},
    }
    return json.dumps(whole | changes).encode()


def test_a_skipped_rule_fails_the_scan() -> None:
    """semgrep exits 0 with rules in skipped_rules."""
    skipped = _output(skipped_rules=[{"rule_id": "a.b"}])
    with pytest.raises(ScannerError, match=r"skipped rules: a\.b"):
        semgrep_output.parse(skipped, {"000000.py"})


def test_a_timeout_of_one_file_is_a_failure_of_that_file() -> None:
    """Errors that name a file become its reason."""
    error = {"type": "Timeout", "path": "/w/000000.py", "message": "…"}
    report = semgrep_output.parse(_output(errors=[error]), {"000000.py"})
    assert "Timeout" in report.failures["000000.py"]


def test_an_error_without_a_file_fails_the_scan() -> None:
    """Out of memory in general puts all results in doubt."""
    with pytest.raises(ScannerError, match="Out of memory"):
        semgrep_output.parse(_output(errors=[{"type": "Out of memory"}]), {"000000.py"})


def test_a_skipped_file_is_a_failure_of_that_file() -> None:
    """Should semgrep begin to list what it skipped, we hear it."""
    paths = {"scanned": [], "skipped": [{"path": "/w/000000.py", "reason": "big"}]}
    report = semgrep_output.parse(_output(paths=paths), {"000000.py"})
    assert "big" in report.failures["000000.py"]


@pytest.mark.parametrize("junk", [b"", b"{}", b"[]", b'{"results": 3}'])
def test_other_output_fails_the_scan(junk: bytes) -> None:
    """What is not semgrep's JSON is never read as no findings."""
    with pytest.raises(ScannerError):
        semgrep_output.parse(junk, set())
