"""Whole evenings with people who come and go, in simulated time. The same seed gives the same evening.

People vanish and return, close their browser for good, leave, think longer than the clock allows, pause,
agree to end, chat, and move their seat to another device. As in `simulation.py`, networks are bad and servers die. One
person always comes back, so the evening must end: by play, by stand-ins, or by agreement.
"""

import argparse
import asyncio
import random
import sys
from collections import Counter

from deadwood import Options, verify
from deadwood.server.protocol.commands import NewBot, NewPerson, NewTable, Ready, Start
from deadwood.server.protocol.house import HouseRules
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.tables.log import encode_body
from deadwood.server.tables.ports import MOST_TALK
from deadwood.server.tables.sitting import sitting_of

from .simulation import LONGEST, Client, World, check, run

NAMES = ("Ada", "Bo", "Cy")
EARLY = (10, 12, 14, 16, 18, 20, 24, 30, 40, 100)  # entries after which everybody would rather end
LATE = (1_000,)  # by then most games have come to their own end
GOSSIP = "psst"  # no log and no record may contain it
_PATIENCE = 300.0  # seconds after which a host does something about an absent player


class Person(Client):
    """Somebody with habits: how likely they vanish, leave, dawdle, or propose something at any moment."""

    patience = 40

    def __init__(self, world, code, name, token, habits, bedtime):
        super().__init__(world, code, name, token, seated=True)
        self.habits = habits
        self._bedtime = bedtime  # the entry after which everybody would rather end
        self.gone = False  # has left for good, or will never come back
        self._fled = False  # has cut the line on purpose
        self._seen = 0.0  # when something happened at the table
        self._move = None  # to another device: the secret and the new token

    async def live(self):
        """Take part until the game is over; somebody who is gone only looks at the end."""
        while not self.gone and not self._is_over:
            if await self._connect():
                await self._take_part()
            await asyncio.sleep(self.world.chance.expovariate(1) + self._absence())
        self.seated = False
        while not self._is_over:
            await self.look()
        return self.table

    @property
    def _is_over(self):
        return self.table is not None and self.table["status"] == "finished"

    async def look(self):
        """A glance at the table, without a seat."""
        await asyncio.sleep(self.world.chance.uniform(10, 60))
        if await self._connect():
            self._line.cut()

    def _tokens(self):
        """A browser stores its next token before it asks for the seat."""
        return [*super()._tokens(), *([self._move[1]] if self._move and self.seated else [])]

    def _absence(self):
        if not self._fled:
            return 0.0
        self._fled = False
        return self.world.chance.choice((1.0, 50.0, 200.0, 800.0)) * self.world.chance.random()

    def _wish(self):
        self._flee()
        mine = next((one for one in self.table["chairs"] if one["id"] in self.held), None)
        if mine is None or not self._line.open or self.table["status"] != "running":
            return None
        return self._wish_for_the_evening(mine) or self._wish_in_the_game(mine)

    def _flee(self):
        kind = self._drawn("vanish", "disappear")
        if kind is None:
            return
        self._line.cut()
        self._fled = True
        self.gone = kind == "disappear"

    def _drawn(self, *kinds):
        """One of these habits, if this person follows it now."""
        return next((kind for kind in kinds if self.world.chance.random() < self.habits.get(kind, 0.0)), None)

    def _wish_for_the_evening(self, mine):
        position = self.table["position"]
        if self.seq > self._bedtime and mine["id"] not in position["votes"]["end"]:
            return {"type": "vote", "to": "end"}
        match self._drawn("leave", "pause", "end", "move", "chat", "clear"):
            case "chat":
                return self._chatter(mine["id"])
            case "clear" if self.table["host"] == mine["id"]:
                return {"type": "clear_talk"}
            case "leave":
                return {"type": "leave", "chair": mine["id"]}
            case "pause" if not position["paused"]:
                return {"type": "vote", "to": "pause"}
            case "end":
                return {"type": "vote", "to": "end"}
            case "move" if self._move is None:
                self._move = [self.world.chance.randbytes(32).hex() for _ in range(2)]
                return {"type": "hand_over", "chair": mine["id"], "secret": self._move[0]}
        return self._answer(position, mine["id"])

    def _chatter(self, chair):
        if self.world.chance.random() < 0.3:
            return {"type": "react", "chair": chair, "reaction": "hat"}
        return {"type": "say", "chair": chair, "text": f"{GOSSIP} {self.world.chance.randrange(10**6)}"}

    def _answer(self, position, mine):
        """Vote on what others propose; as the host, send a stand-in for somebody who keeps others waiting."""
        for to in ("pause", "end"):
            if position["votes"][to] and mine not in position["votes"][to]:
                return {"type": "vote", "to": to, "agrees": self.world.chance.random() < 0.7}
        if position["paused"]:
            return {"type": "resume"} if self.world.chance.random() < 0.2 else None
        active = self.table["chairs"][position["state"]["active"]]
        waiting = asyncio.get_running_loop().time() - self._seen > _PATIENCE
        if self.table["host"] == mine and waiting and not active["stand_in"] and active["id"] != mine:
            return {"type": "stand_in", "chair": active["id"]}
        return None

    def _wish_in_the_game(self, mine):
        position = self.table["position"]
        is_tired = self.seq > self._bedtime and mine["id"] in position["votes"]["end"]
        if position["paused"] or position["stand_in"] or is_tired:
            return None
        return super()._wish_in_the_game(mine)

    async def _ask(self, wish):
        if wish["type"] == "play" and self._drawn("dawdle"):
            await asyncio.sleep(self.world.chance.uniform(0, 120))
        await super()._ask(wish)
        if wish["type"] == "hand_over":
            secret, token = self._move
            await super()._ask({"type": "take_over", "secret": secret, "token": token})

    def _answered(self, wish, id, answer):
        super()._answered(wish, id, answer)
        if answer["type"] == "done" and wish["type"] == "leave":
            self.gone, self.seated = True, False
            self._line.cut()

    def _see(self, table):
        if table["seq"] > self.seq:
            self._seen = asyncio.get_running_loop().time()
        super()._see(table)


