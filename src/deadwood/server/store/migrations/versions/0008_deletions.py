"""How far the deletion of tables is."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Earlier servers emptied the whole log of a table at once; `touched` names those tables for a day."""
    op.create_table(
        "deletions",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("filled", sa.Integer, nullable=False),
    )
    op.create_index("deletions_by_moment", "deletions", ["at", "code"])
    op.create_index("deletions_by_filled", "deletions", ["filled", "code"])
    op.create_index("ix_touched_at", "touched", ["at"])


def downgrade() -> None:
    """Every deletion is complete."""
    op.drop_index("ix_touched_at", "touched")
    op.drop_table("deletions")
