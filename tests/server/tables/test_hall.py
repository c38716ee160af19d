"""Opening tables: at once and completely, or not at all; and waking many of them."""

import asyncio
import os
import subprocess
import sys
from types import SimpleNamespace

import msgspec
import pytest

from deadwood.engine.refusal import Refused
from deadwood.server.protocol.codes import new_code
from deadwood.server.protocol.commands import NewBot, NewTable
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.tables.chores import PORTION
from deadwood.server.tables.log import Started

from ..people import together
from .halls import Turns, a_hall, a_table, listener, people


def test_importing_tables_brings_no_server_along():
    code = "import deadwood.server.tables.hall, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "deadwood.server.tables.room" in loaded
    heavy = ("starlette", "uvicorn", "websockets", "sqlalchemy", "aiosqlite", "alembic", "multiprocessing")
    assert not [name for name in loaded if name.split(".")[0] in heavy]


@together
async def test_a_hot_seat_for_eight_is_one_request():
    names = [f"P{number}" for number in range(8)]
    new = a_table(*names, first="P3")
    room = await a_hall().open(new)
    assert room.sitting.status == "running"
    assert room.sitting.seq == 2  # opened, started
    assert [chair.name for chair in room.sitting.chairs] == names
    everybody = listener(room, new, *range(8))
    assert len(everybody.held) == 8
    assert room.sitting.salts == tuple(one.salt for one in new.chairs)


@pytest.mark.parametrize(
    ("new", "key"),
    [
        (NewTable(chairs=people("Ada", "Bo", ready=False), start=True), "not_ready"),
        (NewTable(chairs=people("Ada"), start=True), "player_count"),
        (NewTable(chairs=(NewBot(bot="random"),)), "player_count"),
        (NewTable(chairs=people("Ada", " ada ")), "name_taken"),
    ],
    ids=["nobody is ready", "alone", "one bot alone", "the same name"],
)
@together
async def test_a_table_that_cannot_start_is_not_opened(new, key):
    hall = a_hall()
    with pytest.raises(Refused) as refused:
        await hall.open(new)
    assert refused.value.refusal.key == key
    assert hall.services.store.log == {}


@together
async def test_two_people_cannot_share_a_token():
    one = people("Ada")[0]
    other = msgspec.structs.replace(one, name="Bo")
    with pytest.raises(ServerRefused) as refused:
        await a_hall().open(NewTable(chairs=(one, other)))
    assert refused.value.refusal.key == "token_taken"


@together
async def test_bots_start_even_if_storing_that_seemed_to_fail():
    """The retry finds that the first try has already taken the number."""

    async def append(commit, one):
        return await commit(one) and not isinstance(one.entry.body, Started)

    hall = a_hall(append)
    room = await hall.open(NewTable(chairs=(NewBot(bot="random"), NewBot(bot="random"))))
    assert room.sitting.status == "running"
    assert not room.idle  # a bot is at work
    await hall.services.close()


@together
async def test_many_tables_are_woken_a_few_at_a_time():
    """Somebody has to wake a thousand tables when a process dies, and people go on playing meanwhile."""
    hall, asleep, waking, at_once = a_hall(), {new_code(os.urandom) for _ in range(100)}, set(), []

    async def listing(code):
        waking.add(code)
        at_once.append(len(waking))
        await asyncio.sleep(0)
        waking.remove(code)
        asleep.discard(code)

    hall.services.store.listing = listing
    for code in (*asleep, *asleep):
        hall.wake(code)
    while asleep or waking:
        await asyncio.sleep(0)
    assert max(at_once) == 4
    assert len(at_once) == 100


@together
async def test_when_all_tables_may_go_on_others_have_their_turn_in_between():
    """As after a time in which the server was read-only. Tables that leave memory meanwhile are left alone."""
    hall, turns, gone = a_hall(), Turns(), []

    def room(number):
        def go_on():
            assert number not in gone
            turns.note()
            if number < 10 and hall.rooms.pop(f"T{999 - number}", None):
                gone.append(999 - number)

        return SimpleNamespace(go_on=go_on)

    hall.rooms |= {f"T{number:03}": room(number) for number in range(1000)}
    await hall.wake_all()
    assert turns.total == 990
    assert turns.most == PORTION
