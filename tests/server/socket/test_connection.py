"""A connection sends in order, never waits, and gives up on a client that does not read."""

import asyncio
import random

import pytest

from deadwood.server.socket.connection import MOST_BYTES, MOST_WAITING, Connection, Stalled

from ..people import together


class Deaf:
    """A transport whose client never reads."""

    def __init__(self):
        self.aborted = False
        self.sent = []

    def send_now(self, text):
        return False

    async def send(self, text):
        self.sent.append(text)
        await asyncio.get_running_loop().create_future()

    def abort(self):
        self.aborted = True


@together
async def test_a_full_queue_drops_its_client():
    transport, stalled = Deaf(), Stalled()
    connection = Connection(transport, stalled)
    for number in range(MOST_WAITING + 2):
        connection.send(b"%d" % number)
        await asyncio.sleep(0)
    assert transport.sent == [b"0"]
    assert connection in stalled
    assert connection.dropped
    assert transport.aborted
    connection.send(b"too late")
    await connection.end()
    assert len(stalled) == 0


@together
async def test_a_queue_of_huge_messages_drops_its_client_sooner():
    connection = Connection(Deaf(), Stalled())
    for _ in range(3):
        connection.send(b"x" * MOST_BYTES)
    assert connection.dropped


@together
async def test_an_answer_that_comes_after_the_end_is_not_sent():
    """Nobody would notice that it failed, but the log of the server would be full of it."""
    transport = Deaf()
    connection = Connection(transport, Stalled())
    await connection.end()
    connection.send(b"too late")
    await asyncio.sleep(0)
    assert transport.sent == []


class Moody:
    """A transport that takes some messages at once and lets others wait."""

    def __init__(self, chance, count):
        self._chance = chance
        self._count = count
        self.sent = []
        self.all_sent = asyncio.Event()

    def send_now(self, text):
        willing = self._chance.random() < 0.5
        if willing:
            self._take(text)
        return willing

    async def send(self, text):
        for _ in range(self._chance.choice([0, 1, 5])):
            await asyncio.sleep(0)
        self._take(text)

    def _take(self, text):
        self.sent.append(text)
        if len(self.sent) == self._count:
            self.all_sent.set()


@pytest.mark.parametrize("seed", range(20))
@together
async def test_no_message_overtakes_another(seed):
    chance = random.Random(seed)
    messages = [b"%d" % number for number in range(100)]
    transport = Moody(chance, len(messages))
    connection = Connection(transport, Stalled())
    for message in messages:
        connection.send(message)
        if chance.random() < 0.3:
            await asyncio.sleep(0)
    await transport.all_sent.wait()
    assert transport.sent == messages
    await connection.end()
