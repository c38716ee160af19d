"""Where logs are kept: SQLite by default, PostgreSQL by URL, the same code for both."""
