"""Which processes live, and which of them looks after a table."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Nobody has a lease yet."""
    op.create_table(
        "servers",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("owner", sa.String(16), nullable=False, index=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """One process for all tables."""
    for name in ("leases", "servers"):
        op.drop_table(name)
