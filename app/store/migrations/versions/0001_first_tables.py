"""Make the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "circuits",
        sa.Column("key", sa.String(400), primary_key=True),
        sa.Column("repository", sa.String(200), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "transitions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("circuit", sa.String(400), nullable=False, index=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("target", sa.String(20), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("reading", sa.Float, nullable=False),
        sa.Column("p0", sa.Float, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
    )
    op.create_table(
        "outcomes",
        sa.Column("review_id", sa.String(500), primary_key=True),
        sa.Column("circuit", sa.String(400), nullable=False, index=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("hard", sa.Float, nullable=False),
        sa.Column("soft", sa.Float, nullable=False),
        sa.Column("fatal", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "pulls",
        sa.Column("key", sa.String(300), primary_key=True),
        sa.Column("repository", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("installation_id", sa.BigInteger, nullable=False),
        sa.Column("head_sha", sa.String(64), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("asked_by", sa.String(100), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.String(500), primary_key=True),
        sa.Column("repository", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("head_sha", sa.String(64), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("mode", sa.String(20), nullable=False),
        sa.Column("conclusion", sa.String(20), nullable=False),
        sa.Column("situation", sa.String(30), nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("cost_usd", sa.Float, nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
    )
    op.create_index("reviews_by_repository", "reviews", ["repository", "finished_at"])
    op.create_table(
        "spending",
        sa.Column("review_id", sa.String(500), primary_key=True),
        sa.Column("repository", sa.String(200), nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("cost_usd", sa.Float, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("spending_by_repository", "spending", ["repository", "at"])
    op.create_table(
        "configs",
        sa.Column("repository", sa.String(200), primary_key=True),
        sa.Column("source", sa.String(400), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
