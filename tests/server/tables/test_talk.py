"""Talk at a table in simulated time: who says what to whom, under which name, and what is left of it."""

import json

import pytest

from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import ClearTalk, React, Ready, Say, SetHouse
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.protocol.talk import TALK_LENGTH
from deadwood.server.tables import grapevine
from deadwood.server.tables.catalogue import house_views
from deadwood.server.tables.ports import MOST_TALK
from deadwood.server.tables.talk import cleaned

from ..people import token
from .evening import Evening, simulated

VOICE, OTHER_VOICE = token(), token()


async def a_table(*, names=("Ada", "Bo"), start=True, server=None, **house):
    evening = await Evening(**(server or {})).serve()
    return await evening.open(*names, start=start, **house)


async def say(evening, ear, text="Howdy", id="c", **more):
    return await evening.room.talk(ear, Say(id=id, text=text, **more))


async def refused(work):
    with pytest.raises(Refused) as error:
        await work
    return error.value.refusal.key


def heard(ear):
    return [message["line"] for message in ear.heard if message["type"] == "said"]


async def remembered(evening):
    """What a newcomer reads."""
    ear = await evening.join()
    welcome = evening.room._talk.lines(evening.sitting)
    evening.leave(ear)
    return [line.text for line in welcome]


# --- who says what


@simulated
async def test_everybody_hears_players_and_those_who_watch():
    evening = await a_table()
    ada, bo, watcher = await evening.join("Ada"), await evening.join("Bo"), await evening.join()
    answer = await say(evening, ada, "Howdy, Bo")
    await say(evening, watcher, "Nice hat", name="Zoe", voice=VOICE)
    await evening.room.talk(bo, React(id="r", reaction="cactus"))
    assert heard(ada) == heard(bo) == heard(watcher)
    first, second, third = heard(ada)
    assert first == {"number": answer.number, "name": "Ada", "chair": 1, "text": "Howdy, Bo"}
    assert (second["name"], second["text"], "chair" in second) == ("Zoe", "Nice hat", False)
    assert (third["chair"], third["reaction"]) == (2, "cactus")
    assert evening.services.counters.talk_lines == 3
    assert await evening.log() == ["opened", "started"]


@simulated
async def test_one_screen_may_speak_for_several_chairs_but_for_no_other():
    evening = await a_table(names=("Ada", "Bo", "Cy"))
    both = await evening.join("Ada", "Bo")
    await say(evening, both, id="1")
    await say(evening, both, id="2", chair=2)
    assert [line["name"] for line in heard(both)] == ["Ada", "Bo"]
    assert await refused(say(evening, both, chair=3)) == "not_your_chair"
    assert await refused(say(evening, both, chair=9)) == "chair_unknown"
    assert await refused(say(evening, await evening.join(), chair=1)) == "token_unknown"


@simulated
async def test_nobody_who_watches_can_be_taken_for_somebody_else():
    evening = await a_table()
    watcher, other = await evening.join(), await evening.join()
    assert await refused(say(evening, watcher)) == "talk_needs_name"
    assert await refused(say(evening, watcher, name="Zoe")) == "talk_needs_name"
    assert await refused(say(evening, watcher, name="ADA", voice=VOICE)) == "name_taken"
    assert await refused(say(evening, watcher, name="\u0410da", voice=VOICE)) == "name_looks_like"  # a Cyrillic letter
    await say(evening, watcher, name="Zoe", voice=VOICE)
    assert await refused(say(evening, other, name="Zoe", voice=OTHER_VOICE)) == "name_taken"
    await say(evening, watcher, name="Zoë", voice=VOICE, id="2")
    first, second = heard(watcher)
    assert first["voice"] == second["voice"]
    assert VOICE not in json.dumps(watcher.heard)


