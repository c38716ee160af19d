"""What is remembered of talk, in simulated time: once, for a while, and until somebody clears it."""

import pytest

from deadwood.server.protocol.commands import ClearTalk
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.tables import grapevine
from deadwood.server.tables.ports import MOST_TALK

from .evening import simulated
from .talking import VOICE, a_table, heard, refused, remembered, say


@simulated
async def test_a_repeated_command_says_nothing_twice():
    evening = await a_table()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    first = await say(evening, ada, id="same")
    assert await say(evening, ada, id="same") == first
    assert (await say(evening, bo, id="same")).number > first.number
    assert len(heard(ada)) == 2


@simulated
async def test_the_last_lines_outlast_the_server_and_sleep():
    evening = await a_table()
    ada = await evening.join("Ada")
    for number in range(MOST_TALK + 5):
        last = await say(evening, ada, str(number), id=str(number))
    await grapevine.asyncio.sleep(2 * grapevine.PAUSE)
    texts = [str(number) for number in range(5, MOST_TALK + 5)]
    assert await remembered(evening) == texts
    evening.leave(ada)
    await grapevine.asyncio.sleep(200)
    assert evening.code not in evening.hall.rooms
    assert await remembered(evening) == texts
    await evening.kill()
    await evening.serve()
    assert await remembered(evening) == texts
    again = await evening.join("Ada")
    assert await say(evening, again, str(MOST_TALK + 4), id=str(MOST_TALK + 4)) == last
    assert heard(again) == []


@simulated
async def test_those_who_watch_cannot_drown_what_players_said():
    evening = await a_table()
    ada, watcher = await evening.join("Ada"), await evening.join()
    first = await say(evening, ada, 'Howdy, "voice":"Bo"', id="1")
    for number in range(MOST_TALK + 5):
        await say(evening, watcher, "Buy hats", id=str(number), name="Zoe", voice=VOICE)
    texts = ['Howdy, "voice":"Bo"', *["Buy hats"] * MOST_TALK]
    assert await remembered(evening) == texts
    assert await say(evening, ada, "Howdy again", id="1") == first
    await grapevine.asyncio.sleep(2 * grapevine.PAUSE)
    await evening.kill()
    await evening.serve()
    assert await remembered(evening) == texts


@simulated
async def test_closing_stores_the_remaining_talk():
    evening = await a_table()
    await say(evening, await evening.join("Ada"))
    await evening.kill()
    assert evening.store.talk.rows == []
    await evening.services.grapevine.close()
    await evening.serve()
    assert await remembered(evening) == ["Howdy"]


@simulated
async def test_people_talk_on_while_the_database_fails(monkeypatch):
    evening = await a_table()
    ada = await evening.join("Ada")
    works = evening.store.talk.keep

    async def fails(*_):
        raise StoreFailed("it is full")

    evening.store.talk.keep = evening.store.talk.forget = fails
    await say(evening, ada, "one", id="1")
    await grapevine.asyncio.sleep(30)
    await say(evening, ada, "two", id="2")
    with pytest.raises(StoreFailed):
        await evening.room.talk(ada, ClearTalk(id="x"))
    assert await remembered(evening) == ["one", "two"]
    monkeypatch.setattr(grapevine, "MOST_WAITING", 2)
    await say(evening, ada, "three", id="3")
    evening.store.talk.keep = works
    await grapevine.asyncio.sleep(30)
    assert [row.line.text for row in await evening.store.talk.lines(evening.code)] == ["two", "three"]


@simulated
async def test_the_host_clears_it_for_everybody_and_for_good():
    evening = await a_table()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await say(evening, bo, "old", id="1")
    await grapevine.asyncio.sleep(2 * grapevine.PAUSE)
    last = await say(evening, bo, "not stored yet", id="2")
    assert await refused(evening.room.talk(bo, ClearTalk(id="x"))) == "not_the_host"
    await evening.room.talk(ada, ClearTalk(id="x"))
    assert bo.heard[-1] == {"type": "talk_cleared", "number": last.number}
    assert await say(evening, bo, "not stored yet", id="2") == last  # a late repetition
    await say(evening, bo, "new", id="3")
    await grapevine.asyncio.sleep(2 * grapevine.PAUSE)
    await evening.kill()
    await evening.serve()
    assert await remembered(evening) == ["new"]


@simulated
async def test_forgetting_somebody_loses_nothing_that_others_have_just_said():
    evening = await a_table()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await say(evening, ada, "forgotten", id="1")
    await say(evening, bo, "not stored yet", id="2")
    await evening.services.grapevine.forget(evening.code, {"Ada"})
    assert await remembered(evening) == ["not stored yet"]
    await grapevine.asyncio.sleep(2 * grapevine.PAUSE)
    assert [row.line.text for row in await evening.store.talk.lines(evening.code)] == ["not stored yet"]
