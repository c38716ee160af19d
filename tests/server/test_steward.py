"""The steward says what it cannot do, and does the rest."""

import asyncio

import pytest
from msgspec.structs import replace

from deadwood.server.admission import Admission
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.settings import UNLIMITED
from deadwood.server.steward import Steward
from deadwood.server.tables.ports import Orders

from .people import together, until
from .tables.halls import a_hall, a_table

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
