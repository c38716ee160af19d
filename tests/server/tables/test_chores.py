"""Whatever a server does again and again by itself survives a bug of ours, says so, and counts it."""

import asyncio
import os
from types import SimpleNamespace

import pytest

from deadwood.server.admission import Admission
from deadwood.server.app import _sweep
from deadwood.server.database_size import DatabaseSize
from deadwood.server.metrics import Counters
from deadwood.server.notices.courier import Courier
from deadwood.server.settings import UNLIMITED
from deadwood.server.socket.connection import Stalled
from deadwood.server.steward import Steward
from deadwood.server.tables.chores import keep_doing, survived
from deadwood.server.tables.heartbeat import Heartbeat
from deadwood.server.tables.shared_peers import SharedPeers

from ..memory import MemoryExchange, MemoryStore
from .evening import simulated
from .halls import a_hall

A_WHILE = 200.0  # simulated seconds, in which every chore has several turns


class Buggy:
    """Something that a chore calls: it fails the first time."""

    def __init__(self):
        self.calls = 0

    def __call__(self, *_args):
        self.calls += 1
        if self.calls == 1:
            raise RuntimeError("a bug of ours")

    async def later(self, *args):
        self(*args)


def heartbeat(hall, buggy, _monkeypatch):
    hall.wake_due = buggy.later
    return Heartbeat(hall.services, hall).live()


def courier(hall, buggy, _monkeypatch):
    return Courier(hall.services, hall, SimpleNamespace(forget=buggy)).live()


def steward(hall, buggy, _monkeypatch):
    hall.services.store.orders = buggy.later
    return Steward(hall, Admission(UNLIMITED, hall.services.monotonic)).live()


def sweeper(hall, buggy, _monkeypatch):
    hall.put_to_sleep = buggy
    return _sweep(hall, Admission(UNLIMITED, hall.services.monotonic), Stalled())


def database_size(hall, buggy, _monkeypatch):
    return DatabaseSize(SimpleNamespace(administer=buggy.later)).live(hall.services.counters)


def peers(hall, buggy, monkeypatch):
    monkeypatch.setattr(MemoryExchange, "living", _known(MemoryExchange.living, buggy))
    return SharedPeers(MemoryExchange(MemoryStore()), os.urandom, hall.services.counters).live(hall.wake)


def _known(living, buggy):
    async def failing(self):
        buggy()
        return await living(self)

    return failing


@simulated
@pytest.mark.parametrize("chore", [heartbeat, courier, steward, sweeper, database_size, peers])
async def test_a_bug_in_one_turn_is_logged_and_counted_and_the_next_turn_comes(chore, caplog, monkeypatch):
    hall, buggy = a_hall(), Buggy()
    doing = asyncio.create_task(chore(hall, buggy, monkeypatch))
    await asyncio.sleep(A_WHILE)
    assert not doing.done()
    assert buggy.calls > 1
    assert "a bug of ours" in caplog.text
    assert "Traceback" in caplog.text
    assert hall.services.counters.errors >= 1


@simulated
async def test_one_part_of_the_cleaning_up_does_not_keep_the_others_from_theirs():
    hall, swept = a_hall(), []
    hall.put_to_sleep = lambda: 1 / 0
    admission = SimpleNamespace(forget=lambda: swept.append(True))
    cleaning = asyncio.create_task(_sweep(hall, admission, Stalled()))
    await asyncio.sleep(2.5)
    assert len(swept) == hall.services.counters.errors == 2
    assert not cleaning.done()


@simulated
async def test_a_chore_pauses_before_each_turn_even_if_it_always_fails():
    counters, times = Counters(), []

    async def turn():
        times.append(asyncio.get_running_loop().time())
        raise RuntimeError

    doing = asyncio.create_task(keep_doing(turn, 3.0, counters, "a turn"))
    await asyncio.sleep(10.0)
    assert times == [3.0, 6.0, 9.0]
    assert counters.errors == 3
    assert not doing.done()


@simulated
async def test_the_end_of_the_server_is_no_bug():
    counters = Counters()

    async def turn():
        with survived(counters, "waiting"):
            await asyncio.sleep(60.0)

    doing = asyncio.create_task(keep_doing(turn, 1.0, counters, "a turn"))
    await asyncio.sleep(5.0)
    doing.cancel()
    await asyncio.wait([doing])
    assert doing.cancelled()
    assert counters.errors == 0
