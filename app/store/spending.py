"""Keep what reviews cost: reserved before the agent runs, settled after it.

A reservation is the most that the review may cost. It counts from the moment it is
made, so that parallel reviews cannot all see the same unspent budget, and a review
that was killed half-way has not been for free.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from app.review.budget import Spent
from app.store.database import take_turn
from app.store.tables import spending

HOUR = timedelta(hours=1)


class SpendingStore:
    """Dollars by review, pull request and repository."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def reserve(
        self,
        review_id: str,
        *,
        repository: str,
        number: int,
        most_usd: float,
        refusal: Callable[[Spent], str | None],
        now: datetime,
    ) -> str | None:
        """Count ``most_usd`` for a review that is about to run, once for each.

        Args:
            review_id: the review; one that is reserved already is not asked again.
            repository: whose budget it is.
            number: the pull request.
            most_usd: the most that the review may cost.
            refusal: says why not, given what was spent before. Asking and counting
                are one transaction, so that two reviews cannot share one rest.
            now: the current time.

        Returns:
            Why it was not reserved, ``None`` when it was.
        """
        with self._engine.begin() as connection:
            take_turn(connection, f"spending of {repository}")
            mine = spending.c.review_id == review_id
            query = select(spending.c.review_id).where(mine)
            if connection.execute(query).first() is not None:
                return None
            why = refusal(_spent(connection, repository, number, now))
            if why is None:
                values = {"repository": repository, "number": number, "at": now}
                row = insert(spending).values(
                    review_id=review_id, cost_usd=most_usd, **values
                )
                connection.execute(row)
            return why

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

    def spent(self, repository: str, number: int, *, now: datetime) -> Spent:
        """Return what a pull request and its repository have spent."""
        with self._engine.begin() as connection:
            return _spent(connection, repository, number, now)


def _spent(
    connection: Connection, repository: str, number: int, now: datetime
) -> Spent:
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    here = spending.c.repository == repository
    cost = func.coalesce(func.sum(spending.c.cost_usd), 0.0)
    pull = select(cost).where(here, spending.c.number == number)
    lately = select(func.count()).where(here, spending.c.at >= now - HOUR)
    return Spent(
        pull_usd=float(connection.execute(pull).scalar_one()),
        month_usd=float(
            connection.execute(
                select(cost).where(here, spending.c.at >= month)
            ).scalar_one()
        ),
        runs_last_hour=int(connection.execute(lately).scalar_one()),
    )
