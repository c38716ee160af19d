"""Talk at a table in simulated time: who says what to whom, and under which name.

Holds `server.protocol.talk`.
"""

import json

import pytest

from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import React, Ready, SetHouse
from deadwood.server.protocol.talk import TALK_LENGTH
from deadwood.server.tables.catalogue import house_views
from deadwood.server.tables.talk import cleaned

from ..people import token
from .evening import simulated
from .talking import OTHER_VOICE, VOICE, a_table, heard, refused, say

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


# --- on and off


@simulated
async def test_a_table_without_talk():
    evening = await a_table(talk=False)
    ada = await evening.join("Ada")
    assert await refused(say(evening, ada)) == "talk_off"
    assert not evening.room.queries.table(ada).talk
    assert evening.room._talk.lines(evening.sitting) is None


@simulated
async def test_a_server_without_talk():
    evening = await a_table(server={"talk": False})
    ada = await evening.join("Ada")
    assert await refused(say(evening, ada)) == "talk_off_server"
    assert not evening.room.queries.table(ada).talk
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
