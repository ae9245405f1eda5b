"""What the steps of a review work with, put together by the composition root."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.agents.base import AgentChoice
from app.config.model import RepositoryConfig
from app.ports import Clock, HubFactory
from app.store.circuits import CircuitStore
from app.store.reviews import ReviewStore
from app.store.spending import SpendingStore
from app.telemetry.metrics import Metrics
from guardrails import Scanner

AgentMaker = Callable[[RepositoryConfig], AgentChoice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that the steps work with."""

    hubs: HubFactory
    circuits: CircuitStore
    reviews: ReviewStore
    spending: SpendingStore
    clock: Clock
    scanners: Sequence[Scanner]
    make_agent: AgentMaker
    elapsed: Callable[[], Callable[[], float]]
    metrics: Metrics
    jitter: Callable[[], float] = field(default=random.random)
