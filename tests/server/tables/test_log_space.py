"""No log grows without bounds, and no limit keeps people from playing."""

import pytest

from deadwood import Options
from deadwood.narration import narrate
from deadwood.server.protocol.commands import (
    AddBot,
    Agree,
    Choose,
    HandOver,
    Leave,
    Play,
    Ready,
    Rematch,
    SetHouse,
    Sit,
    Start,
    TakeOver,
    Undo,
    Vote,
)
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.tables import log_space
from deadwood.server.tables.absence import timely
from deadwood.server.tables.deciding import Decision, Moment
from deadwood.server.tables.decisions import decide
from deadwood.server.tables.log import CalledOff, Chair, Entry, HostPassed, Opened
from deadwood.server.tables.sitting import Sitting
from deadwood.server.tables.table_state import hash_secret

from ..people import token

ADA, BO = 1, 2
HERE = frozenset({ADA, BO})


class Table:
    """A log that grows by commands."""

    def __init__(self):
        chairs = tuple(
            Chair(id, name, colour, token=hash_secret(token()))
            for id, name, colour in ((ADA, "Ada", "red"), (BO, "Bo", "blue"))
        )
        options = Options(first="Ada", days=1)
        opened = Opened(game=1, public=False, options=options, seed="07" * 32, host=ADA, chairs=chairs, next_chair=3)
        self.sitting = Sitting(Entry("CCCCFFFF", 1, 0.0, 0, "", opened))

    def do(self, held, command, **fields):
        """Perform a command of a caller who holds one chair or several."""
        held = frozenset({held} if isinstance(held, int) else held)
        decision = decide(self.sitting, held, command(id="a", **fields), bytes, Moment(present=HERE))
        self.take(decision)
        return decision

    def take(self, decision):
        entry = Entry(self.sitting.code, self.sitting.seq + 1, 0.0, decision.by, "", decision.body)
        self.sitting = self.sitting.after(entry, decision.game)

    def play(self, held, action):
        return self.do(held, Play, seq=self.sitting.seq + 1, action=action)

    def refused(self, held, command, **fields):
        with pytest.raises(ServerRefused) as refusal:
            self.do(held, command, **fields)
        return refusal.value.refusal.key

    def start(self):
        for chair in (ADA, BO):
            self.do(chair, Ready, chair=chair, salt=token())
        self.do(ADA, Start)


@pytest.fixture
def table():
    return Table()


@pytest.fixture(autouse=True)
def low_limits(monkeypatch):
    for name, most in (("BEFORE", 6), ("BESIDE", 4), ("IN_A_SITTING", 30), ("AT_A_TABLE", 12)):
        monkeypatch.setattr(log_space, f"MOST_{name}", most)


def test_a_lobby_that_was_changed_too_often_can_only_start(table):
    for _ in range(3):
        table.do(BO, Ready, chair=BO, salt=token())
        table.do(BO, Ready, chair=BO, salt=None)
    for command, fields in (
        (Choose, {"options": {"days": 2}}),
        (SetHouse, {"house": {"talk": False}}),
        (AddBot, {"bot": "random"}),
        (Sit, {"name": "Cy", "token": token()}),
        (HandOver, {"chair": ADA, "secret": token()}),
        (Ready, {"chair": BO, "salt": None}),
    ):
        assert table.refused(ADA if command is not Ready else BO, command, **fields) == "changed_too_often"
    table.do(BO, Ready, chair=BO, salt=token())
    assert table.refused(BO, Ready, chair=BO, salt=token()) == "changed_too_often"  # otherwise it could go on for ever
    table.do(ADA, Ready, chair=ADA, salt=token())
    table.do(ADA, Start)
    assert table.sitting.status == "running"


def test_people_may_always_leave_a_lobby(table):
    for number in range(6):
        table.do(BO, Ready, chair=BO, salt=token() if number % 2 else None)
    table.do(BO, Leave, chair=BO)
    assert [chair.id for chair in table.sitting.chairs] == [ADA]


def test_somebody_who_votes_all_day_can_only_play_in_the_end(table):
    table.start()
    for number in range(4):
        table.do(BO, Vote, to="end", agrees=bool(number % 2))
    assert table.refused(BO, Vote, to="pause", agrees=True) == "only_playing_left"
    table.do(ADA, Vote, to="pause", agrees=True)  # nobody else has used up anything
    table.play(ADA, "end")
    table.play(BO, "end")


def test_undoing_is_limited_and_playing_is_not(table):
    table.start()
    for _ in range(4):
        table.play(ADA, "end")
        table.do(ADA, Undo, seq=table.sitting.seq + 1)
    table.play(ADA, "end")
    assert table.refused(ADA, Undo, seq=table.sitting.seq + 1) == "only_playing_left"
    table.play(BO, "end")


def test_a_seat_that_was_handed_over_can_be_taken_at_the_limit(table):
    table.start()
    for _ in range(4):
        secret = token()
        table.do(BO, HandOver, chair=BO, secret=secret)
    assert table.refused(BO, HandOver, chair=BO, secret=token()) == "only_playing_left"
    table.do((), TakeOver, secret=secret, token=token())
    table.do(BO, Leave, chair=BO)
    assert table.sitting.chair(BO).stand_in


def test_a_player_who_changed_their_mind_too_often_may_still_ask_for_a_rematch(table):
    table.start()
    table.do(ADA, Leave, chair=ADA)
    table.take(ended(table))
    for number in range(4):
        table.do(BO, Agree, chair=BO, salt=None if number % 2 else token())
    table.do(BO, Agree, chair=BO, salt=token())
    assert table.refused(BO, Agree, chair=BO, salt=None) == "only_playing_left"


def ended(table):
    game = table.sitting.game.copy()
    game.call_off()
    return Decision(0, CalledOff(), game)


def test_a_game_that_nobody_means_to_end_is_called_off(table):
    table.start()
    while timely(table.sitting, HERE, (), None) is None:
        table.play(table.sitting.active.id, "end")
    assert table.sitting.seq - table.sitting.first_seq == 30
    table.take(timely(table.sitting, HERE, (), None))
    assert table.sitting.game.called_off


def test_hosts_do_not_pass_their_role_on_for_ever(table):
    while decision := timely(table.sitting, {3 - table.sitting.host}, [("host", table.sitting.host, 0)], None):
        assert isinstance(decision.body, HostPassed)
        table.take(decision)
    assert table.sitting.seq - table.sitting.first_seq == 12


def test_a_table_takes_no_game_after_very_many(table):
    table.start()
    while table.sitting.seq < 12:
        table.play(table.sitting.active.id, "end")
    table.take(ended(table))
    assert table.refused(BO, Agree, chair=BO, salt=token()) == "table_worn_out"
    assert table.refused(BO, Rematch) == "table_worn_out"
    with pytest.raises(ServerRefused) as refusal:
        table.do(BO, Rematch)
    assert narrate(refusal.value).startswith("So much has been played at this table")
