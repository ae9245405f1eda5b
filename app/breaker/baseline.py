"""How often a healthy agent fails here, learned so that a sick stretch teaches nothing.

The estimate is Beta(kappa mu, kappa (1 - mu)) plus counts that fade with a memory
of 500 reviews. Counts wait until an auxiliary CUSUM is back at zero, that is until
the latest excursion has ended healthy; a tripped excursion is dropped. The value in
use is mean + 1 standard deviation: with half a deviation only 295 healthy reviews
lay between false trips at a true rate of .3 from a cold start, where 500 were
promised. Pure, O(1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, sqrt

from app.breaker.statistic import likelihood_ratio

PRIOR_WEIGHT = 10.0  # kappa, in reviews
MEMORY = 500.0  # reviews
LOWEST, HIGHEST = 0.01, 0.45  # bounds of p0
AUXILIARY_BREAK = 0.5  # the break that the auxiliary CUSUM watches for


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is known about the healthy failure rate.

    ``failures`` and ``successes`` are the faded counts beyond the prior;
    ``pending_*`` belong to the excursion that is not judged yet.
    """

    prior_mean: float = 0.10
    failures: float = 0.0
    successes: float = 0.0
    pending_reviews: float = 0.0
    pending_failures: float = 0.0
    cusum: float = 0.0

    @property
    def p0(self) -> float:
        """Return the failure rate to hold against, in [.01, .45]."""
        a = self.prior_mean * PRIOR_WEIGHT + self.failures
        b = (1.0 - self.prior_mean) * PRIOR_WEIGHT + self.successes
        n = a + b
        mean = a / n
        deviation = sqrt(mean * (1.0 - mean) / (n + 1.0))
        return min(HIGHEST, max(LOWEST, mean + deviation))

    def adjusted(self, odds: float) -> float:
        """Return p0 for a review whose expected failure odds are multiplied."""
        p0 = self.p0
        if odds == 1.0:
            return p0
        scaled = p0 / (1.0 - p0) * odds
        return min(HIGHEST, max(LOWEST, scaled / (1.0 + scaled)))

    def after(self, score: float, p0: float) -> Baseline:
        """Return the baseline after one more review held against ``p0``."""
        cusum = self.cusum + log(likelihood_ratio(score, p0, AUXILIARY_BREAK))
        reviews = self.pending_reviews + 1.0
        failures = self.pending_failures + score
        if cusum > 0.0:
            return Baseline(
                self.prior_mean, self.failures, self.successes, reviews, failures, cusum
            )
        kept = (1.0 - 1.0 / MEMORY) ** reviews
        return Baseline(
            self.prior_mean,
            self.failures * kept + failures,
            self.successes * kept + reviews - failures,
        )

    @property
    def is_settled(self) -> bool:
        """Tell whether the latest excursion has ended healthy."""
        return self.pending_reviews == 0.0

    def anchored(self, prior_mean: float) -> Baseline:
        """Return the baseline with another first guess; what it has seen stays."""
        return replace(self, prior_mean=prior_mean)

    def without_excursion(self) -> Baseline:
        """Return the baseline with the unjudged reviews dropped (after a trip)."""
        return replace(self, pending_reviews=0.0, pending_failures=0.0, cusum=0.0)
