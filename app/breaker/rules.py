"""The few numbers that steer a circuit, and where they come from. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

STAKES = {"low": 2.0, "normal": 1.0, "high": 0.25}
LOWEST_THRESHOLD = 100.0  # under it a handful of unlucky reviews would trip


class TripMode(StrEnum):
    """What trips a circuit."""

    ADAPTIVE = "adaptive"  # evidence against the learned baseline
    CONSECUTIVE = "consecutive"  # so many failures in a row, as most breakers do


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitRules:
    """How sensitive a circuit is and how it recovers.

    Args:
        mode: what trips it.
        false_trip_every: healthy reviews per false trip, at least.
        stakes: what a missed bad agent costs: low, normal or high.
        first_open: the first open period, in seconds.
        longest_open: the longest open period, in seconds.
        lease: how long a probe may take before it counts as lost, in seconds.
        failure_threshold: in the mode ``consecutive``, failures in a row that trip.
        recovery_timeout: in that mode, the open period in seconds, always the same.
        success_threshold: in that mode, clean probes in a row that close; a failed
            one opens again.
    """

    mode: TripMode = TripMode.ADAPTIVE
    false_trip_every: float = 500.0
    stakes: str = "normal"
    first_open: float = 300.0
    longest_open: float = 3_600.0
    lease: float = 900.0
    failure_threshold: int = 5
    recovery_timeout: float = 60.0
    success_threshold: int = 3

    @property
    def is_adaptive(self) -> bool:
        """Tell whether evidence decides, not a count."""
        return self.mode is TripMode.ADAPTIVE

    @property
    def threshold(self) -> float:
        """Return N, the evidence in healthy reviews at which the circuit trips."""
        return max(LOWEST_THRESHOLD, self.false_trip_every * STAKES[self.stakes])

    def open_period(self, attempt: int, jitter: float) -> float:
        """Return the seconds to stay open at the ``attempt``-th time in a row.

        Doubling up to the cap with equal jitter: half fixed, half drawn, so that
        the circuits of many repositories do not come back at one instant.

        Args:
            attempt: 1 for the first open period since the circuit was closed.
            jitter: a draw from [0, 1).
        """
        if not self.is_adaptive:
            return self.recovery_timeout
        whole = min(self.longest_open, self.first_open * 2.0 ** min(attempt - 1, 30))
        return whole / 2.0 + whole / 2.0 * jitter
