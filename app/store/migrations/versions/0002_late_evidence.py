"""Number the outcomes, keep what people say later, and how volatile a repository is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Rebuild the outcomes, widen the transitions, make two tables."""
    op.add_column("transitions", sa.Column("volatility", sa.Float))
    op.rename_table("outcomes", "outcomes_before")
    op.drop_index("ix_outcomes_circuit", "outcomes_before")
    op.create_table(
        "outcomes",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("review_id", sa.String(500), nullable=False),
        sa.Column("circuit", sa.String(400), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("hard", sa.Float, nullable=False),
        sa.Column("soft", sa.Float, nullable=False),
        sa.Column("fatal", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("confidence", sa.Float),
        sa.Column("lines", sa.Integer),
        sa.UniqueConstraint("circuit", "review_id", name="outcomes_once"),
    )
    op.create_index(
        "outcomes_by_generation", "outcomes", ["circuit", "generation", "seq"]
    )
    kept = "review_id, circuit, at, generation, hard, soft, fatal, counts, reason"
    op.execute(
        f"insert into outcomes ({kept}) "  # noqa: S608 - our own column names
        f"select {kept} from outcomes_before order by at, review_id"
    )
    op.drop_table("outcomes_before")
    op.create_table(
        "feedback",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("review_id", sa.String(500), nullable=False),
        sa.Column("circuit", sa.String(400), nullable=False, index=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("node", sa.String(200), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("confidence", sa.Float),
        sa.Column("accepted", sa.Boolean),
        sa.Column("signature", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("review_id", "kind", "node", "actor", name="feedback_once"),
    )
    op.create_table(
        "volatilities",
        sa.Column("repository", sa.String(200), primary_key=True),
        sa.Column("head_sha", sa.String(64), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=False),
    )
