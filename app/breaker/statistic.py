"""The trip rule: mixture Shiryaev-Roberts evidence that an agent has broken.

For each supposed share ``d`` of formerly good reviews that now fail, a review
with failure score ``x`` in [0, 1] multiplies the evidence by a likelihood ratio:

    p1 = p0 + d (1 - p0)
    L  = (p1 / p0)^x  ((1 - p1) / (1 - p0))^(1 - x)
    R  = (1 + R) L

The reading is the mean of R over the three ``d``. Its unit is *healthy reviews*:
as long as ``E[x | past] <= p0`` each ``E[L] <= 1``, so the expected reading after
``t`` healthy reviews is at most ``t``, and tripping at N means at least N healthy
reviews between two false trips on average. That holds for fractional and for
dependent scores too. Pure, O(1).

Source: A. N. Shiryaev (1963), S. W. Roberts (1966) for the statistic; M. Pollak
(1985) for its optimality when p0 is known.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Shares of the reviews that used to succeed and now fail: timid, half, total.
BREAKS = (0.25, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Three Shiryaev-Roberts readings, one for each supposed break."""

    timid: float = 0.0
    half: float = 0.0
    total: float = 0.0

    @property
    def reading(self) -> float:
        """Return the evidence in healthy reviews."""
        return (self.timid + self.half + self.total) / 3.0

    def after(self, score: float, p0: float) -> Evidence:
        """Return the evidence after one more review.

        Args:
            score: failure score in [0, 1]; 1 is a failed review.
            p0: probability that a healthy agent fails this review, in (0, 1).
        """
        timid, half, total = BREAKS
        return Evidence(
            (1.0 + self.timid) * likelihood_ratio(score, p0, timid),
            (1.0 + self.half) * likelihood_ratio(score, p0, half),
            (1.0 + self.total) * likelihood_ratio(score, p0, total),
        )


def likelihood_ratio(score: float, p0: float, share: float) -> float:
    """Return L of one review for a break that fails ``share`` of good reviews.

    A success weighs ``(1 - p1) / (1 - p0)``, which is ``1 - share`` whatever p0 is:
    that is why a run of successes can never trip.
    """
    if score == 0.0:
        return 1.0 - share
    failed: float = 1.0 + share * (1.0 - p0) / p0
    if score == 1.0:
        return failed
    weight: float = failed**score * (1.0 - share) ** (1.0 - score)
    return weight
