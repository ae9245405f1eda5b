"""What a repository asks of guardrails: thresholds and lists, nothing else. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from guardrails.model import Severity

DEFAULT_PROTECTED = (".github/workflows/**", ".github/recloser.yml", "CODEOWNERS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The settings of one evaluation; the defaults are those of an empty config.

    Args:
        block: the lowest severity that blocks.
        protected: path globs; ``**`` spans folders, a bare name matches anywhere.
        shrink_floor: the share of words that a file of ``shrink_words`` or more
            must keep.
        move_limit: words that a change may move without being structural.
        lanes: path glob -> terms that must not enter those paths.
        author_is_agent: an agent's change is judged strictly where a human's is
            only reported: protected paths, deletions.
        max_file_bytes: larger texts become a Gap.
    """

    block: Severity = Severity.HIGH
    protected: tuple[str, ...] = DEFAULT_PROTECTED
    shrink_floor: float = 0.85
    shrink_words: int = 1000
    move_limit: int = 300
    lanes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    author_is_agent: bool = False
    max_file_bytes: int = 1_000_000
