"""What an agent was given: the ground that its words have to stand on. Pure.

The drift detector asks whether the paths, lines and names that an agent cites exist
in here; the feedback loop whether people have already said no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Facts about the reviewed tree, gathered before the agent starts.

    Args:
        lines: path -> number of lines in the head, for every file of the tree that
            may be cited; 0 where the number is not known. Empty: nothing is known,
            and nothing can be held against the agent.
        identifiers: names that occur in what the agent was given; ``None``: not
            gathered.
        rejected: signatures of proposals that people rejected on this change.
    """

    lines: Mapping[str, int] = field(default_factory=dict)
    identifiers: frozenset[str] | None = None
    rejected: frozenset[str] = frozenset()