# --- what is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  a\n\tb\r\n c\u2028d ", "a b c d"),
        ("a\u202eb\u200bc\x07d\ufeffe\U000e0041", "abcde"),
        ("e\u0301", "é"),
        ("👩\u200d👩\u200d👧 ❤️ ok", "👩\u200d👩\u200d👧 ❤️ ok"),
        ("<b onclick=x>&amp;</b>", "<b onclick=x>&amp;</b>"),
        ("e\u0301" * TALK_LENGTH, "é" * TALK_LENGTH),
    ],
)
def test_a_text_is_one_visible_line(text, said):
    assert cleaned(text) == said


@pytest.mark.parametrize(
    ("text", "key"),
    [("", "talk_empty"), (" \n\u200b\u2066 ", "talk_empty"), ("x" * (TALK_LENGTH + 1), "talk_too_long")],
)
def test_a_text_that_cannot_be_read_is_refused(text, key):
    with pytest.raises(Refused) as error:
        cleaned(text)
    assert error.value.refusal.key == key


# --- once, and for a while


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
async def test_what_was_not_stored_yet_is_stored_at_the_end():
    evening = await a_table()
    await say(evening, await evening.join("Ada"))
    await evening.kill()
    assert evening.store.talk_kept == []
    await evening.services.grapevine.close()
    await evening.serve()
    assert await remembered(evening) == ["Howdy"]


@simulated
async def test_people_talk_on_while_the_database_fails(monkeypatch):
    evening = await a_table()
    ada = await evening.join("Ada")
    works = evening.store.keep_talk

    async def fails(*_):
        raise StoreFailed("it is full")

    evening.store.keep_talk = evening.store.forget_talk = fails
    await say(evening, ada, "one", id="1")
    await grapevine.asyncio.sleep(30)
    await say(evening, ada, "two", id="2")
    with pytest.raises(StoreFailed):
        await evening.room.talk(ada, ClearTalk(id="x"))
    assert await remembered(evening) == ["one", "two"]
    monkeypatch.setattr(grapevine, "MOST_WAITING", 2)
    await say(evening, ada, "three", id="3")
    evening.store.keep_talk = works
    await grapevine.asyncio.sleep(30)
    assert [row.line.text for row in await evening.store.talk(evening.code)] == ["two", "three"]


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
    assert [row.line.text for row in await evening.store.talk(evening.code)] == ["not stored yet"]


# --- on and off


@simulated
async def test_a_table_without_talk():
    evening = await a_table(talk=False)
    ada = await evening.join("Ada")
    assert await refused(say(evening, ada)) == "talk_off"
    assert not evening.room.view(ada).talk
    assert evening.room._talk.lines(evening.sitting) is None


@simulated
async def test_a_server_without_talk():
    evening = await a_table(server={"talk": False})
    ada = await evening.join("Ada")
    assert await refused(say(evening, ada)) == "talk_off_server"
    assert not evening.room.view(ada).talk
    assert [rule.name for rule in house_views("en", talk=False)] == ["grace", "stand_in", "clock", "locked"]
    assert house_views("en", talk=True)[-1].name == "talk"


@simulated
async def test_the_host_switches_it_off_and_on_at_any_time():
    evening = await a_table(start=False)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.do(ada, SetHouse, house={"talk": False})
    assert ada.sentences == ["The host switched talk off."]
    assert all(chair.salt for chair in evening.sitting.chairs)  # nobody has to be ready again
    await evening.do(bo, Ready, chair=2, salt=token())
    await evening.do(ada, SetHouse, house={"talk": True, "locked": True})
    assert ada.sentences[-1] == "The host locked the table: only invited people may sit down."
    evening = await a_table()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    assert await refused(evening.do(bo, SetHouse, house={"talk": False})) == "not_the_host"
    assert await refused(evening.do(ada, SetHouse, house={"locked": True, "talk": False})) == "table_not_waiting"
    await evening.do(ada, SetHouse, house={"talk": False})
    assert not ada.updates[-1]["table"]["talk"]
    await evening.do(ada, SetHouse, house={"talk": True})
    assert ada.sentences == ["The host switched talk off.", "The host switched talk on."]
    await evening.play(bo, "end")
