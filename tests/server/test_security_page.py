"""The numbers in docs/security.md are those of the code."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from deadwood.engine.loading import FILE_BYTES
from deadwood.engine.seats import NAME_LENGTH
from deadwood.server import app, connection_limits
from deadwood.server.http import api, guard, operations, requests
from deadwood.server.limits import Rate
from deadwood.server.notices.courier import MOST_AT_ONCE, MOST_TO_A_HOST, UNUSED
from deadwood.server.protocol import commands, drafts
from deadwood.server.protocol.notices import MOST_SUBSCRIPTIONS
from deadwood.server.protocol.talk import TALK_LENGTH
from deadwood.server.settings import SNAPSHOT_COST, UPDATES_PER_COST, Limits, Settings
from deadwood.server.socket import connection, conversation, uvicorn_protocol
from deadwood.server.store.administration import MOST_BANS
from deadwood.server.store.database import MOST_RUNS
from deadwood.server.store.opening import PATIENCE
from deadwood.server.tables import lobby, log_space
from deadwood.server.tables.ports import MOST_ANSWERS, MOST_TALK, TALK_DAYS
from deadwood.server.tables.queries import MOST_MISSED
from deadwood.server.workers import replaying, workers

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
SETTINGS = Settings(database="")
KIB, MIB = 2**10, 2**20


def written(limit):
    if not isinstance(limit, Rate):
        return str(limit)
    often = f"{limit.per_second:g} a second" if limit.per_second >= 1 else f"1 in {1 / limit.per_second:g} s"
    return f"{often}, {limit.burst:g} at once"


@pytest.mark.parametrize("name", Limits.__struct_fields__)
def test_every_limit_is_on_the_page(name):
    assert f"\n| `{name}` | {written(structs.asdict(Limits())[name])} |" in PAGE


ROWS = {
    "the head of a request arrives within": f"{connection_limits._SECONDS[connection_limits.h11.IDLE]:g} s",
    "its body within": f"{requests._SECONDS} s",
    f"at least {connection_limits._LEAST_READ // KIB} KiB of a response are read within": (
        f"{connection_limits.UNREAD_SECONDS:g} s"
    ),
    "between two requests of a connection": f"{connection_limits.IDLE_SECONDS} s",
    "if it is silent that long, it gets a ping; it answers within": f"{connection_limits.PING_SECONDS:g} s",
    "a WebSocket is accepted or refused within": f"{uvicorn_protocol._HANDSHAKE:g} s",
    "its hello arrives within": f"{SETTINGS.hello:g} s",
    "a client that does not read its messages is dropped after": f"{SETTINGS.stalled:g} s",
    "messages that wait for a client": f"{connection.MOST_WAITING}, or {connection.MOST_BYTES // MIB} MiB",
    "after the last message, the client reads it within": f"{uvicorn_protocol._LINGER:g} s",
    "messages of a client that wait for an answer": f"{uvicorn_protocol._MOST_MESSAGES:,}",
    "pings, pongs and fragments": written(uvicorn_protocol._FRAMES),
    "fragments of a message": str(uvicorn_protocol._MOST_FRAGMENTS),
    "refusals for sending too fast, until the connection is closed": str(conversation._MOST_IMPATIENT),
    "the head of a request": f"{connection_limits.HEAD_BYTES // KIB} KiB",
    "chunks of a body": f"{connection_limits.MOST_CHUNKS:,}",
    "the address of a request": f"{guard.URL_BYTES // KIB} KiB",
    "a message or a command": f"{commands.MESSAGE_BYTES // KIB} KiB",
    "a deck or a board": f"{FILE_BYTES // KIB} KiB",
    "an unfinished deck in the editor, as JSON": f"{drafts.DRAFT_BYTES // KIB} KiB",
    "both files for a printed kit, as JSON": f"{commands.KIT_BYTES // KIB} KiB",
    "a record to replay": f"{commands.RECORD_BYTES:,} bytes",
    "a bundle": f"{commands.BUNDLE_LENGTH // KIB} KiB",
    "a name": f"{NAME_LENGTH} characters",
    "a line of talk": f"{TALK_LENGTH} characters",
    "tokens of a connection": str(commands.MOST_TOKENS),
    "tables that a browser asks about at once": str(commands.MOST_KNOWN),
    "the question about them": f"{commands.KNOWN_BYTES // KIB} KiB",
    "rows of a list": str(api._PAGE),
    "steps of a replay": str(replaying.MOST_STEPS),
    "games of a trial of a deck": str(drafts.TRIAL_GAMES),
    "missed updates that a client gets": str(MOST_MISSED),
    "entries of earlier games whose commands get their first answer again": f"{MOST_ANSWERS:,}",
    "addresses for notices of a chair": str(MOST_SUBSCRIPTIONS),
    "notices under way": str(MOST_AT_ONCE),
    "notices under way to one host": str(MOST_TO_A_HOST),
    "bans": f"{MOST_BANS:,}",
    "entries before a game": f"{log_space.MOST_BEFORE:,}",
    "entries of a chair besides its actions, since the game began": str(log_space.MOST_BESIDE),
    "entries of a game": f"{log_space.MOST_IN_A_SITTING:,}",
    "entries of all games of a table": f"{log_space.MOST_AT_A_TABLE:,}",
    "decks and boards swapped before a game": str(lobby._MOST_SWAPS),
    "a call to the database": f"{SETTINGS.database_patience:g} s",
    "storing what is left when the server ends": f"{app.ENDING:g} s",
    "a bot thinks": f"{SETTINGS.thinking:g} s",
    "requests that wait for a worker process": (
        f"{workers._MOST_WAITING}; if there are {workers._MANY} or more, only one of an address"
    ),
    "a table leaves memory after": f"{SETTINGS.asleep:g} s",
}


@pytest.mark.parametrize("what", ROWS)
def test_every_number_is_that_of_the_code(what):
    assert re.search(rf"^\| {re.escape(what)} \| {re.escape(ROWS[what])}\b", PAGE, re.MULTILINE), ROWS[what]


def test_every_row_of_the_page_is_compared():
    tables = PAGE.split("\n## Limits\n")[1].split("\n## ")[0]
    rows = re.findall(r"(?:^\|.*\n)+", tables, re.MULTILINE)
    named = [line.split(" | ")[0].strip("| `") for table in rows for line in table.splitlines()[2:]]
    assert sorted(named) == sorted([*ROWS, *Limits.__struct_fields__])


def test_every_size_of_a_body_is_on_the_page():
    """An operation with its own limit needs a row."""
    sizes = {one.body_bytes for one in operations.OPERATIONS} - {commands.BUNDLE_BYTES}  # that of a bundle, and a frame
    written = {f"{size // KIB} KiB" if size % KIB == 0 else f"{size:,} bytes" for size in sizes}
    assert [size for size in written if f"| {size} |" not in PAGE] == []


def test_numbers_mentioned_in_passing_are_right_too():
    assert f"costs {SNAPSHOT_COST} more, and one for every {UPDATES_PER_COST} updates" in PAGE
    assert f"the last {MOST_TALK} lines" in PAGE
    assert f"| {TALK_DAYS} days, or until" in PAGE
    assert f"or {UNUSED / 86_400:g} days without renewal" in PAGE
    assert f"| {MOST_RUNS:,} runs |" in PAGE
    assert SETTINGS.database_patience == PATIENCE
