"""The tables of the database. `log` is the truth; `tables` and `games` are indexes to it.

What is in `talk`, `subscriptions`, `outbox` and `server_keys` is not in any log, so that it can be forgotten.
`touched`, `bans` and `switches` are how operators speak to running servers. `deletions` holds tables whose logs are
being deleted, bit by bit. In `servers` and `leases`, processes that
share a PostgreSQL database agree on who does what.
"""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

log = Table(
    "log",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("seq", Integer, primary_key=True),  # the first process to insert a number gets it: this is the lock
    Column("at", Float, nullable=False),
    Column("by", Integer, nullable=False),
    Column("command", String(64), nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

tables = Table(
    "tables",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("number", BigInteger, nullable=False),  # the order of lists
    Column("public", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("summary", Text, nullable=False),
    Column("since", Float),
    Column("due", Float),  # when to wake it, assuming no downtime
    Index("tables_by_number", "public", "status", "number"),
    Index("tables_by_due", "due"),
)

games = Table(
    "games",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer),
    Column("summary", Text),
    sqlite_with_rowid=False,
)

bundles = Table(
    "bundles",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash; nobody can ask for a bundle by it
    Column("version", Integer, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("used", Float, nullable=False, index=True),  # the day it was last asked for or changed
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("started", Float, nullable=False, index=True),
    Column("alive", Float, nullable=False),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(8), nullable=False),
    Column("chair", Integer, nullable=False),
    Column("holder", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("target", String(1000), nullable=False, index=True),
    Column("keys", Text, nullable=False),
    Column("language", String(16), nullable=False),
    Column("asked", Float, nullable=False, index=True),
    Index("subscriptions_by_chair", "code", "chair"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("subscription", String(32), primary_key=True),  # so there is one notice for each at most
    Column("code", String(8), nullable=False),
    Column("chair", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("tag", String(64), nullable=False),
    Column("at", Float, nullable=False),
    Column("due", Float, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
    Index("outbox_by_chair", "code", "chair"),
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Text, nullable=False),
)

touched = Table(
    "touched",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("code", String(8), nullable=False),
    Column("at", Float, nullable=False, index=True),
)

deletions = Table(
    "deletions",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("at", Float, nullable=False),
    Column("filled", Integer, nullable=False),  # entries up to this number still hold what they held
    Index("deletions_by_moment", "at", "code"),
    Index("deletions_by_filled", "filled", "code"),
)

bans = Table(
    "bans",
    metadata,
    Column("network", String(64), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("since", Float, nullable=False),
    Column("until", Float),
)

switches = Table(
    "switches",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("since", Float, nullable=False),
)

talk = Table(
    "talk",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("number", BigInteger, primary_key=True),  # the microsecond
    Column("command", String(64), nullable=False),
    Column("line", Text, nullable=False),
    Index("talk_by_number", "number"),
    sqlite_with_rowid=False,
)

servers = Table(
    "servers",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("until", Float, nullable=False),  # it lives until then by the database's clock, unless renewed
)

leases = Table(
    "leases",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("owner", String(16), nullable=False, index=True),  # of `servers`; empty: nobody
    Column("number", BigInteger, nullable=False),  # grows with every owner, to tell entries of an earlier one
)
