"""Where people want notices, which notices wait, and the keys of the server."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nobody has asked for notices yet."""
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("chair", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.String(1000), nullable=False, index=True),
        sa.Column("keys", sa.Text, nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("asked", sa.Float, nullable=False, index=True),
    )
    op.create_index("subscriptions_by_chair", "subscriptions", ["code", "chair"])
    op.create_table(
        "outbox",
        sa.Column("subscription", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("chair", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("tag", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=False, index=True),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("outbox_by_chair", "outbox", ["code", "chair"])
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Without notices."""
    for name in ("server_keys", "outbox", "subscriptions"):
        op.drop_table(name)
