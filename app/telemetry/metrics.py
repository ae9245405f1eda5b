"""Numbers for Prometheus, in a registry of their own.

Nothing is global: two apps in one process (tests) count apart. Label values are
GitHub's or our own words; nothing that a pull request's author chose becomes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from app.breaker.circuit import State, Transition

CONTENT_TYPE = CONTENT_TYPE_LATEST
STEP_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
ANSWER_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10)


class Metrics:
    """What is counted; each method is one thing that happened."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._trips = Counter(
            "recloser_trips",
            "Circuits that opened by themselves.",
            ("repository", "agent"),
            registry=self.registry,
        )
        self._reviews = Counter(
            "recloser_reviews",
            "Finished reviews.",
            ("conclusion", "situation"),
            registry=self.registry,
        )
        self._refusals = Counter(
            "recloser_refusals",
            "Actions of agents that were refused, by what refused them.",
            ("detector",),
            registry=self.registry,
        )
        self._deliveries = Counter(
            "recloser_deliveries",
            "Webhooks, by what became of them.",
            ("result",),
            registry=self.registry,
        )
        self._answers = Histogram(
            "recloser_webhook_seconds",
            "Time from the head of a webhook to our answer.",
            buckets=ANSWER_SECONDS,
            registry=self.registry,
        )
        self._steps = Histogram(
            "recloser_step_seconds",
            "Time that the steps of a review take.",
            ("step",),
            buckets=STEP_SECONDS,
            registry=self.registry,
        )
        self._queue_age = Gauge(
            "recloser_inbox_oldest_pending_seconds",
            "For how long the oldest delivery waits to be handled.",
            registry=self.registry,
        )

    def circuits(self, read: Callable[[], Iterable[tuple[str, str, State]]]) -> None:
        """Ask ``read`` for (repository, agent, state) of all circuits at each scrape.

        The state is shared by processes: what one of them last saw would go stale.
        """
        self.registry.register(_CircuitStates(read))

    def expect(
        self, *, conclusions: Iterable[tuple[str, str]], detectors: Iterable[str]
    ) -> None:
        """Begin these counters at 0, so that their first event is an increase."""
        for conclusion, situation in conclusions:
            self._reviews.labels(conclusion, situation)
        for detector in detectors:
            self._refusals.labels(detector)

    def transition(self, repository: str, agent: str, transition: Transition) -> None:
        """Note that a circuit changed its state."""
        if transition.target is State.OPEN:
            self._trips.labels(repository, agent).inc()

    def reviewed(
        self, conclusion: str, situation: str, detectors: Iterable[str]
    ) -> None:
        """Note a finished review and what refused actions in it."""
        self._reviews.labels(conclusion, situation).inc()
        for detector in detectors:
            self._refusals.labels(detector).inc()

    def delivered(self, result: str, seconds: float) -> None:
        """Note a webhook that was answered."""
        self._deliveries.labels(result).inc()
        self._answers.observe(seconds)

    def step(self, name: str, seconds: float) -> None:
        """Note how long a step of a review took."""
        self._steps.labels(name).observe(seconds)

    def queue_age(self, read: Callable[[], float]) -> None:
        """Ask ``read`` for the age of the oldest delivery at each scrape."""
        self._queue_age.set_function(read)

    def text(self) -> bytes:
        """Return all numbers as Prometheus reads them."""
        return generate_latest(self.registry)


class _CircuitStates(Collector):
    """Reads the state of all circuits when Prometheus asks."""

    def __init__(self, read: Callable[[], Iterable[tuple[str, str, State]]]) -> None:
        self._read = read

    def describe(self) -> Iterable[Metric]:
        """Name the metric without reading anything."""
        return [self._family()]

    def collect(self) -> Iterable[Metric]:
        """Return 1 for the state that a circuit is in, 0 for the others."""
        family = self._family()
        for repository, agent, state in self._read():
            for each in State:
                labels = (repository, agent, each.value)
                family.add_metric(labels, float(each is state))
        return [family]

    @staticmethod
    def _family() -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "recloser_circuit_state",
            "1 for the state that a circuit is in, 0 for the others.",
            labels=("repository", "agent", "state"),
        )
