"""What personal keys carry."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """There were no personal keys."""
    op.create_table(
        "bundles",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("used", sa.Float, nullable=False, index=True),
    )


def downgrade() -> None:
    """Without them; browsers still have what is theirs."""
    op.drop_table("bundles")
