"""A table without a server: a log that grows by commands and by what is due, for tests of pure decisions."""

import pytest
from msgspec.structs import replace

from deadwood import Options
from deadwood.engine.refusal import Refused
from deadwood.narration import languages, narrate
from deadwood.server.protocol.commands import (
    Play,
    Undo,
)
from deadwood.server.protocol.house import HouseRules
from deadwood.server.tables import log
from deadwood.server.tables.absence import timely
from deadwood.server.tables.deciding import Moment
from deadwood.server.tables.decisions import decide
from deadwood.server.tables.log import Chair, Entry, Opened
from deadwood.server.tables.sitting import Sitting, sitting_of
from deadwood.server.tables.table_state import hash_secret

from ..people import token

ADA, BO, CY = 1, 2, 3
TOKENS = {chair: token() for chair in (ADA, BO, CY)}
NAMES = {ADA: "Ada", BO: "Bo", CY: "Cy"}


class Table:
    """A log that grows by commands, and by what is due."""

    def __init__(self, people=(ADA, BO), *, bots=(), remote=(), start=True, public=False, options=None, **house):
        chairs = [Chair(one, NAMES[one], "", token=hash_secret(TOKENS[one]), salt=f"{one:064x}") for one in people]
        chairs = [replace(chair, bot="walker") if chair.id in remote else chair for chair in chairs]
        chairs += [Chair(10 + number, f"Bot{number}", "", bot=bot) for number, bot in enumerate(bots)]
        colours = ("red", "blue", "green", "yellow")
        opened = Opened(
            game=1,
            public=public,
            options=Options(**{"first": "Ada", "days": 1, **(options or {})}),
            seed="07" * 32,
            host=ADA,
            chairs=tuple(replace(chair, colour=colour) for chair, colour in zip(chairs, colours, strict=False)),
            next_chair=20,
            house=HouseRules(**house),
        )
        self.entries = [Entry("CCCCFFFF", 1, 0.0, 0, "", opened)]
        self.sitting = Sitting(self.entries[0])
        self.now = 0.0
        self.present = frozenset(people)
        self.pending = None
        self.crowded = False
        if start:
            self.take(0, log.Started())

    def take(self, by, body, game=None):
        entry = Entry("CCCCFFFF", self.sitting.seq + 1, self.now, by, "", body)
        self.entries.append(entry)
        self.sitting = self.sitting.after(entry, game)
        return self.sitting.events[-1]

    def do(self, who, command, **fields):
        """Perform somebody's command; returns the sentences that everybody hears."""
        held = frozenset() if who is None else frozenset({who})
        if command in (Play, Undo):
            fields["seq"] = self.sitting.seq + 1
        moment = Moment(self.now, self.present, self.pending, self.crowded)
        decision = decide(self.sitting, held, command(id="c", **fields), bytes, moment)
        event = self.take(decision.by, decision.body, decision.game)
        return [narrate(one) for one in event.events]

    def refusal(self, who, command, **fields):
        before = len(self.entries)
        with pytest.raises(Refused) as refused:
            self.do(who, command, **fields)
        assert len(self.entries) == before
        assert all(narrate(refused.value, language) for language in languages())
        return refused.value.refusal.key

    def due(self, over=(), seconds_left=None):
        """Make the entry that is due now, if any; returns its sentences."""
        decision = timely(self.sitting, self.present, over, seconds_left)
        if decision is None:
            return None
        event = self.take(decision.by, decision.body, decision.game)
        return [narrate(one) for one in event.events]

    def replayed(self):
        return sitting_of(self.entries)
