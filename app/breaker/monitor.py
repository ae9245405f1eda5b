"""Two channels side by side: hard failures alone, and hard or soft ones.

A single weight for soft failures is bad at one end or the other (half a failure
each: 21 reviews to see a timid break; none: 383), so both are watched and their
readings averaged, which keeps the promise of the statistic. Pure, O(1).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.breaker.baseline import Baseline
from app.breaker.statistic import Evidence

HARD_PRIOR, ANY_PRIOR = 0.10, 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One evidence with the baseline that it is held against."""

    baseline: Baseline = field(default_factory=Baseline)
    evidence: Evidence = field(default_factory=Evidence)

    def after(self, score: float, odds: float) -> Channel:
        """Return the channel after one more review."""
        p0 = self.baseline.adjusted(odds)
        return Channel(
            baseline=self.baseline.after(score, p0),
            evidence=self.evidence.after(score, p0),
        )

    def restarted(self) -> Channel:
        """Return the channel after a trip: no evidence, the excursion unlearned."""
        return Channel(baseline=self.baseline.without_excursion())


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """What the closed circuit knows about its agent."""

    hard: Channel = field(
        default_factory=lambda: Channel(baseline=Baseline(prior_mean=HARD_PRIOR))
    )
    any: Channel = field(
        default_factory=lambda: Channel(baseline=Baseline(prior_mean=ANY_PRIOR))
    )

    @property
    def reading(self) -> float:
        """Return the evidence of both channels, in healthy reviews."""
        return (self.hard.evidence.reading + self.any.evidence.reading) / 2.0

    @property
    def p0(self) -> float:
        """Return the share of reviews that a healthy agent fails here."""
        return self.any.baseline.p0

    def after(self, hard: float, soft: float, odds: float = 1.0) -> Monitor:
        """Return the monitor after one more review.

        Args:
            hard: hard failure score in [0, 1].
            soft: soft failure score in [0, 1].
            odds: multiplier of the expected failure odds (size, confidence).
        """
        return Monitor(
            hard=self.hard.after(hard, odds),
            any=self.any.after(max(hard, soft), odds),
        )

    def restarted(self) -> Monitor:
        """Return the monitor as it is after a trip."""
        return Monitor(hard=self.hard.restarted(), any=self.any.restarted())
