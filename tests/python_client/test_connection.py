"""The connection over sockets that the test controls, in simulated time: what it says, when, and what it passes on.

Holds `client.errors` and `client.sockets`.
"""

import asyncio
import json
import random
from types import SimpleNamespace

import msgspec
import pytest

from deadwood.client.connection import LONGEST, QUIET, SHORT_PATIENCE, SHORTEST, Connection, pause
from deadwood.client.errors import ClientError, TableLeft
from deadwood.engine.options import Options
from deadwood.server.protocol.commands import Hint, Start
from deadwood.server.protocol.house import HouseRules
from deadwood.server.protocol.messages import Done, Goodbye, Pong, Present, Problem, Update, Welcome
from deadwood.server.protocol.views import BoardLabel, DeckLabel, TableView

from ..server.simulation import run as simulated


def view(seq):
    label = {"name": "x", "fingerprint": "x", "key": None}
    return TableView(
        code="K7RM4TXC",
        link="",
        public=False,
        status="waiting",
        seq=seq,
        game=1,
        options=Options(),
        house=HouseRules(),
        layout=None,
        deck=DeckLabel(cards=40, **label),
        board=BoardLabel(**label),
        drawn=(),
        host=None,
        chairs=(),
        commitment="",
    )


def welcome(seq, *missed, id=None):
    return Welcome(id=id, table=view(seq), held=(), missed=tuple(map(update, missed)))


def update(seq):
    return Update(seq=seq, kind="sat", sentences=(f"entry {seq}",))


class Socket:
    """One end of a line; the test is at the other."""

    def __init__(self):
        self.said = asyncio.Queue()
        self.open = True
        self._arriving = asyncio.Queue()

    async def send(self, text):
        if not self.open:
            raise ConnectionError
        self.said.put_nowait(json.loads(text))

    async def receive(self):
        return await self._arriving.get()

    def abort(self):
        self.open = False
        self._arriving.put_nowait(None)

    # the test's end

    def tell(self, message):
        self._arriving.put_nowait(message if isinstance(message, str) else msgspec.json.encode(message).decode())

    async def hear(self, type):
        message = await self.said.get()
        assert message["type"] == type
        return message


class Net:
    """Hands out sockets, and notes when each was asked for."""

    def __init__(self):
        self.times = []
        self.failing = 0
        self._made = asyncio.Queue()

    async def open(self):
        self.times.append(asyncio.get_running_loop().time())
        if self.failing:
            self.failing -= 1
            raise ConnectionRefusedError
        socket = Socket()
        self._made.put_nowait(socket)
        return socket

    async def next(self):
        return await self._made.get()


class Log:
    """A receiver that notes everything."""

    def __init__(self):
        self.seqs, self.statuses, self.heard_messages, self.problems, self.welcomes = [], [], [], [], []

    def status_changed(self, status):
        if self.statuses[-1:] != [status]:
            self.statuses.append(status)

    def welcomed(self, message, first):
        self.seqs += [one.seq for one in message.missed]
        self.welcomes.append((message.table.seq, first))

    def updated(self, update):
        self.seqs.append(update.seq)

    def heard(self, message):
        self.heard_messages.append(message)

    def refused(self, problem):
        self.problems.append(problem.code)


def connected(test):
    """Run a test with a connection that said hello on its first socket."""

    def running():
        async def play():
            net, log = Net(), Log()
            connection = Connection(net.open, lambda: ("a" * 64,), log, chance=random.Random(1))
            task = asyncio.create_task(connection.run())
            socket = await net.next()
            world = SimpleNamespace(net=net, log=log, connection=connection, socket=socket, task=task)
            world.hello = await socket.hear("hello")
            await test(world)
            connection.end()
            await task

        simulated(play())

    running.__name__ = test.__name__
    return running


async def settled():
    """Let everything happen that needs no time."""
    for _ in range(20):
        await asyncio.sleep(0)


async def greeted(world, seq=0):
    world.socket.tell(welcome(seq))
    await settled()


