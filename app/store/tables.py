"""The tables. Times are UTC; money is dollars; JSON columns hold our own values."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

metadata = MetaData()


class Utc(TypeDecorator[datetime]):
    """An aware time in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> Any:
        """Refuse naive times: they would be read back as another instant."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Any) -> datetime | None:
        """Return the time as aware UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            return value.replace(tzinfo=UTC)  # type: ignore[no-any-return]
        return value.astimezone(UTC)  # type: ignore[no-any-return]


#: One row per agent and repository; ``version`` is compared and set.
circuits = Table(
    "circuits",
    metadata,
    Column("key", String(400), primary_key=True),
    Column("repository", String(200), nullable=False),
    Column("agent", String(200), nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", String(20), nullable=False),
    Column("value", JSON, nullable=False),
    Column("updated_at", Utc(), nullable=False),
)

#: Every change of state, never altered.
transitions = Table(
    "transitions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("circuit", String(400), nullable=False, index=True),
    Column("at", Utc(), nullable=False),
    Column("source", String(20), nullable=False),
    Column("target", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("reading", Float, nullable=False),
    Column("p0", Float, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("actor", String(200), nullable=False),
)

#: What each review told its circuit; the key makes telling it twice harmless.
outcomes = Table(
    "outcomes",
    metadata,
    Column("review_id", String(500), primary_key=True),
    Column("circuit", String(400), nullable=False, index=True),
    Column("at", Utc(), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("hard", Float, nullable=False),
    Column("soft", Float, nullable=False),
    Column("fatal", Boolean, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
)

#: The head that each pull request wants reviewed; newer generations supersede.
pulls = Table(
    "pulls",
    metadata,
    Column("key", String(300), primary_key=True),
    Column("repository", String(200), nullable=False),
    Column("number", Integer, nullable=False),
    Column("installation_id", BigInteger, nullable=False),
    Column("head_sha", String(64), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("reason", String(200), nullable=False),
    Column("asked_by", String(100), nullable=False),
    Column("updated_at", Utc(), nullable=False),
)

#: One row per review, with what it found.
reviews = Table(
    "reviews",
    metadata,
    Column("review_id", String(500), primary_key=True),
    Column("repository", String(200), nullable=False),
    Column("number", Integer),
    Column("head_sha", String(64), nullable=False),
    Column("agent", String(200), nullable=False),
    Column("mode", String(20), nullable=False),
    Column("conclusion", String(20), nullable=False),
    Column("situation", String(30), nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("finished_at", Utc(), nullable=False),
    Column("result", JSON, nullable=False),
    Index("reviews_by_repository", "repository", "finished_at"),
)

#: The last configuration of each repository that could be read.
configs = Table(
    "configs",
    metadata,
    Column("repository", String(200), primary_key=True),
    Column("source", String(400), nullable=False),
    Column("text", Text, nullable=False),
    Column("updated_at", Utc(), nullable=False),
)
