"""The journal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of entries."""
    op.create_table(
        "entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("stream", sa.String(64), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(64), nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("command", sa.String(128), nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.UniqueConstraint("stream", "sequence", name="one_entry_a_number"),
    )
    op.create_index("entries_by_command", "entries", ["stream", "command"])
