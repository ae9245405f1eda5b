"""Each rule of the rulepack finds its bad sample and leaves its good one alone.

All samples of all languages go into one run of semgrep.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from guardrails.engine import Source
from guardrails.model import Finding
from guardrails.scanners.rulepack import FOLDERS, RULEPACK, rulepack
from guardrails.scanners.semgrep import SemgrepScanner


def _described() -> dict[str, tuple[str, dict[str, object], Path]]:
    """Return every rule of the pack by its id, with its folder and file."""
    rules = dict[str, tuple[str, dict[str, object], Path]]()
    for folder, files in rulepack().files.items():
        for file in files:
            for rule in YAML(typ="safe").load(file)["rules"]:
                assert rule["id"] not in rules, f"{rule['id']} is there twice"
                rules[rule["id"]] = (folder, rule, file)
    return rules


RULES = _described()
SAMPLES = sorted(RULEPACK.glob("*/samples/*"))


def _path(sample: Path) -> str:
    """Return the path in a repository under which a sample has its language."""
    if sample.parent.parent.name == "actions":
        return f"head/.github/workflows/{sample.name}"
    return f"head/{sample.name}"


@pytest.fixture(scope="module")
def found() -> Mapping[str, list[Finding]]:
    """Run semgrep once over every sample; return its findings by sample name."""
    sources = [Source(path=_path(each), text=each.read_text()) for each in SAMPLES]
    result = SemgrepScanner().scan(sources)
    assert result.gaps == ()
    by_name: dict[str, list[Finding]] = {each.name: [] for each in SAMPLES}
    for finding in result.findings:
        by_name[finding.path.rpartition("/")[2]].append(finding)
    return by_name


def _sample(rule: str, kind: str) -> str:
    names = [each.name for each in SAMPLES if each.name.startswith(f"{rule}.{kind}.")]
    assert len(names) == 1, f"{rule} needs one {kind} sample, has {names}"
    return names[0]


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_finds_its_bad_sample(
    rule: str, found: Mapping[str, list[Finding]]
) -> None:
    """Each rule speaks about the sample that was written to be wrong."""
    name = _sample(rule, "bad")
    mine = [each for each in found[name] if each.rule == f"semgrep.{rule}"]
    assert mine, f"found only {[each.rule for each in found[name]]}"
    assert all(each.line > 0 and each.evidence for each in mine)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_leaves_its_good_sample_alone(
    rule: str, found: Mapping[str, list[Finding]]
) -> None:
    """No rule of the pack speaks about a sample that was written to be right."""
    assert [each.rule for each in found[_sample(rule, "good")]] == []


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_says_what_to_do(rule: str) -> None:
    """Each rule names its weakness, its confidence and a remedy, in sentences."""
    _, described, _ = RULES[rule]
    metadata = described["metadata"]
    assert isinstance(metadata, dict)
    assert re.fullmatch(r"CWE-\d+", metadata["cwe"])
    assert re.fullmatch(r"A\d\d:2025 .+", metadata["owasp"])
    assert metadata["confidence"] in ("HIGH", "MEDIUM", "LOW")
    assert described["severity"] in ("ERROR", "WARNING", "INFO")
    for sentence in (described["message"], metadata["remediation"]):
        assert isinstance(sentence, str)
        assert sentence[0].isupper() and sentence.endswith(".")


def test_every_sample_belongs_to_a_rule() -> None:
    """No sample is left over from a rule that is gone."""
    assert {each.name.split(".", 1)[0] for each in SAMPLES} == set(RULES)


def test_no_rule_file_uses_yaml_anchors() -> None:
    """semgrep's native front drops rules with anchors and says so only in passing."""
    for _, _, file in RULES.values():
        text = file.read_text()
        assert not re.search(r"(?m)^\s*(?:- )?[\w-]+:\s+[&*]\w", text), file


def test_rules_of_one_language_read_the_same_web_input() -> None:
    """The list of sources is written out in each rule, so it must not drift.

    A rule may leave out the command line and add sources of its own at the end.
    """
    for folder, first in (("python", "flask.request"), ("javascript", "")):
        blocks = set[str]()
        for name, described, _ in RULES.values():
            sources = described.get("pattern-sources")
            if name != folder or not isinstance(sources, list):
                continue
            if first and sources[0] != {"pattern": first}:
                continue
            blocks.add(repr(sources[:4] if folder == "python" else sources))
        assert len(blocks) == 1, folder


def test_every_language_has_a_folder_with_rules() -> None:
    """No folder is named that holds nothing, and none exists that is not named."""
    on_disk = {each.parent.name for each in RULEPACK.glob("*/*.yaml")}
    assert on_disk == set(FOLDERS.values())
