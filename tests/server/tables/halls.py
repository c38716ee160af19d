"""A hall on a store in memory, and tables to open there."""

import asyncio
import functools
import random

from deadwood import Options
from deadwood.server.protocol.commands import Hello, NewPerson, NewTable
from deadwood.server.settings import Settings
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.services import Services

from ..memory import MemoryStore
from ..people import token
from .evening import Ear

OPTIONS = {"days": 1, "first": "Ada"}


class FirstThinker:
    """A bot that does the first thing it may do."""

    async def decide(self, bot, state, patient=False, address=""):
        from deadwood.engine.rules import legal_actions

        return legal_actions(state)[0]


class Turns:
    """Counts how often something happens without a turn for anybody else."""

    def __init__(self):
        self.total = self.most = self._in_this_turn = 0

    def note(self):
        if not self._in_this_turn:
            asyncio.get_running_loop().call_soon(self._end)
        self.total += 1
        self._in_this_turn += 1
        self.most = max(self.most, self._in_this_turn)

    def _end(self):
        self._in_this_turn = 0


def a_hall(append=None):
    store = MemoryStore()

    async def commit(one):
        return (await store.commit([one]))[0]

    append = commit if append is None else functools.partial(append, commit)
    settings = Settings(database="", url="http://x", bot_pause=0.0)
    return Hall(Services(store, append, FirstThinker(), settings, random_bytes=random.Random(1).randbytes))


def people(*names, ready=True):
    return tuple(NewPerson(name=name, token=token(), salt=token() if ready else None) for name in names)


def a_table(*names, start=True, **options):
    return NewTable(chairs=people(*names), options=Options(**(OPTIONS | options)), start=start)


def listener(room, new, *numbers, language="en"):
    """Somebody who holds the chairs with these numbers."""
    ear = Ear(language)
    room.join(ear, Hello(tokens=tuple(new.chairs[number].token for number in numbers), explain=True))
    return ear