@connected
async def test_it_begins_with_all_that_happened_in_this_game(world):
    assert world.hello == {"type": "hello", "tokens": ["a" * 64], "since": 0, "language": "en", "explain": False}
    world.socket.tell(welcome(3, 2, 3))
    await settled()
    assert (world.log.seqs, world.log.welcomes) == ([2, 3], [(3, True)])
    assert world.log.statuses == ["connecting", "open"]


@connected
async def test_a_command_is_sent_again_under_the_same_id_until_it_is_answered(world):
    await greeted(world)
    sending = asyncio.create_task(world.connection.send(Start(id="one")))
    first = await world.socket.hear("start")
    world.socket.abort()
    again = await world.net.next()
    assert (await again.hear("hello"))["since"] == 0
    again.tell(welcome(0))
    assert await again.hear("start") == first
    again.tell(Done(id="one", seq=1))
    assert await sending == Done(id="one", seq=1)
    again.abort()
    third = await world.net.next()
    await third.hear("hello")
    third.tell(welcome(1))
    await settled()
    assert third.said.empty()


@connected
async def test_a_command_waits_for_the_welcome(world):
    sending = asyncio.create_task(world.connection.send(Start(id="one")))
    await settled()
    assert world.socket.said.empty()
    await greeted(world)
    await world.socket.hear("start")
    world.socket.tell(Problem(code="not_the_host", sentence="No.", id="one"))
    assert (await sending).code == "not_the_host"


@connected
async def test_a_command_without_an_answer_ends_a_socket_that_is_alive_otherwise(world):
    await greeted(world)
    sending = asyncio.create_task(world.connection.send(Start(id="one")))
    await world.socket.hear("start")
    for number in range(20):  # seconds in which others come and go
        await asyncio.sleep(1)
        world.socket.tell(Present(chairs=(number,)))
    again = await world.net.next()
    await again.hear("hello")
    again.tell(welcome(0))
    await again.hear("start")
    again.tell(Done(id="one", seq=1))
    await sending


@connected
async def test_a_hint_may_take_longer(world):
    await greeted(world)
    sending = asyncio.create_task(world.connection.send(Hint(id="one")))
    await world.socket.hear("hint")
    await asyncio.sleep(QUIET - 1)
    world.socket.tell(Present(chairs=()))
    await asyncio.sleep(QUIET - 1)
    assert world.socket.open
    world.socket.tell(Problem(code="table_not_running", sentence="No.", id="one"))
    await sending


@connected
async def test_updates_come_once_and_in_order(world):
    await greeted(world, 5)
    for seq in (6, 6, 5, 7, 4, 7):
        world.socket.tell(update(seq))
    await settled()
    assert world.log.seqs == [6, 7]


@connected
async def test_a_gap_is_healed_by_sync(world):
    await greeted(world, 5)
    for seq in (7, 8):
        world.socket.tell(update(seq))
    assert await world.socket.hear("sync") == {"type": "sync", "id": "sync", "since": 5}
    await settled()
    assert world.socket.said.empty()  # asking once is enough
    world.socket.tell(welcome(8, 6, 7, 8, id="sync"))
    world.socket.tell(update(9))
    await settled()
    assert world.log.seqs == [6, 7, 8, 9]


@connected
async def test_an_answer_to_sync_that_is_older_than_what_came_since_changes_nothing(world):
    await greeted(world, 5)
    world.socket.tell(update(7))
    await world.socket.hear("sync")
    world.socket.tell(update(6))
    world.socket.tell(update(7))
    world.socket.tell(welcome(6, 6, id="sync"))
    await settled()
    assert world.log.seqs == [6, 7]
    assert world.log.welcomes == [(5, True)]


@connected
async def test_silence_is_followed_by_a_ping_and_that_by_another_socket(world):
    await greeted(world)
    start = asyncio.get_running_loop().time()
    await world.socket.hear("ping")
    assert asyncio.get_running_loop().time() - start == pytest.approx(QUIET)
    await world.net.next()
    waited = asyncio.get_running_loop().time() - start
    assert QUIET + SHORT_PATIENCE < waited <= QUIET + SHORT_PATIENCE + SHORTEST
    assert world.log.statuses == ["connecting", "open", "lost"]


