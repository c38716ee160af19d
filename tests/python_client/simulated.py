"""Whole games of this client over the bad network of `tests/server/simulation.py`, in simulated time."""

import asyncio
import contextlib
import random

from deadwood.client.errors import ServerRefused
from deadwood.client.table import Listener, ServedTable
from deadwood.narration import narrate
from deadwood.server.protocol.commands import NewPerson
from deadwood.server.tables.sitting import sitting_of

from ..server.simulation import LONGEST, World, make, run, sensible


class LineSocket:
    """The client's end of a simulated line."""

    def __init__(self, line):
        self._line = line

    async def send(self, text):
        if not self._line.open:
            raise ConnectionError
        self._line._carry(text, self._line._to_server)

    async def receive(self):
        return await self._line._to_client.get()

    def abort(self):
        self._line.cut()


class Player(Listener):
    """Somebody who sits down, is ready, and plays to the end."""

    def __init__(self, world, code, name, token=None):
        self.world, self.name = world, name
        self.heard = []  # (seq, sentences), in the order in which they came
        self.refusals = []
        self.played = 0  # actions that the server acknowledged
        chance = random.Random(world.chance.random())
        tokens = () if token is None else (token,)
        self.table = ServedTable(code, self._open, None, tokens=tokens, listener=self, chance=chance)

    async def _open(self):
        line = self.world.connect(self.table.code)
        if not line.open:
            raise ConnectionRefusedError
        return LineSocket(line)

    def caught_up(self, missed, first):
        self.heard = self.heard if not first else []
        self.heard += [(one.seq, one.sentences) for one in missed]

    def updated(self, update):
        self.heard.append((update.seq, update.sentences))

    async def live(self):
        async with self.table as table:
            while table.view.status != "finished":
                if not await self._want():
                    await table.until(lambda seq=table.view.seq: table.view.seq != seq or self._has_wish())

    def _has_wish(self):
        return self._wish() is not None

    async def _want(self):
        wish = self._wish()
        if wish is not None:
            with self._refusable():
                await wish()
        return wish is not None

    @contextlib.contextmanager
    def _refusable(self):
        try:
            yield
        except ServerRefused as error:
            self.refusals.append(error.problem.code)

    def _wish(self):
        table = self.table
        if not table.held:
            return (lambda: table.sit(self.name)) if table.view.status == "waiting" else None
        (mine,) = table.own_chairs
        if table.view.status == "waiting":
            return self._wish_before_the_game(mine)
        return self._play if table.my_turn else None

    def _wish_before_the_game(self, mine):
        table = self.table
        if not mine.ready:
            return lambda: table.ready(mine.id)
        everybody = len(table.view.chairs) >= 3 and all(chair.ready for chair in table.view.chairs)
        return table.start if everybody and table.view.host == mine.id else None

    async def _play(self):
        offers = [offer.action for offer in self.table.position.offers]
        await self.table.play(sensible(offers, str, self.world.chance))
        self.played += 1


async def play(seed, badness):
    """One game, then all checks."""
    world = World(seed, badness)
    await world.start()
    token = world.chance.randbytes(32).hex()
    room = await make(world, NewPerson(name="Ada", token=token), {"days": 1})
    code = room.sitting.code
    players = [Player(world, code, "Ada", token), Player(world, code, "Bo")]
    dying = asyncio.create_task(world.live())
    try:
        await asyncio.wait_for(asyncio.gather(*(player.live() for player in players)), LONGEST)
    finally:
        await world.end(dying)
    await check(world, code, players)
    return world, players


async def check(world, code, players):
    entries = await world.disk.entries(code, 1)
    sitting = sitting_of(entries)
    expected = [(one.seq, tuple(map(narrate, one.events))) for one in sitting.events]
    for player in players:
        assert player.table.view.seq == sitting.seq
        assert player.table.position.state == sitting.game.state.snapshot()
        assert player.heard == expected, "something was lost, doubled, or came out of order"
        (mine,) = player.table.own_chairs
        assert player.played <= sum(entry.by == mine.id for entry in entries if type(entry.body).__name__ == "Played")
    commands = [(entry.by, entry.command) for entry in entries if entry.command]
    assert len(commands) == len(set(commands))


def simulate(seed):
    """Play one game over a network that is perfect, bad or very bad."""
    return run(play(seed, random.Random(seed).choice([0.0, 0.02, 0.1, 0.2])))
