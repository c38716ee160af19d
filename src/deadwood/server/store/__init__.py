"""The logs of all tables in SQLite or PostgreSQL."""
