"""Chairs of remote bots: they play as people do, but nobody waits for them as they would for people."""

from deadwood import Game
from deadwood.server.protocol.commands import (
    HandOver,
    Leave,
    Play,
    Resume,
    Sit,
    Vote,
)
from deadwood.server.tables.absence import countdowns

from ..people import token
from .growing_log import ADA, BO, Table


def test_a_remote_bot_plays_for_itself_until_it_is_away():
    table = Table((ADA, BO), remote=[BO], grace=30, stand_in="hopeful")
    table.do(ADA, Play, action="end")
    assert table.sitting.bot_turn is None
    assert table.do(BO, Play, action="end") == ["Bo is done, and it is Ada's turn."]
    table.do(ADA, Play, action="end")
    table.present = frozenset({ADA})
    assert table.due([("stand_in", BO, 5)]) == ["Bo is away, so the bot 'Hopeful' plays until Bo is back."]
    assert table.sitting.bot_turn.bot == "hopeful"


def test_remote_bots_wait_for_each_other_but_never_hurry_a_person():
    waits = Table((ADA, BO), remote=[BO])
    assert countdowns(waits.sitting, frozenset({BO}))["stand_in", ADA, 2] == (120, False)
    among_themselves = Table((ADA, BO), remote=[ADA, BO])
    assert countdowns(among_themselves.sitting, frozenset({BO}))["stand_in", ADA, 2] == (120, True)


def test_people_pause_and_end_a_game_without_asking_remote_bots():
    table = Table((ADA, BO), remote=[BO])
    table.do(ADA, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    table.do(ADA, Resume)
    table.do(ADA, Vote, to="end")
    assert table.due() == ["The game was called off: it is over, and nobody has won."]


def test_a_remote_bot_never_becomes_the_host_while_people_may_come():
    table = Table((ADA, BO), remote=[BO], start=False)
    table.present = frozenset({BO})
    assert table.due([("host", ADA, 0)]) is None
    table.do(ADA, Leave, chair=ADA)
    assert table.sitting.host is None
    table.do(None, Sit, name="Dee", token=token(), bot="walker")
    assert table.sitting.host is None
    table.do(None, Sit, name="Cy", token=token())
    assert table.sitting.name(table.sitting.host) == "Cy"


def test_nobody_takes_over_the_chair_of_a_remote_bot():
    table = Table((ADA, BO), remote=[BO])
    assert table.refusal(BO, HandOver, chair=BO, secret=token()) == "chair_without_person"
    table.present = frozenset({ADA})
    assert table.refusal(ADA, HandOver, chair=BO, secret=token()) == "chair_without_person"


def test_a_remote_bot_that_leaves_is_replaced_and_recorded():
    table = Table((ADA, BO), remote=[BO])
    table.do(BO, Leave, chair=BO)
    table.do(ADA, Play, action="end")
    turn = table.sitting.bot_turn
    assert (turn.bot, turn.stands_in) == ("regular", True)
    record = table.replayed().game.record()
    assert "seats: red person; blue bot walker then bot regular\n" in record
    assert Game.from_record(record).record() == record


def test_the_name_of_a_remote_bot_is_one_word():
    table = Table(start=False)
    assert table.refusal(None, Sit, name="Cy", token=token(), bot="two words") == "bot_name"
    assert table.do(None, Sit, name="Cy", token=token(), bot="walker") == ["Cy, a bot (walker), sits down (green)."]