def habits_of(chance, faithful):
    """How likely somebody is to do something at any moment."""
    habits = {
        "vanish": chance.choice((0.0, 0.05, 0.1)),
        "dawdle": chance.choice((0.0, 0.05, 0.3)),
        "pause": chance.choice((0.0, 0.02)),
        "end": chance.choice((0.0, 0.01)),
        "move": chance.choice((0.0, 0.05)),
        "chat": chance.choice((0.0, 0.1, 0.3)),
        "clear": chance.choice((0.0, 0.0, 0.02)),
    }
    return habits if faithful else habits | {"disappear": chance.choice((0.0, 0.03)), "leave": chance.choice((0, 0.03))}


async def spend(seed, bedtimes=EARLY, servers=1):
    """One evening from the start of the game to its end, then all checks. Returns the log, and what was said lately."""
    chance = random.Random(seed)
    world = World(seed, chance.choice((0.0, 0.0, 0.02, 0.1)), lifetime=600, servers=servers)
    await world.start()
    people = [NewPerson(name=name, token=_secret(world)) for name in NAMES[: chance.choice((2, 3))]]
    code = await _open(world, people, _house(chance))
    faithful = chance.choice(people)
    bedtime = chance.choice(bedtimes)
    persons = [Person(world, code, one.name, one.token, habits_of(chance, one is faithful), bedtime) for one in people]
    dying = asyncio.create_task(world.live())
    try:
        await asyncio.wait_for(asyncio.gather(*(person.live() for person in persons)), LONGEST)
        await _agree_on_the_end(world, code, persons)
    finally:
        await world.end(dying)
    await check(world, code, persons, [person.table for person in persons])
    return await _checked(world, code)


def _secret(world):
    return world.chance.randbytes(32).hex()


def _house(chance):
    return HouseRules(grace=chance.choice((None, 30, 120, 600)), clock=chance.choice((None, None, 30, 60, 300)))


async def _open(world, people, house):
    """A running game."""
    new = NewTable(chairs=(*people, NewBot(bot="random")), options=Options(days=1), house=house)
    room = await _until_stored(lambda: world.hall.open(new))
    callers = [room.caller([one.token], "en") for one in people]
    commands = [
        *((caller, Ready(id="ready", chair=min(caller.held), salt=_secret(world))) for caller in callers),
        (callers[0], Start(id="start")),
    ]
    for caller, command in commands:
        await _until_stored(lambda caller=caller, command=command: room.clerk.perform(caller, command))
    return room.sitting.code


async def _until_stored(work):
    """Repeat until the disk confirms it."""
    while True:
        try:
            return await work()
        except StoreFailed:
            await asyncio.sleep(1)


async def _agree_on_the_end(world, code, persons):
    """A seat may be handed over after the end, so everybody looks once more."""
    last = len(await world.disk.entries(code, 1))
    for person in persons:
        while person.seq < last:
            await person.look()


async def _checked(world, code):
    entries = await world.disk.entries(code, 1)
    game = sitting_of(entries).game
    assert {one.verdict for one in verify(game.record())} == {"passed"}
    talk = await world.disk.talk.lines(code)
    assert GOSSIP not in game.record()
    assert not any(GOSSIP.encode() in encode_body(entry.body) for entry in entries)
    assert len(talk) <= 2 * MOST_TALK
    assert len({(row.line.chair, row.command) for row in talk}) == len(talk)
    return entries, talk


def evening(seed, bedtimes=EARLY, servers=1):
    """How many entries of each kind an evening made, and how much was said."""
    entries, talk = run(spend(seed, bedtimes, servers))
    return Counter(str(entry.body.__struct_config__.tag) for entry in entries) + Counter(said=len(talk))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--servers", type=int, default=1)
    arguments = parser.parse_args()
    for number in range(arguments.first, arguments.first + arguments.evenings):
        try:
            evening(number, EARLY + LATE, arguments.servers)
        except BaseException:
            print(f"evening {number}", file=sys.stderr)
            raise
    print(f"{arguments.evenings} evenings, all to their end")
