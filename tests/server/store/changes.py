"""Entries of every kind, changes to commit, and stores to commit them to."""

from contextlib import asynccontextmanager

from deadwood import Options
from deadwood.server.store.writer import Writer
from deadwood.server.tables.log import Chair, Chosen, Entry, Left, Opened, Played, Readied, Sat, Started, Undone
from deadwood.server.tables.ports import Append

CODE, OTHER = "CCCCFFFF", "HHHHJJJJ"
CHAIR = Chair(1, "Zoë 🎬", "red", token="a" * 64, salt="b" * 64)
BODIES = [
    Opened(1, True, Options(days=2, layout="G'M/CH"), "5" * 64, 1, (CHAIR, Chair(2, "Bo", "blue", bot="regular")), 3),
    Sat(CHAIR),
    Left(1, removed=True),
    Chosen(Options(first="Zoë 🎬")),
    Readied(1, None),
    Started(),
    Played("move saloon", "card 17"),
    Undone(),
]


def entry(seq, body=BODIES[6], code=CODE, command="", by=0):
    return Entry(code, seq, 1.5, by, command, body)


def change(seq, *args, **more):
    return Append(entry(seq, *args, **more))


@asynccontextmanager
async def opened(opening):
    """A store that is closed at the end, before its event loop."""
    store = await opening
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def writing(store, *measure):
    writer = Writer(store, *measure)
    try:
        yield writer
    finally:
        await writer.close()
