"""Logs, tables and games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The first schema."""
    op.create_table(
        "log",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("by", sa.Integer, nullable=False),
        sa.Column("command", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
    )
    op.create_index("tables_by_number", "tables", ["public", "status", "number"])
    op.create_table(
        "games",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("first_seq", sa.Integer, nullable=False),
        sa.Column("last_seq", sa.Integer),
        sa.Column("summary", sa.Text),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Back to nothing."""
    for name in ("games", "tables", "log"):
        op.drop_table(name)
