"""Read the numbers of circuit and fuse from a repository's configuration. Pure."""

from __future__ import annotations

from app.breaker import CircuitRules, Limits, TripMode
from app.config.model import RepositoryConfig


def rules_of(config: RepositoryConfig) -> CircuitRules:
    """Return the numbers of the circuit as the repository wants them."""
    breaker = config.breaker
    return CircuitRules(
        mode=TripMode(breaker.mode),
        false_trip_every=float(breaker.false_trip_every),
        stakes=breaker.stakes,
        first_open=breaker.recovery.first,
        longest_open=breaker.recovery.max,
        lease=config.fuse.deadline * 2,
        failure_threshold=breaker.failure_threshold,
        recovery_timeout=breaker.recovery_timeout,
        success_threshold=breaker.success_threshold,
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
        intents=fuse.repeats + 1,
        entropy_floor=fuse.entropy_floor,
        drift=fuse.drift_limit,
        step_seconds=fuse.step,
        reasoning_tokens=fuse.reasoning_tokens,
    )
