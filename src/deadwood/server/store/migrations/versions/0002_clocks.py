"""When tables must be woken, and when servers ran."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Old tables have no clock."""
    op.add_column("tables", sa.Column("since", sa.Float))
    op.add_column("tables", sa.Column("due", sa.Float))
    op.create_index("tables_by_due", "tables", ["due"])
    op.create_table(
        "runs",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("started", sa.Float, nullable=False, index=True),
        sa.Column("alive", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Without clocks."""
    op.drop_table("runs")
    op.drop_index("tables_by_due", "tables")
    op.drop_column("tables", "due")
    op.drop_column("tables", "since")
