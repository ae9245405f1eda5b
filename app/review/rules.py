"""Read the numbers of circuit and fuse from a repository's configuration. Pure."""

from __future__ import annotations

from app.breaker import CircuitRules, Limits
from app.config.model import RepositoryConfig


def rules_of(config: RepositoryConfig) -> CircuitRules:
    """Return the numbers of the circuit as the repository wants them."""
    breaker = config.breaker
    return CircuitRules(
        false_trip_every=float(breaker.false_trip_every),
        stakes=breaker.stakes,
        first_open=breaker.recovery.first,
        longest_open=breaker.recovery.max,
        lease=config.fuse.deadline * 2,
    )


def limits_of(config: RepositoryConfig) -> Limits:
    """Return the limits of one review as the repository wants them."""
    fuse = config.fuse
    return Limits(
        tokens=fuse.tokens,
        cost_usd=fuse.cost_usd,
        deadline=fuse.deadline,
        repeats=fuse.repeats,
        repairs=fuse.repairs,
        tools=fuse.tools,
    )
