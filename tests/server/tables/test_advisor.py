"""Hints: computed once for a position, in the name of who asked first."""

import asyncio

from deadwood.server.protocol.commands import Hint
from deadwood.server.protocol.messages import Advised

from .evening import Evening, simulated


class Adviser:
    """A bot that notes for whom it advises."""

    def __init__(self):
        self.asked = []

    async def advise(self, state, language, address=""):
        self.asked.append((language, address))
        await asyncio.sleep(1)
        return "champion", "chance", (Advised("end", 0.0, "why not"),)


@simulated
async def test_a_hint_counts_for_the_address_that_asked_first():
    evening = await (await Evening(Adviser()).serve()).open("Bo", "Ada")
    ears = [await evening.join(name, address=f"192.0.2.{number}") for number, name in enumerate(("Ada", "Bo"))]
    hints = await asyncio.gather(*(evening.room.queries.answer(ear, Hint(id="h")) for ear in ears))
    assert [hint.bot for hint in hints] == ["champion", "champion"]
    assert evening.thinker.asked == [("en", "192.0.2.0")]
