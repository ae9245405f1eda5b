"""Risk adjustment: an unsure review of a large change fails more often. Pure.

Reviews fall into nine strata: three bands of the confidence that the agent states,
three of the size of the change. Each keeps its own failure counts, and the expected
failure odds of a review are those of its stratum relative to all reviews together.
Without that a change of the mix looks like a break: when a healthy mix turned to 80 %
unsure reviews, 66 healthy reviews lay between false trips pooled and 868 adjusted.

The factor is held within [1, 3]. Never under 1, because a baseline that is too low
breaks the promise of the statistic; never over 3, because the confidence is the word
of the agent, which must not talk its failures away.

Counts wait, like those of the baseline, until an excursion has ended healthy.
"""

from __future__ import annotations

from dataclasses import dataclass

CONFIDENT, UNSURE = 0.85, 0.60  # bounds of the bands of confidence
SMALL, LARGE = 50, 400  # bounds of the bands of size, in changed lines
STRATA = 9
WEIGHT = 20.0  # reviews that a stratum needs to be heard half
MOST = 3.0
MEMORY = 500.0  # reviews

Counts = tuple[float, ...]  # one number for each stratum
_NOTHING: Counts = (0.0,) * STRATA


def stratum(confidence: float, lines: int) -> int:
    """Return the stratum of a review, 0 to 8: 0 is sure and small.

    Args:
        confidence: what the agent states, in [0, 1].
        lines: changed lines of the review.
    """
    unsure = 0 if confidence >= CONFIDENT else 1 if confidence >= UNSURE else 2
    size = 0 if lines <= SMALL else 1 if lines <= LARGE else 2
    return 3 * unsure + size


@dataclass(frozen=True, slots=True)
class Risk:
    """Failures and reviews of each stratum, and those that are not judged yet."""

    failures: Counts = _NOTHING
    reviews: Counts = _NOTHING
    pending_failures: Counts = _NOTHING
    pending_reviews: Counts = _NOTHING

    def odds(self, which: int) -> float:
        """Return the factor of the expected failure odds in stratum ``which``."""
        reviews = self.reviews[which]
        if reviews == 0.0:
            return 1.0
        # A failure and nine successes for nothing: a first guess, as the baseline's.
        pooled = (sum(self.failures) + 1.0) / (sum(self.reviews) + 10.0)
        share = (self.failures[which] + WEIGHT * pooled) / (reviews + WEIGHT)
        odds = share / (1.0 - share) * (1.0 - pooled) / pooled
        return min(MOST, max(1.0, odds))

    def after(self, which: int, score: float, *, is_settled: bool) -> Risk:
        """Return the counts after one more review.

        Args:
            which: its stratum.
            score: its failure score in [0, 1].
            is_settled: whether the excursion that it belongs to has ended healthy.
        """
        failures = _plus(self.pending_failures, which, score)
        reviews = _plus(self.pending_reviews, which, 1.0)
        if not is_settled:
            return Risk(self.failures, self.reviews, failures, reviews)
        kept = (1.0 - 1.0 / MEMORY) ** sum(reviews)
        return Risk(
            tuple(a * kept + b for a, b in zip(self.failures, failures, strict=True)),
            tuple(a * kept + b for a, b in zip(self.reviews, reviews, strict=True)),
        )

    def without_excursion(self) -> Risk:
        """Return the counts with the unjudged reviews dropped (after a trip)."""
        return Risk(self.failures, self.reviews)


def _plus(counts: Counts, which: int, amount: float) -> Counts:
    return (*counts[:which], counts[which] + amount, *counts[which + 1 :])
