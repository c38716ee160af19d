"""The steward says what it cannot do, and does the rest. A ban among ten thousand keeps nobody waiting."""

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from deadwood.server import networks
from deadwood.server.admission import Admission
from deadwood.server.networks import Networks
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.settings import UNLIMITED
from deadwood.server.steward import Steward
from deadwood.server.tables.chores import PORTION
from deadwood.server.tables.ports import Orders

from .people import together, until
from .tables.halls import Turns, a_hall, a_table

PEOPLE = 1000
ADDRESS = "192.0.2.1"
PROBLEMS = {
    "orders": "what operators said is unknown: out of order",
    "delete_old": "what is too old cannot be deleted: out of order",
    "tidy": "what was deleted cannot be removed from the database: out of order",
}


class Broken:
    """A store that fails at one task, and counts how often it was asked for each."""

    def __init__(self, task):
        self._task = task
        self.asked = dict.fromkeys(PROBLEMS, 0)

    def _do(self, task, answer):
        self.asked[task] += 1
        if task == self._task:
            raise StoreFailed("out of order")
        return answer

    async def orders(self, _now):
        return self._do("orders", Orders({}, (), False))

    async def delete_old(self, _age, _now, _limit):
        return self._do("delete_old", [])

    async def tidy(self, _now):
        return self._do("tidy", False)


@together
@pytest.mark.parametrize("task", PROBLEMS)
async def test_a_task_that_fails_is_named_and_holds_up_no_other(task, caplog, monkeypatch):
    monkeypatch.setattr("deadwood.server.steward._CLEAN", 0.0)
    hall = a_hall()
    hall.services.settings = replace(hall.services.settings, admin_poll=0.0, keep_finished=1.0)
    store = hall.services.store = Broken(task)
    living = asyncio.create_task(Steward(hall, Admission(UNLIMITED, hall.services.monotonic)).live())
    await until(lambda: min(store.asked.values()) > 1)
    living.cancel()
    assert {record.getMessage() for record in caplog.records} == {PROBLEMS[task]}


@together
async def test_a_ban_does_not_wait_for_a_table_that_cannot_be_read(monkeypatch):
    hall = a_hall()
    room = await hall.open(a_table("Ada", "Bo"))
    admission = Admission(UNLIMITED, hall.services.monotonic)

    async def orders(_now):
        return Orders({"change": room.sitting.code}, (ADDRESS,), False)

    async def fail():
        raise StoreFailed("out of order")

    monkeypatch.setattr(hall.services.store, "orders", orders, raising=False)
    monkeypatch.setattr(room.follower, "look", fail)
    with pytest.raises(StoreFailed):
        await Steward(hall, admission).poll()
    assert ADDRESS in admission.bans


class Visitor:
    """A connection from an address, which asks for it only in order to compare it."""

    def __init__(self, address, turns):
        self.address = address
        self.dismissed = 0
        self._turns = turns

    def dismiss(self, _text):
        self._turns.note()
        self.dismissed += 1


def a_full_hall(addresses, turns=None):
    """A hall with one visitor from each address, each at another table."""
    hall, visitors = a_hall(), [Visitor(address, turns or Turns()) for address in addresses]
    for number, one in enumerate(visitors):
        hall.rooms[f"T{number:03}"] = SimpleNamespace(audience=SimpleNamespace(listeners=lambda one=one: (one,)))
    return hall, visitors


def order(hall, *bans):
    async def orders(_now):
        return Orders(bans=bans)

    hall.services.store.orders = orders
    return Steward(hall, Admission(UNLIMITED, hall.services.monotonic))


@together
async def test_who_is_banned_is_sent_away_and_others_have_their_turn_in_between():
    turns = Turns()
    hall, visitors = a_full_hall([f"203.0.{number // 200}.{number % 200}" for number in range(PEOPLE)], turns)
    await order(hall, "203.0.0.0/22").start()
    assert [one.dismissed for one in visitors] == [1] * 800 + [0] * 200
    assert turns.most == PORTION


@together
async def test_addresses_are_looked_up_once_each_and_others_have_their_turn_in_between(monkeypatch):
    turns, contains = Turns(), Networks.__contains__

    def counted(self, address):
        turns.note()
        return contains(self, address)

    monkeypatch.setattr(Networks, "__contains__", counted)
    hall, _ = a_full_hall([f"203.0.{number // 2 // 200}.{number // 2 % 200}" for number in range(PEOPLE)])
    await order(hall, "198.51.100.7").start()
    assert turns.total == PEOPLE // 2
    assert turns.most == PORTION


@together
async def test_bans_are_parsed_outside_the_loop():
    hall, offloaded = a_hall(), []

    async def offload(work, *args):
        offloaded.append((work, args))
        return work(*args)

    hall.services.offload = offload
    steward = order(hall, "198.51.100.7", "198.51.100.8")
    await steward.start()
    await steward.poll()
    assert offloaded == [(Networks, (("198.51.100.7", "198.51.100.8"),))]


@together
async def test_a_table_that_leaves_memory_meanwhile_is_left_alone():
    hall, visitors = a_full_hall([f"203.0.{number // 200}.{number % 200}" for number in range(PEOPLE)])
    dismiss = visitors[0].dismiss

    def dismiss_and_leave(text):
        dismiss(text)
        del hall.rooms[f"T{PEOPLE - 1:03}"]

    visitors[0].dismiss = dismiss_and_leave
    await order(hall, "203.0.0.0/16").start()
    assert [one.dismissed for one in visitors] == [1] * (PEOPLE - 1) + [0]


def test_networks_that_are_known_are_not_parsed_again(monkeypatch):
    parsed, parse = [], networks.parse_network
    monkeypatch.setattr(networks, "parse_network", lambda text: parsed.append(text) or parse(text))
    Networks(["192.0.2.11", "192.0.2.12"])
    found = Networks(["192.0.2.11", "192.0.2.12", "192.0.2.13"])
    assert parsed == ["192.0.2.11", "192.0.2.12", "192.0.2.13"]
    assert "192.0.2.11" in found
    assert "192.0.2.13" in found