@connected
async def test_a_pong_keeps_the_socket_and_reveals_what_was_missed(world):
    await greeted(world, 5)
    await world.socket.hear("ping")
    world.socket.tell(Pong(id="ping", seq=5))
    await world.socket.hear("ping")
    world.socket.tell(Pong(id="ping", seq=6))
    await world.socket.hear("sync")
    world.socket.tell(welcome(6, 6, id="sync"))
    await settled()
    assert world.log.seqs == [6]
    assert len(world.net.times) == 1


@connected
async def test_a_hello_without_an_answer_is_said_again_elsewhere(world):
    again = await world.net.next()
    await again.hear("hello")
    assert world.log.statuses == ["connecting"]


@connected
async def test_it_waits_longer_after_every_failure_and_not_at_all_after_a_hint_to_hurry(world):
    await greeted(world)
    world.net.failing = 8
    world.socket.abort()
    await world.net.next()
    gaps = [after - before for before, after in zip(world.net.times[1:], world.net.times[2:], strict=False)]
    for number, gap in enumerate(gaps, 1):
        most = min(LONGEST, SHORTEST * 2**number)
        assert most / 2 <= gap <= most
    assert len(set(gaps)) == len(gaps)


def test_the_pause_is_bounded():
    assert pause(0, 0.0) == SHORTEST / 2
    assert pause(10**6, 1.0) == LONGEST


@connected
async def test_a_server_that_restarts_says_when_to_come_back(world):
    await greeted(world)
    world.socket.tell(Goodbye(retry_after=3.5))
    world.socket.abort()
    await world.net.next()
    assert world.net.times[1] - world.net.times[0] == pytest.approx(3.5)


@connected
async def test_no_server_keeps_us_away_for_long(world):
    await greeted(world)
    world.socket.tell(Goodbye(retry_after=1e9))
    world.socket.abort()
    await world.net.next()
    assert world.net.times[1] - world.net.times[0] <= 60


@connected
async def test_check_tries_again_at_once(world):
    await greeted(world)
    world.net.failing = 5
    world.socket.abort()
    while world.net.failing:
        await asyncio.sleep(0.01)
    before = asyncio.get_running_loop().time()
    await settled()
    world.connection.check()
    await world.net.next()
    assert asyncio.get_running_loop().time() == before


@connected
async def test_a_table_that_does_not_exist_ends_it(world):
    sending = asyncio.create_task(world.connection.send(Start(id="one")))
    await settled()
    world.socket.tell(Problem(code="table_unknown", sentence="There is no table K7RM4TXC."))
    await world.task
    with pytest.raises(TableLeft):
        await sending
    with pytest.raises(TableLeft):
        await world.connection.send(Start(id="two"))
    assert world.log.problems == ["table_unknown"]
    assert world.log.statuses == ["connecting", "ended"]


@connected
async def test_another_refusal_does_not_end_it(world):
    world.socket.tell(Problem(code="too_many_requests", sentence="Wait."))
    world.socket.abort()
    await world.net.next()
    assert world.log.problems == ["too_many_requests"]


@pytest.mark.parametrize("text", ['{"type": "of a newer server"}', "nonsense", '{"type": "update"}', "[" * 5000])
def test_messages_it_does_not_understand_end_it_with_a_sentence(text):
    @connected
    async def said(world):
        world.socket.tell(text)
        await world.task
        assert world.log.problems == ["not_understood"]
        assert world.log.statuses[-1] == "ended"

    said()


@connected
async def test_only_so_many_commands_may_wait(world):
    sending = [asyncio.create_task(world.connection.send(Start(id=str(number)))) for number in range(300)]
    await settled()
    refused = [one for one in sending if one.done()]
    assert len(refused) == 300 - 256
    assert all(isinstance(one.exception(), ClientError) for one in refused)
    for one in sending:
        one.cancel()


@connected
async def test_starting_over_repeats_everything(world):
    world.socket.tell(welcome(2, 1, 2))
    await settled()
    world.connection.start_over()
    again = await world.net.next()
    assert (await again.hear("hello"))["since"] == 0
    again.tell(welcome(3, 1, 2, 3))
    await settled()
    assert world.log.welcomes == [(2, True), (3, True)]
    assert world.log.seqs == [1, 2, 1, 2, 3]
