"""The clock of a turn, and how much of it is left for somebody who comes back."""

from deadwood.server.protocol.commands import (
    HandOver,
    Play,
    Resume,
    StandIn,
    TakeOver,
    Undo,
    Vote,
)
from deadwood.server.tables import log

from ..people import token
from .growing_log import ADA, BO, CY, Table


def test_the_clock_runs_from_the_entry_that_began_the_turn():
    table = Table(clock=60)
    assert table.sitting.attendance.clock == table.sitting.due
    assert (table.sitting.due.since, table.sitting.due.left) == (0.0, 60)
    table.now = 20.0
    table.do(ADA, Play, action="move saloon")
    assert table.sitting.due.since == 0.0
    table.now = 30.0
    table.do(ADA, Play, action="end")
    assert table.sitting.due.since == 30.0
    assert table.replayed().attendance == table.sitting.attendance


def test_a_turn_that_is_taken_back_has_its_old_clock():
    table = Table(clock=60)
    table.now = 50.0
    table.do(ADA, Play, action="end")
    table.now = 55.0
    table.do(ADA, Undo)
    assert table.sitting.due.since == 0.0
    table.do(ADA, Play, action="end")
    table.now = 56.0
    table.do(BO, Play, action="end")
    assert table.sitting.due.since == 56.0
    assert table.replayed().attendance == table.sitting.attendance


def test_when_time_is_up_the_stand_in_plays_this_turn_and_no_more():
    table = Table(clock=60, stand_in="hopeful")
    assert table.due(seconds_left=0.1) is None
    assert table.due(seconds_left=-0.1) == ["Ada's time is up, so the bot 'Hopeful' plays the rest of this turn."]
    assert table.due(seconds_left=-5) is None
    assert table.refusal(ADA, Play, action="end") == "time_is_up"
    table.take(0, log.Played("move saloon", by="hopeful"))
    assert table.sitting.bot_turn.bot == "hopeful"
    table.now = 70.0
    table.take(0, log.Played("end", by="hopeful"))
    assert table.sitting.bot_turn is None
    assert (table.sitting.due.since, table.sitting.due.left) == (70.0, 60)  # the next player has all the time
    table.do(BO, Play, action="end")
    assert table.sitting.bot_turn is None
    table.do(ADA, Play, action="end")
    assert "(by hopeful)" in table.sitting.game.record()


def test_a_pause_stops_the_clock():
    table = Table(clock=60)
    for one in (ADA, BO):
        table.do(one, Vote, to="pause")
    table.now = 45.0
    table.due(seconds_left=15.0)
    assert table.sitting.attendance.clock.left == 15.0
    assert table.sitting.due is None
    table.now = 1000.0
    table.do(BO, Resume)
    assert (table.sitting.due.since, table.sitting.due.left) == (1000.0, 15.0)


def test_bots_have_no_clock_but_the_table_must_be_woken_for_them():
    table = Table((ADA,), bots=["random"], clock=60)
    table.now = 5.0
    table.do(ADA, Play, action="end")
    assert table.sitting.attendance.clock is None
    assert (table.sitting.due.since, table.sitting.due.left) == (5.0, 0.0)


def test_tables_without_a_clock_or_with_real_dice_wake_for_nobody():
    assert Table().sitting.due is None
    table = Table(clock=60, options={"dice": "table"})
    assert table.sitting.attendance.clock is not None
    assert table.sitting.due is None
    assert Table((), bots=["random", "random"], clock=30, options={"first": "Bot0"}).sitting.due is None


def test_a_player_who_returns_has_the_time_that_was_left():
    """Otherwise somebody could keep going away for a moment, and never run out of time."""
    table = Table(clock=60, grace=30)
    before = table.sitting.attendance.clock
    table.now = 40.0
    table.present = frozenset({BO})
    table.due([("stand_in", ADA, 2)], 20.0)
    assert table.sitting.attendance.clock is None
    table.now = 42.0
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.sitting.attendance.clock == before
    assert table.replayed().attendance == table.sitting.attendance


def test_a_chair_that_somebody_takes_over_has_the_time_that_was_left():
    table = Table(clock=60)
    before, secret = table.sitting.attendance.clock, token()
    table.present = frozenset({BO})
    table.now = 40.0
    table.do(ADA, StandIn, chair=ADA)  # the host, without a connection
    table.do(ADA, HandOver, chair=ADA, secret=secret)
    table.do(None, TakeOver, secret=secret, token=token())
    assert table.sitting.attendance.clock == before


def test_a_player_who_returns_in_a_later_turn_has_the_whole_time_for_it():
    table = Table(clock=60)
    table.present = frozenset({BO})
    table.do(ADA, StandIn, chair=ADA)
    table.take(0, log.Played("end", by="regular"))
    table.now = 50.0
    table.do(BO, Play, action="end")
    table.now = 70.0
    table.present = frozenset({ADA, BO})
    table.due()
    assert (table.sitting.attendance.clock.since, table.sitting.attendance.clock.left) == (70.0, 60)


def test_a_pause_takes_no_time_from_a_player_who_returns_after_it():
    table = Table((ADA, BO, CY), clock=60)
    table.present = frozenset({BO})
    table.do(BO, Vote, to="pause")
    table.do(ADA, StandIn, chair=ADA)
    table.due()
    table.now = 5000.0
    table.do(BO, Resume)
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.sitting.attendance.clock.since == 5000.0
