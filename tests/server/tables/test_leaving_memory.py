"""A table that leaves memory frees it at once, without the garbage collector, which looks only at young objects."""

import asyncio
import gc
import weakref

import pytest

from deadwood.engine.notation import format_action
from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import Agree, ClearTalk, Hint, Ping, Play, Say, Sync
from deadwood.server.protocol.messages import Advised
from deadwood.server.protocol.refusals import StoreFailed, refuse
from deadwood.server.tables.log import Deleted, Entry
from deadwood.server.tables.ports import Append

from ..memory import MemoryStore
from ..people import token
from .evening import Evening, Hopeful, SlowThinker, simulated
from .talking import refused, say

ASLEEP = 60.0
LATER = ASLEEP + 20.0  # seconds until an unused table has left memory


@pytest.fixture(autouse=True)
def _nobody_collects():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Adviser(SlowThinker):
    """A bot that gives advice too, or fails to."""

    async def advise(self, state, language, address=""):
        await asyncio.sleep(self.seconds)
        if language == "de":
            raise refuse("took_too_long")
        return "champion", "chance", (Advised("end", 0.0, "why not"),)


class Failing(MemoryStore):
    """A disk that may not say what became of a commit, or not be readable."""

    broken = False

    async def commit(self, changes):
        stored = await super().commit(changes)
        self._demand()
        return stored

    async def entries(self, *asked):
        self._demand()
        return await super().entries(*asked)

    def _demand(self):
        if self.broken:
            raise StoreFailed("the disk says nothing")


async def an_evening(thinker=None, **settings):
    return await Evening(thinker or Adviser(), Failing(), asleep=ASLEEP, **settings).serve()


def the_room(evening):
    return weakref.ref(evening.room)


@simulated
async def test_a_table_that_was_played_at_frees_its_memory():
    evening = await (await an_evening()).open("Bo", "Ada", bots=("regular",), clock=300)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.play(ada)
    await evening.room.queries.answer(bo, Ping(id="p"))
    await say(evening, bo)
    room = the_room(evening)
    evening.leave(ada, bo)
    await asyncio.sleep(LATER)
    assert evening.code not in evening.hall.rooms
    assert room() is None


@pytest.mark.parametrize("language", ["en", "de"])
@simulated
async def test_hints_given_or_not_free_their_memory(language):
    evening = await (await an_evening()).open("Bo", "Ada")
    ada = await evening.join("Ada")
    ada.language = language
    try:
        await evening.room.queries.answer(ada, Hint(id="h"))
    except Refused as error:
        assert error.refusal.key == "took_too_long"
    room = the_room(evening)
    evening.leave(ada)
    await asyncio.sleep(LATER)
    assert room() is None


@simulated
async def test_a_commit_of_unknown_fate_frees_its_memory():
    evening = await (await an_evening()).open("Bo", "Ada")
    ada = await evening.join("Ada")
    evening.store.broken = True
    for _ in range(2):
        with pytest.raises(StoreFailed):
            await evening.play(ada)
    evening.store.broken = False
    await evening.room.queries.answer(ada, Sync(id="s", since=None))
    assert evening.sitting.seq == 3  # it was stored
    room = the_room(evening)
    evening.leave(ada)
    await asyncio.sleep(LATER)
    assert room() is None


@simulated
async def test_games_of_bots_and_their_rematches_free_their_memory():
    evening = await (await an_evening(Hopeful(), rematch_pause=1.0)).open("Bo", "Ada", bots=("regular",), grace=30)
    ada = await evening.join("Ada")
    while evening.sitting.status == "running":  # a stand-in plays for Bo, and for Ada the clock
        if evening.sitting.active.id in ada.held:
            legal = evening.sitting.game.legal_actions()
            await evening.play(ada, _working(legal))
        else:
            await asyncio.sleep(1)
    await evening.do(ada, Agree, chair=evening.chair("Ada"), salt=token())
    await asyncio.sleep(2)
    assert evening.sitting.opened.game == 2
    room = the_room(evening)
    evening.leave(ada)
    await asyncio.sleep(3600)
    assert room() is None


def _working(legal):
    texts = [format_action(one) for one in legal]
    return next((text for text in texts if text.startswith(("act", "take"))), texts[0])


async def delete(evening):
    """Delete the table as an operator does."""
    entry = Entry(evening.code, evening.sitting.seq + 1, 0.0, 0, "", Deleted())
    assert await evening.store.commit([Append(entry)]) == [True]
    del evening.store.tables[evening.code]
    await evening.hall.look_again(evening.code)


@simulated
async def test_a_deleted_table_frees_its_memory_once_nobody_is_there():
    evening = await (await an_evening()).open("Bo", "Ada", clock=60)
    ada = await evening.join("Ada")
    held, room = evening.room, the_room(evening)
    await delete(evening)
    assert ada.heard[-1]["type"] == "goodbye"
    held.leave(ada)
    del held
    assert room() is None
    await asyncio.sleep(LATER)  # no timer of the table rings any more
    assert evening.services.counters.errors == 0


@simulated
async def test_a_table_deleted_while_a_bot_thinks_frees_its_memory_then():
    evening = await (await an_evening(Adviser(10.0))).open("Bo", bots=("regular",), clock=60, options={"first": "Bo"})
    bo = await evening.join("Bo")
    await evening.play(bo)
    evening.leave(bo)
    await asyncio.sleep(1)
    assert evening.thinker.asked
    room = the_room(evening)
    await delete(evening)
    assert room() is not None  # a task still needs it
    await asyncio.sleep(LATER)
    assert room() is None
    assert evening.services.counters.errors == 0


@simulated
async def test_a_log_that_could_not_be_read_for_a_moment_frees_its_memory():
    """Somebody has seen more than we know, so we look, but the database does not answer."""
    evening = await (await an_evening()).open("Bo", "Ada")
    ada = await evening.join("Ada")
    evening.store.broken = True
    with pytest.raises(StoreFailed):
        await evening.do(ada, Play, seq=evening.sitting.seq + 2, action="end")
    evening.store.broken = False
    room = the_room(evening)
    evening.leave(ada)
    await asyncio.sleep(LATER)
    assert room() is None


@simulated
async def test_nobody_talks_at_a_deleted_table():
    """Lines that came in one piece are read after the goodbye."""
    evening = await (await an_evening()).open("Bo", "Ada")
    ada, held = await evening.join("Ada"), evening.room
    await delete(evening)
    for command in (Say(id="s", text="Howdy"), ClearTalk(id="c")):
        assert await refused(held.talk(ada, command)) == "table_unknown"
