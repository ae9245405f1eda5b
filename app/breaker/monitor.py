"""Two channels side by side: hard failures alone, and hard or soft ones.

A single weight for soft failures is bad at one end or the other (half a failure
each: 21 reviews to see a timid break; none: 383), so both are watched and their
readings averaged, which keeps the promise of the statistic. Pure, O(1).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.breaker.baseline import Baseline
from app.breaker.risk import Risk
from app.breaker.statistic import Evidence


@dataclass(frozen=True, slots=True)
class Channel:
    """One evidence with the baseline that it is held against."""

    baseline: Baseline = field(default_factory=Baseline)
    evidence: Evidence = field(default_factory=Evidence)

    def after(self, score: float, odds: float = 1.0) -> Channel:
        """Return the channel after one more review."""
        p0 = self.baseline.adjusted(odds)
        return Channel(self.baseline.after(score, p0), self.evidence.after(score, p0))

    def anchored(self, prior_mean: float) -> Channel:
        """Return the channel with another first guess of its baseline."""
        return Channel(self.baseline.anchored(prior_mean), self.evidence)

    def restarted(self) -> Channel:
        """Return the channel after a trip: no evidence, the excursion unlearned."""
        return Channel(self.baseline.without_excursion())


_UNTOLD = Channel()


@dataclass(frozen=True, slots=True)
class Monitor:
    """What the closed circuit knows about its agent."""

    hard: Channel = _UNTOLD
    any: Channel = _UNTOLD
    risk: Risk = field(default_factory=Risk)

    @property
    def reading(self) -> float:
        """Return the evidence of both channels, in healthy reviews."""
        return (self.hard.evidence.reading + self.any.evidence.reading) / 2.0

    @property
    def p0(self) -> float:
        """Return the share of reviews that a healthy agent fails here."""
        return self.any.baseline.p0

    def after(self, hard: float, soft: float, stratum: int | None = None) -> Monitor:
        """Return the monitor after one more review.

        Args:
            hard: hard failure score in [0, 1].
            soft: soft failure score in [0, 1].
            stratum: the review's stratum of risk, ``None`` where it is not known.
        """
        risk = self.risk
        odds = 1.0 if stratum is None else risk.odds(stratum)
        after = self.hard.after(hard, odds)
        # As long as no soft failure has come the two channels are one value.
        is_one = soft <= hard and self.any is self.hard
        if stratum is not None:
            # Low confidence is a soft failure already: risk learns from hard ones.
            risk = risk.after(stratum, hard, is_settled=after.baseline.is_settled)
        both = after if is_one else self.any.after(max(hard, soft), odds)
        return Monitor(after, both, risk)

    def anchored(self, prior_mean: float) -> Monitor:
        """Return the monitor with another first guess of the failure rate."""
        hard = self.hard.anchored(prior_mean)
        is_one = self.any is self.hard
        return Monitor(
            hard, hard if is_one else self.any.anchored(prior_mean), self.risk
        )

    def restarted(self) -> Monitor:
        """Return the monitor as it is after a trip."""
        hard = self.hard.restarted()
        both = hard if self.any is self.hard else self.any.restarted()
        return Monitor(hard, both, self.risk.without_excursion())
