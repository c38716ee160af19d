"""A table where people talk."""

import pytest

from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import Say

from ..people import token
from .evening import Evening

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
