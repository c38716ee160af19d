"""The tables of the database. `log` is the truth; `tables` and `games` are indexes to it; `talk` is apart from them."""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

log = Table(
    "log",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("seq", Integer, primary_key=True),  # the first to insert a number has it: this is the lock
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
    Column("due", Float),  # to be woken then, if a server ran all the time since then
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
