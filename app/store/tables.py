"""The tables. Times are UTC; money is dollars; JSON columns hold our own values."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)

from app.store.columns import LongWords, Plain, Utc, Words

metadata = MetaData()


#: One row per agent and repository; ``version`` is compared and set.
circuits = Table(
    "circuits",
    metadata,
    Column("key", Words(400), primary_key=True),
    Column("repository", Words(200), nullable=False),
    Column("agent", Words(200), nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", Words(20), nullable=False),
    Column("value", Plain, nullable=False),
    Column("updated_at", Utc(), nullable=False),
)

#: Every change of state, never altered.
transitions = Table(
    "transitions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("circuit", Words(400), nullable=False, index=True),
    Column("at", Utc(), nullable=False),
    Column("source", Words(20), nullable=False),
    Column("target", Words(20), nullable=False),
    Column("reason", LongWords, nullable=False),
    Column("reading", Float, nullable=False),
    Column("p0", Float, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("volatility", Float),
    Column("actor", Words(200), nullable=False),
)

#: What each review told its circuits, in the order of ``seq``; the pair of circuit and
#: review makes telling it twice harmless. Late evidence mends a row.
outcomes = Table(
    "outcomes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("review_id", Words(500), nullable=False),
    Column("circuit", Words(400), nullable=False),
    Column("at", Utc(), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("hard", Float, nullable=False),
    Column("soft", Float, nullable=False),
    Column("fatal", Boolean, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("reason", LongWords, nullable=False),
    Column("confidence", Float),
    Column("lines", Integer),
    UniqueConstraint("circuit", "review_id", name="outcomes_once"),
    Index("outcomes_by_generation", "circuit", "generation", "seq"),
)

#: What people did with the words of a review, once for each review, deed and person.
feedback = Table(
    "feedback",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("review_id", Words(500), nullable=False),
    Column("circuit", Words(400), nullable=False, index=True),
    Column("kind", Words(40), nullable=False),
    Column("node", Words(200), nullable=False),
    Column("actor", Words(200), nullable=False),
    Column("confidence", Float),
    Column("accepted", Boolean),
    Column("signature", Words(200), nullable=False),
    Column("at", Utc(), nullable=False),
    UniqueConstraint("review_id", "kind", "node", "actor", name="feedback_once"),
)

#: How volatile each repository is, by the head that was looked at.
volatilities = Table(
    "volatilities",
    metadata,
    Column("repository", Words(200), primary_key=True),
    Column("head_sha", Words(64), nullable=False),
    Column("value", Plain, nullable=False),
    Column("looked_at", Utc(), nullable=False),
)

#: The head that each pull request wants reviewed; newer generations supersede.
pulls = Table(
    "pulls",
    metadata,
    Column("key", Words(300), primary_key=True),
    Column("repository", Words(200), nullable=False),
    Column("number", Integer, nullable=False),
    Column("installation_id", BigInteger, nullable=False),
    Column("head_sha", Words(64), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("reason", Words(200), nullable=False),
    Column("asked_by", Words(100), nullable=False),
    Column("updated_at", Utc(), nullable=False),
)

#: One row per review, with what it found.
reviews = Table(
    "reviews",
    metadata,
    Column("review_id", Words(500), primary_key=True),
    Column("repository", Words(200), nullable=False),
    Column("number", Integer),
    Column("head_sha", Words(64), nullable=False),
    Column("agent", Words(200), nullable=False),
    Column("mode", Words(20), nullable=False),
    Column("conclusion", Words(20), nullable=False),
    Column("situation", Words(30), nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("finished_at", Utc(), nullable=False),
    Column("result", Plain, nullable=False),
    Index("reviews_by_repository", "repository", "finished_at"),
)

#: What each review with an agent cost, or may still cost.
spending = Table(
    "spending",
    metadata,
    Column("review_id", Words(500), primary_key=True),
    Column("repository", Words(200), nullable=False),
    Column("number", Integer),
    Column("cost_usd", Float, nullable=False),
    Column("at", Utc(), nullable=False),
    Index("spending_by_repository", "repository", "at"),
)

#: The last configuration of each repository that could be read.
configs = Table(
    "configs",
    metadata,
    Column("repository", Words(200), primary_key=True),
    Column("source", Words(400), nullable=False),
    Column("text", LongWords, nullable=False),
    Column("updated_at", Utc(), nullable=False),
)
