"""People who play without pause while the server dies and restarts; every acknowledgement is recorded."""

import asyncio
import contextlib
import random
import secrets

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from deadwood.server.store.database import DatabaseStore
from deadwood.server.tables.sitting import sitting_of

from .people import person

LOST = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)


class Table:
    """A table of two players on one connection, with every acknowledged action."""

    def __init__(self, server, seed, bots=()):
        self.tokens = [secrets.token_hex(32), secrets.token_hex(32)]
        self.code, _ = server.make(token=self.tokens[0], options={"days": 4}, bots=bots)
        path = f"/api/tables/{self.code}/commands"
        server.post(path, {"type": "sit", "id": "sit", "name": "Bo", "token": self.tokens[1]})
        for chair, token in zip((1, 2 + len(bots)), self.tokens, strict=True):
            wish = {"type": "ready", "id": "ready", "chair": chair, "salt": secrets.token_hex(32)}
            server.post(path, wish, token)
        self.seq = server.post(path, {"type": "start", "id": "start"}, self.tokens[0])["seq"]
        self.acknowledged = {}  # seq -> id
        self.choose = random.Random(seed).choice
        self.unanswered = None
        self.over = False
        self.noticed = lambda: None

    async def play(self, server):
        """Play until the connection breaks or the game is over. An unanswered action is sent again first."""
        with contextlib.suppress(*LOST):
            async with person(server, self.code, *self.tokens) as host:
                self.check_snapshot(host)
                while host.status == "running":
                    await self._act(host)
                self.over = True

    async def _act(self, host):
        if self.unanswered is None:
            action = self.choose(host.offers)["action"]
            self.unanswered = {"id": secrets.token_hex(8), "seq": host.seq + 1, "action": action}
        answer = await host.ask("play", **self.unanswered)
        if answer["type"] == "done":
            self.acknowledge(answer["seq"], self.unanswered["id"])
            await host.hear_update(answer["seq"])
        if answer.get("code") != "not_stored":
            self.unanswered = None  # done, or overtaken

    def acknowledge(self, seq, id):
        assert self.acknowledged.setdefault(seq, id) == id, f"number {seq} was given twice"
        self.noticed()

    def check_snapshot(self, host):
        """A new connection sees every acknowledged action."""
        last = max(self.acknowledged, default=0)
        if host.table["seq"] < last:
            raise ActionLost(f"action {last} of {self.code} was acknowledged, and the table is at {host.table['seq']}")


class ActionLost(AssertionError):
    """An acknowledged action is missing."""


async def play_and_kill(server, tables, actions):
    """Play at all tables. After `actions` acknowledged actions, kill the server while more are on their way."""
    enough = asyncio.Event()
    goal = sum(len(table.acknowledged) for table in tables) + actions
    for table in tables:
        table.noticed = lambda: sum(len(one.acknowledged) for one in tables) >= goal and enough.set()
    playing = [asyncio.create_task(table.play(server)) for table in tables]
    over = asyncio.gather(*playing)
    await asyncio.wait([over, asyncio.create_task(enough.wait())], return_when=asyncio.FIRST_COMPLETED)
    server.kill()
    enough.set()
    await over


async def play_on(tables, count, server):
    """Play until each table has `count` more actions; clients reconnect whenever they have to."""
    goals = {table: len(table.acknowledged) + count for table in tables}
    await asyncio.gather(*(_play_on(table, goal, server) for table, goal in goals.items()))


async def _play_on(table, goal, server):
    """`server` is where to connect: a server, or a function that chooses one each time."""
    enough = asyncio.Event()
    table.noticed = lambda: len(table.acknowledged) >= goal and enough.set()
    waiting = asyncio.create_task(enough.wait())
    while not waiting.done():
        playing = asyncio.create_task(table.play(server() if callable(server) else server))
        await asyncio.wait([playing, waiting], return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()  # nothing but a lost connection may end it
        else:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


async def check_logs(url, tables):
    """Every log has every acknowledged action, and replays."""
    store = await DatabaseStore.open(url)
    try:
        for table in tables:
            entries = await store.entries(table.code, 1)
            check_log(table, entries)
            sitting_of(entries)
    finally:
        await store.close()


def check_log(table, entries):
    """The log has every acknowledged action with its id, no duplicates and no gaps."""
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    commands = {entry.seq: entry.command for entry in entries}
    lost = {seq: id for seq, id in table.acknowledged.items() if commands.get(seq) != id}
    if lost:
        raise ActionLost(f"{table.code} lost {lost}")
    ids = [entry.command for entry in entries if entry.command not in ("", "sit", "ready", "start")]
    assert len(ids) == len(set(ids))
