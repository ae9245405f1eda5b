"""Keep what reviews cost: reserved before the agent runs, settled after it.

A reservation is the most that the review may cost. It counts from the moment it is
made, so that parallel reviews cannot all see the same unspent budget, and a review
that was killed half-way has not been for free.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Engine, delete, func, insert, select, update

from app.store.database import take_turn
from app.store.tables import spending


class SpendingStore:
    """Dollars by review, pull request and repository."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def reserve(
        self,
        review_id: str,
        *,
        repository: str,
        number: int | None,
        most_usd: float,
        now: datetime,
    ) -> None:
        """Count ``most_usd`` for a review that is about to run; once for each."""
        with self._engine.begin() as connection:
            take_turn(connection, review_id)
            mine = spending.c.review_id == review_id
            query = select(spending.c.review_id).where(mine)
            if connection.execute(query).first() is not None:
                return
            connection.execute(
                insert(spending).values(
                    review_id=review_id,
                    repository=repository,
                    number=number,
                    cost_usd=most_usd,
                    at=now,
                )
            )

    def settle(self, review_id: str, cost_usd: float) -> None:
        """Replace the reservation by what the review really cost."""
        with self._engine.begin() as connection:
            mine = spending.c.review_id == review_id
            connection.execute(update(spending).where(mine).values(cost_usd=cost_usd))

    def release(self, review_id: str) -> None:
        """Forget the reservation of a review in which no agent ran."""
        with self._engine.begin() as connection:
            connection.execute(
                delete(spending).where(spending.c.review_id == review_id)
            )

    def usd(
        self, repository: str, *, since: datetime, number: int | None = None
    ) -> float:
        """Return the dollars of a repository, or of one of its pull requests."""
        query = select(func.coalesce(func.sum(spending.c.cost_usd), 0.0)).where(
            spending.c.repository == repository, spending.c.at >= since
        )
        if number is not None:
            query = query.where(spending.c.number == number)
        with self._engine.begin() as connection:
            return float(connection.execute(query).scalar_one())

    def runs(self, repository: str, *, since: datetime) -> int:
        """Return how many reviews of a repository an agent took part in."""
        query = select(func.count()).where(
            spending.c.repository == repository, spending.c.at >= since
        )
        with self._engine.begin() as connection:
            return int(connection.execute(query).scalar_one())
