"""B21: a pull request must not switch off its own guard through the file."""

from __future__ import annotations

import pytest

from app.config.load import LoadAnswer, choose, policy_of
from app.config.parser import parse

SOURCE = "o/r@main:.github/recloser.yml"


@pytest.mark.parametrize(
    "text", ["enabled: false", "enforcement: off", "enforcement: false", "agent: off"]
)
def test_no_key_switches_the_guard_off(text: str) -> None:
    """There is no such key; who tries gets a problem and the guard stays on."""
    effective = choose(LoadAnswer(source=SOURCE, text=text), None)
    assert effective.config.enforcement == "enforce"
    assert not effective.is_readable


@pytest.mark.parametrize("protected", ["[]", '["src/**"]'])
def test_the_file_is_protected_whatever_the_file_says(protected: str) -> None:
    """An agent's edit of the file is a finding under every list of one's own."""
    text = f"guardrails: {{protected: {protected}}}"
    config = parse(text, source=SOURCE).config
    assert config is not None
    policy = policy_of(config, author_is_agent=True)
    assert ".github/recloser.yml" in policy.protected


@pytest.mark.parametrize("text", ["", "fuse: {repeats: 4}", "nope: 1", None])
def test_the_ref_that_was_used_is_told(text: str | None) -> None:
    """The check says where the configuration came from."""
    effective = choose(LoadAnswer(source=SOURCE, text=text), None)
    assert SOURCE in effective.source
