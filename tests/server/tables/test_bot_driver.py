"""Bots play by themselves."""

import asyncio

from deadwood import Options
from deadwood.server.protocol.commands import NewBot, NewTable

from ..people import together
from .halls import a_hall, listener, people


@together
async def test_bots_play_until_people_are_to_act():
    bots = NewBot(bot="random", name="Rex"), NewBot(bot="random")
    new = NewTable(chairs=(*people("Ada"), *bots), options=Options(first="Rex"), start=True)
    room = await a_hall().open(new)
    ada = listener(room, new, 0)
    while room.sitting.active.id not in ada.held:
        await asyncio.sleep(0)
    last = room.sitting.events[-1]
    assert last.kind == "played"
    assert room.sitting.chair(last.chair).bot == "random"
