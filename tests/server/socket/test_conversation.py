"""A conversation ends when its client says nothing, stops reading or asks too much; the clock is simulated."""

import asyncio

import msgspec
import pytest

from deadwood.server.admission import Admission
from deadwood.server.limits import Rate
from deadwood.server.protocol.commands import NewPerson
from deadwood.server.settings import UNLIMITED
from deadwood.server.socket.conversation import Conversation

from ..people import token
from ..simulation import HOURS, SETTINGS, Line, SimulatedLoop, World, conversation, make


@pytest.fixture
def loop():
    loop = SimulatedLoop()
    yield loop
    loop.close()


async def a_table():
    world = World(seed=1, badness=0.0)
    await world.start()
    room = await make(world, NewPerson(name="Ada", token=token()), {})
    return world, room.sitting.code


async def converse(world, code, line):
    """Run a conversation to its end; returns its seconds."""
    clock = asyncio.get_running_loop().time
    began = clock()
    await conversation(world.servers[0], line, code).run()
    return clock() - began


def test_a_client_that_keeps_asking_for_hints_is_sent_away(loop):
    async def run():
        world, code = await a_table()
        limits = msgspec.structs.replace(UNLIMITED, heavy=Rate(0.001, 1))
        line = Line(world.chance, 0.0)
        line.say({"type": "hello"})
        await asyncio.sleep(HOURS)
        for number in range(200):
            line.say({"type": "hint", "id": f"h{number}"})
        admission, server = Admission(limits, asyncio.get_running_loop().time), world.servers[0]
        await asyncio.wait_for(Conversation(line, server.hall, admission, server.stalled, code, "client").run(), HOURS)
        await world.kill(world.servers[0])

    loop.run_until_complete(run())


def test_people_who_play_behind_one_address_do_not_count_as_guesses(loop):
    async def run():
        world, code = await a_table()
        limits = msgspec.structs.replace(UNLIMITED, guesses=Rate(1e-9, 1))
        admission, server = Admission(limits, asyncio.get_running_loop().time), world.servers[0]
        lines, talking = [Line(world.chance, 0.0) for _ in range(3)], []
        for line in lines:
            line.say({"type": "hello"})
            one = Conversation(line, server.hall, admission, server.stalled, code, "client")
            talking.append(asyncio.create_task(one.run()))
            await asyncio.sleep(SETTINGS.hello / 2)
        refused = [one.done() for one in talking]
        for line in lines:
            line.cut()
        await asyncio.gather(*talking)
        await world.kill(server)
        assert refused == [False] * 3

    loop.run_until_complete(run())


def test_a_client_that_says_nothing_is_sent_away(loop):
    async def run():
        world, code = await a_table()
        assert await converse(world, code, Line(world.chance, 0.0)) == pytest.approx(SETTINGS.hello)
        await world.kill(world.servers[0])

    loop.run_until_complete(run())


class Packed(Line):
    """A line whose messages have all arrived at once."""

    taken = 0

    def ready(self):
        return True

    async def receive(self):
        self.taken += 1
        return '{"type": "hello"}' if self.taken == 1 else "nonsense" if self.taken < 200 else None


def test_a_client_that_sends_a_lot_at_once_lets_others_run_after_every_message(loop):
    async def run():
        world, code = await a_table()
        line = Packed(world.chance, 0.0)
        talking = asyncio.create_task(converse(world, code, line))
        at_once, before = 0, 0
        while not talking.done():
            at_once, before = max(at_once, line.taken - before), line.taken
            await asyncio.sleep(0)
        assert (at_once, line.taken) == (2, 200)  # hello, and the next message
        await world.kill(world.servers[0])

    loop.run_until_complete(run())


class Deaf(Line):
    """A line whose client never reads."""

    def send_now(self, text):
        return False

    async def send(self, text):
        await asyncio.get_running_loop().create_future()


def test_a_client_that_stops_reading_is_dropped(loop):
    async def run():
        world, code = await a_table()
        line = Deaf(world.chance, 0.0)
        line.say({"type": "hello"})
        took = await converse(world, code, line)
        assert SETTINGS.stalled < took < SETTINGS.stalled + 5  # a sweeper checks every five seconds
        assert world.hall.services.counters.connections_dropped == 1
        await world.kill(world.servers[0])

    loop.run_until_complete(run())
