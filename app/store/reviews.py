"""Keep what pull requests want, what reviews found and what they spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select, update

from app.store.database import take_turn
from app.store.tables import configs, pulls, reviews

CLOSED = ""  # the head that a closed pull request wants


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The head that a pull request wants reviewed."""

    repository: str
    number: int
    installation_id: int
    head_sha: str
    generation: int
    reason: str
    asked_by: str = ""  # the delivery that last asked for the same head once more

    @property
    def key(self) -> str:
        """Return ``owner/name#number``, the partition of the queue."""
        return f"{self.repository}#{self.number}"

    @property
    def review_id(self) -> str:
        """Return the id of the review; a finished id never runs again."""
        return f"{self.key}@{self.head_sha}#{self.generation}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """One finished review."""

    review_id: str
    repository: str
    number: int | None
    head_sha: str
    agent: str
    mode: str
    conclusion: str
    situation: str
    tokens: int
    cost_usd: float
    finished_at: datetime
    result: dict[str, Any]


class ReviewStore:
    """Wanted heads, finished reviews, last good configurations."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def want(
        self,
        *,
        repository: str,
        number: int,
        installation_id: int,
        head_sha: str,
        reason: str,
        asked_by: str = "",
        now: datetime,
    ) -> Wanted | None:
        """Ask for a review of ``head_sha``; ``None`` when that is wanted already.

        Args:
            repository: ``owner/name``.
            number: the pull request.
            installation_id: through which it is reached.
            head_sha: the head as GitHub says it is now.
            reason: why, for people.
            asked_by: the delivery that asks to review this head once more although
                it was wanted before (re-run, retarget); each is heard once. A ->
                B -> A needs none: the head changed, so the generation grew.
            now: the current time.
        """
        key = f"{repository}#{number}"
        values: dict[str, Any] = {
            "installation_id": installation_id,
            "head_sha": head_sha,
            "reason": reason,
            "updated_at": now,
        }
        with self._engine.begin() as connection:
            take_turn(connection, key)
            row = self._wanted(connection, key)
            is_same = row is not None and row.head_sha == head_sha
            if row is not None and is_same and asked_by in ("", row.asked_by):
                return None
            generation = 1 if row is None else row.generation + 1
            values |= {"generation": generation, "asked_by": asked_by}
            if row is None:
                where = {"key": key, "repository": repository, "number": number}
                connection.execute(insert(pulls).values(**where, **values))
            else:
                mine = pulls.c.key == key
                connection.execute(update(pulls).where(mine).values(**values))
        return Wanted(
            repository=repository,
            number=number,
            installation_id=installation_id,
            head_sha=head_sha,
            generation=generation,
            reason=reason,
            asked_by=asked_by,
        )

    def wanted(self, key: str) -> Wanted | None:
        """Return what the pull request ``owner/name#number`` wants now."""
        with self._engine.begin() as connection:
            return self._wanted(connection, key)

    def all_wanted(self) -> Sequence[Wanted]:
        """Return what every open pull request wants (dispatch after a crash)."""
        query = select(pulls).where(pulls.c.head_sha != CLOSED)
        with self._engine.begin() as connection:
            return [_as_wanted(row) for row in connection.execute(query)]

    def close_pull(self, key: str, *, now: datetime) -> None:
        """Want nothing more of a closed pull request.

        Its generation stays: when it is opened again the same head gets a review
        of its own, because a finished id never runs again.
        """
        with self._engine.begin() as connection:
            connection.execute(
                update(pulls)
                .where(pulls.c.key == key)
                .values(head_sha=CLOSED, updated_at=now)
            )

    def red_twins(self, repository: str, head_sha: str, number: int) -> list[int]:
        """Return other open pull requests with this head whose review is not green."""
        others = select(pulls.c.number).where(
            pulls.c.repository == repository,
            pulls.c.head_sha == head_sha,
            pulls.c.number != number,
        )
        latest = (
            select(reviews.c.number, reviews.c.conclusion)
            .where(
                reviews.c.repository == repository,
                reviews.c.head_sha == head_sha,
                reviews.c.number.in_(others),
            )
            .order_by(reviews.c.finished_at)
        )
        with self._engine.begin() as connection:
            found = {row.number: row.conclusion for row in connection.execute(latest)}
        return sorted(each for each, said in found.items() if said != "success")

    def keep(self, row: ReviewRow) -> None:
        """Keep a finished review, in place of an earlier word on the same id."""
        with self._engine.begin() as connection:
            take_turn(connection, row.review_id)
            mine = reviews.c.review_id == row.review_id
            connection.execute(delete(reviews).where(mine))
            connection.execute(insert(reviews).values(**asdict(row)))

    def latest(self, limit: int = 50) -> Sequence[ReviewRow]:
        """Return the latest finished reviews, newest first."""
        query = select(reviews).order_by(reviews.c.finished_at.desc()).limit(limit)
        with self._engine.begin() as connection:
            rows = connection.execute(query).mappings()
            return [ReviewRow(**row) for row in rows]

    def keep_config(
        self, repository: str, *, source: str, text: str, now: datetime
    ) -> None:
        """Keep the text of a configuration that could be read."""
        with self._engine.begin() as connection:
            take_turn(connection, repository)
            mine = configs.c.repository == repository
            connection.execute(delete(configs).where(mine))
            values = {"repository": repository, "source": source, "text": text}
            connection.execute(insert(configs).values(**values, updated_at=now))

    def forget_config(self, repository: str) -> None:
        """Forget the configuration of a repository that has none any more."""
        with self._engine.begin() as connection:
            connection.execute(
                delete(configs).where(configs.c.repository == repository)
            )

    def last_config(self, repository: str) -> str | None:
        """Return the text of the last configuration that could be read."""
        query = select(configs.c.text).where(configs.c.repository == repository)
        with self._engine.begin() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _wanted(self, connection: Connection, key: str) -> Wanted | None:
        query = select(pulls).where(pulls.c.key == key)
        row = connection.execute(query).first()
        return None if row is None else _as_wanted(row)


def _as_wanted(row: Any) -> Wanted:
    return Wanted(
        repository=row.repository,
        number=row.number,
        installation_id=row.installation_id,
        head_sha=row.head_sha,
        generation=row.generation,
        reason=row.reason,
        asked_by=row.asked_by,
    )
