"""Alembic runs this; the connection is the server's own."""

from alembic import context

from deadwood.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
