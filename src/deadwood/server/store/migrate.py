"""Migrating a database to the current schema with Alembic; the steps are in `migrations`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select, text

from ...engine.refusal import DeadwoodError

_LOCK = int.from_bytes(b"deadwood")  # any number that nobody else locks
MIGRATIONS = Path(__file__).parent / "migrations"


class SchemaDiffers(DeadwoodError):
    """The database does not have the schema of this version."""


class SchemaUnknown(SchemaDiffers):
    """The database has a schema that this version does not know."""


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's settings, without a file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Create the tables, or migrate old ones; a newer schema is left alone.

    If several processes start together, one of them does it. SQLite has only one.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))  # Alembic takes its time
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    check_schema(MigrationContext.configure(connection).get_current_revision())
    command.upgrade(configuration(connection), "head")


def demand_current(connection: Connection) -> None:
    """Refuse any schema but today's. Whoever only reads must not migrate: an older server may be using the database."""
    revision = MigrationContext.configure(connection).get_current_revision()
    check_schema(revision)
    latest = ScriptDirectory.from_config(configuration()).get_current_head()
    if revision is None:
        raise SchemaDiffers("The database is empty; `deadwood serve` prepares it.")
    if revision != latest:
        raise SchemaDiffers(
            f"The database has schema {revision}, and this version of Deadwood reads schema {latest}. `deadwood serve` "
            "migrates it; make a backup first."
        )


def check_schema(revision: str | None) -> None:
    """Refuse a schema that none of our migrations leads to; None is an empty database."""
    scripts = ScriptDirectory.from_config(configuration())
    known = [script.revision for script in scripts.walk_revisions()]  # the latest first
    if revision is not None and revision not in known:
        raise SchemaUnknown(
            f"The database has schema {revision}, and this version of Deadwood knows schemas up to {known[0]}. "
            "A newer version made it; update Deadwood, or restore a backup from before."
        )
