"""An evening at a table in simulated time: people come and go, hours pass at once, servers die and start again."""

import asyncio
import functools
import itertools
import json
import random

from deadwood import Options
from deadwood.engine.rules import legal_actions
from deadwood.server.protocol.commands import Hello, NewBot, NewPerson, NewTable, Play
from deadwood.server.protocol.house import HouseRules
from deadwood.server.settings import Settings
from deadwood.server.tables.caller import Listener
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.heartbeat import Heartbeat
from deadwood.server.tables.services import Services

from ..memory import MemoryStore
from ..simulation import SimulatedLoop

LONGEST = 20 * 86_400  # simulated seconds: after these, a test that waits for what never comes fails


def simulated(test):
    """Run an async test in simulated time, which passes whenever everybody waits."""

    @functools.wraps(test)
    def run(*args, **kwargs):
        loop = SimulatedLoop()
        try:
            loop.run_until_complete(asyncio.wait_for(test(*args, **kwargs), LONGEST))
        finally:
            _end(loop)

    return run


def _end(loop):
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.close()


class Ear(Listener):
    """A connection that keeps what it hears."""

    def __init__(self, language="en", address=""):
        super().__init__(language, address=address)
        self.heard = []

    def send(self, text):
        self.heard.append(json.loads(text))

    def dismiss(self, text):
        self.send(text)

    @property
    def updates(self):
        return [message for message in self.heard if message["type"] == "update"]

    @property
    def sentences(self):
        return [sentence for update in self.updates for sentence in update["sentences"]]

    @property
    def position(self):
        """The latest position heard."""
        return next(one.get("position") or one["table"]["position"] for one in reversed(self.updates))


class SlowThinker:
    """A slow bot that plays the last legal action, which mostly ends its turn."""

    def __init__(self, seconds=1.0):
        self.seconds = seconds
        self.asked = []

    async def decide(self, bot, state, patient=False, address=""):
        self.asked.append(bot)
        await asyncio.sleep(self.seconds)
        return legal_actions(state)[-1]


class Walker(SlowThinker):
    """A bot that does the first thing it may do: in the Trailers it walks to a set."""

    async def decide(self, bot, state, patient=False, address=""):
        await asyncio.sleep(self.seconds)
        return legal_actions(state)[0]


class Hopeful(SlowThinker):
    """A bot that works, so that games end."""

    async def decide(self, bot, state, patient=False, address=""):
        self.asked.append(bot)
        await asyncio.sleep(self.seconds)
        legal = legal_actions(state)
        wanted = [one for one in legal if type(one).__name__ in ("Act", "TakeRole")]
        return random.Random(len(self.asked)).choice(wanted or legal)


class Evening:
    """A table and its server, which may die and start again."""

    def __init__(self, thinker=None, store=None, peers=None, **settings):
        self.store = store or MemoryStore()
        self._peers = peers
        self.thinker = thinker or SlowThinker()
        self.settings = Settings(**{"database": "", "url": "http://x", "bot_pause": 0.0, **settings})
        self.tokens = {}
        self._ids = itertools.count(1)
        self._chance = random.Random(1)

    async def serve(self):
        async def append(one):
            return (await self.store.commit([one]))[0]

        loop = asyncio.get_running_loop()
        self.services = Services(
            self.store,
            append,
            self.thinker,
            self.settings,
            peers=self._peers,
            now=loop.time,
            random_bytes=self._chance.randbytes,
        )
        self.hall = Hall(self.services)
        self.heartbeat = Heartbeat(self.services, self.hall)
        await self.heartbeat.start()
        self._tasks = [
            asyncio.create_task(self.heartbeat.live()),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self.services.peers.live(self.hall.wake)),
        ]
        return self

    async def _sweep(self):
        while True:
            await asyncio.sleep(10)
            self.hall.put_to_sleep()

    async def kill(self):
        for room in self.hall.rooms.values():
            room.rest()
        await self.services.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def open(self, *names, bots=(), start=True, public=False, options=None, **house):
        """Open a table where everybody is ready. The first name is the host; the last one plays first."""
        self.tokens = {name: self._secret() for name in names}
        chairs = [NewPerson(name=name, token=token, salt=self._secret()) for name, token in self.tokens.items()]
        chosen = Options(**{"first": names[-1], "days": 1, **(options or {})})
        new = NewTable(
            chairs=(*chairs, *(NewBot(bot=bot) for bot in bots)),
            options=chosen,
            start=start,
            public=public,
            house=HouseRules(**house),
        )
        room = await self.hall.open(new)
        self.code = room.sitting.code
        return self

    def _secret(self):
        return self._chance.randbytes(32).hex()

    @property
    def room(self):
        return self.hall.rooms[self.code]

    @property
    def sitting(self):
        return self.room.sitting

    async def wake(self):
        """Wake the table, as any request does."""
        async with self.hall.visit(self.code) as room:
            return room

    async def join(self, *names, address=""):
        """Connect; the room stays awake as long as somebody is there."""
        room = await self.wake()
        room.visits += 1
        self.hall._unvisited.pop(self.code, None)
        ear = Ear(address=address)
        room.join(ear, Hello(tokens=tuple(self.tokens[name] for name in names)))
        return ear

    def leave(self, *ears):
        """Close connections."""
        for ear in ears:
            self.room.leave(ear)
            self.room.visits -= 1
            if not self.room.visits:
                self.hall._unvisited[self.code] = self.room

    async def do(self, ear, command, **fields):
        return await self.room.clerk.perform(ear, command(id=f"c{next(self._ids)}", **fields))

    async def play(self, ear, action="end", **more):
        return await self.do(ear, Play, seq=self.sitting.seq + 1, action=action, **more)

    def chair(self, name):
        return next(chair.id for chair in self.sitting.chairs if chair.name == name)

    async def log(self):
        """The kinds of all entries, from the store."""
        return [entry.body.__struct_config__.tag for entry in await self.store.entries(self.code, 1)]

    async def played(self):
        """Who played each action, in order, and which bot decided it."""
        entries = await self.store.entries(self.code, 1)
        return [(entry.by, entry.body.by) for entry in entries if entry.body.__struct_config__.tag == "played"]
