"""SARIF logs, held to the standard's own schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from app.fallback.sarif import to_sarif
from guardrails.model import Category, Confidence, Finding, Gap, Severity

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "sarif-schema-2.1.0.json").read_text(
        encoding="utf-8"
    )
)


def finding(**changed: Any) -> Finding:
    """Return a finding with the given differences."""
    values: dict[str, Any] = {
        "rule": "python-subprocess-shell",
        "severity": Severity.HIGH,
        "category": Category.SECURITY,
        "path": "app/run.py",
        "message": "A shell gets words from outside.",
        "line": 7,
        "evidence": "subprocess.call(cmd, shell=True)",
        "remedy": "Pass a list and no shell.",
        "cwe": "CWE-78",
    }
    return Finding(**(values | changed))


def run_of(findings: Sequence[Finding] = (), gaps: Sequence[Gap] = ()) -> Any:
    """Return the one run of a log that is valid under the standard's schema."""
    log = to_sarif(findings, gaps, version="1.2.3")
    text = json.dumps(log, ensure_ascii=False).encode("utf-8")
    jsonschema.Draft4Validator(
        SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
    ).validate(json.loads(text))
    (run,) = log["runs"]
    return run


def test_the_schema_refuses_what_is_no_sarif() -> None:
    """The check of these tests can fail."""
    log = to_sarif([finding()], [], version="1.2.3")
    log["runs"][0]["results"][0]["level"] = "terrible"

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_nothing_found_is_a_successful_empty_run() -> None:
    """A run without findings still says that it took place."""
    run = run_of()

    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True
    assert run["tool"]["driver"]["semanticVersion"] == "1.2.3"


def test_a_finding_has_its_place_and_its_rule() -> None:
    """A result points to the line and to the rule that explains it."""
    run = run_of([finding(end_line=9)])

    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "app/run.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 7, "endLine": 9}
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "python-subprocess-shell"
    assert "Pass a list and no shell." in rule["help"]["text"]
    assert rule["properties"]["tags"] == ["security", "external/cwe/cwe-78"]


@pytest.mark.parametrize(
    ("severity", "level", "number"),
    [
        (Severity.INFO, "note", 0.0),
        (Severity.LOW, "note", 3.0),
        (Severity.MEDIUM, "warning", 5.5),
        (Severity.HIGH, "error", 8.0),
        (Severity.CRITICAL, "error", 9.5),
    ],
)
def test_severity_becomes_level_and_security_severity(
    severity: Severity, level: str, number: float
) -> None:
    """GitHub sorts alerts by the number, others by the level."""
    run = run_of([finding(severity=severity)])

    assert run["results"][0]["level"] == level
    properties = run["tool"]["driver"]["rules"][0]["properties"]
    assert float(properties["security-severity"]) == number


@pytest.mark.parametrize(
    ("category", "cwe", "is_security"),
    [
        (Category.STYLE, None, False),
        (Category.CORRECTNESS, None, False),
        (Category.CORRECTNESS, "CWE-476", True),
        (Category.SECRET, None, True),
        (Category.DECEPTION, None, True),
    ],
)
def test_style_is_no_security_alert(
    category: Category, cwe: str | None, is_security: bool
) -> None:
    """Only what can harm gets a security severity."""
    run = run_of([finding(category=category, cwe=cwe)])

    properties = run["tool"]["driver"]["rules"][0]["properties"]
    assert ("security-severity" in properties) is is_security
    assert ("security" in properties["tags"]) is is_security


def test_gaps_make_the_run_unsuccessful() -> None:
    """What was not looked at is an error of the run, with its path."""
    gaps = [
        Gap(reason="it is larger than 10 bytes", path="big file.txt"),
        Gap(reason="bandit failed", source="bandit"),
    ]

    (invocation,) = run_of([finding()], gaps)["invocations"]

    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert first["level"] == second["level"] == "error"
    assert first["message"]["text"] == "it is larger than 10 bytes"
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "big%20file.txt"
    assert second["descriptor"]["id"] == "gap/bandit"
    assert "locations" not in second


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("docs/naïve #1.md", "docs/na%C3%AFve%20%231.md"),
        ("a:b?.py", "a%3Ab%3F.py"),
        ("100%.txt", "100%25.txt"),
        ("latin \udce9.py", "latin%20%E9.py"),
        ("C:\\x\n.py", "C%3A%5Cx%0A.py"),
    ],
)
def test_paths_are_percent_encoded(path: str, uri: str) -> None:
    """A path is one relative URI, whatever bytes it has."""
    (result,) = run_of([finding(path=path)])["results"]

    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == uri


@pytest.mark.parametrize("line", [0, -1])
def test_a_finding_without_a_line_is_about_the_file(line: int) -> None:
    """B23: line 0 is no region; the finding stays."""
    (result,) = run_of([finding(line=line)])["results"]

    assert "region" not in result["locations"][0]["physicalLocation"]


def test_an_end_before_the_start_is_not_written() -> None:
    """A region never runs backwards."""
    (result,) = run_of([finding(line=7, end_line=3)])["results"]

    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 7, "endLine": 7}


def test_fingerprints_survive_moved_lines_and_tell_copies_apart() -> None:
    """A moved fault is the same alert; a second copy is another."""
    first, copy = run_of([finding(line=7), finding(line=70)])["results"]
    (moved,) = run_of([finding(line=12)])["results"]

    assert moved["partialFingerprints"] == first["partialFingerprints"]
    assert copy["partialFingerprints"] != first["partialFingerprints"]


def test_a_rule_is_listed_once_with_its_worst_severity() -> None:
    """Results of one rule share it; a result may be milder than its rule."""
    run = run_of(
        [finding(severity=Severity.LOW), finding(severity=Severity.CRITICAL, line=9)]
    )

    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["defaultConfiguration"]["level"] == "error"
    assert [each["level"] for each in run["results"]] == ["note", "error"]


def test_rules_of_different_tools_do_not_share_an_id() -> None:
    """Two scanners may use the same name."""
    run = run_of([finding(rule="B602", origin="bandit"), finding(rule="B602")])

    assert [each["ruleId"] for each in run["results"]] == ["bandit/B602", "B602"]
    assert len(run["tool"]["driver"]["rules"]) == 2


def test_words_of_a_change_become_neither_placeholders_nor_links() -> None:
    """B32: a message shows what it quotes and does nothing else."""
    message = "It says {0} and [approve](https://example.org)."

    (result,) = run_of([finding(message=message)])["results"]

    assert result["message"]["text"] == (
        "It says {{0}} and [approve] (https://example.org)."
    )


def test_bytes_that_are_no_text_do_not_break_the_log() -> None:
    """A surrogate in a message would make JSON that nobody can read."""
    run = run_of(
        [finding(message="bad \udce9 byte", remedy="\udcff")],
        [Gap(reason="bad \udce9", path="p\udce9", source="\udce9")],
    )

    json.dumps(run, ensure_ascii=False).encode("utf-8")


def test_an_empty_message_falls_back_to_the_rule() -> None:
    """The standard wants words; the rule's name is what there is."""
    (result,) = run_of([finding(message="", confidence=Confidence.LOW)])["results"]

    assert result["message"]["text"] == "python-subprocess-shell"
