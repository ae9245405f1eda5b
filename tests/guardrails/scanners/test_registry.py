"""The list of scanners and what they say about this machine."""

from __future__ import annotations

from guardrails.scanners import default_scanners, describe


def test_the_registry_is_a_fixed_tuple() -> None:
    """Three scanners, the same objects each time, so that caches stay warm."""
    first, second = default_scanners(), default_scanners()
    assert [each.name for each in first] == ["semgrep", "bandit", "ruff"]
    assert all(one is other for one, other in zip(first, second, strict=True))


def test_describe_has_a_line_for_the_sandbox_and_each_scanner() -> None:
    """The doctor learns what is ready here."""
    lines = {each.name: each for each in describe()}
    assert list(lines) == ["sandbox", "semgrep", "bandit", "ruff"]
    assert all(lines[name].is_ready for name in ("semgrep", "bandit", "ruff"))
    assert "1.9" in lines["bandit"].words
