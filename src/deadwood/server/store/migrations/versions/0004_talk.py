"""What people say at tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody has said anything yet."""
    op.create_table(
        "talk",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("command", sa.String(64), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("talk_by_number", "talk", ["number"])


def downgrade() -> None:
    """Without talk."""
    op.drop_table("talk")
