"""What becomes of a table whose people are away or gone: stand-ins, and leaving for good.

Holds `server.tables.changes`.
"""

import pytest

from deadwood.server.protocol.commands import (
    Leave,
    Play,
    Rematch,
    StandIn,
    Undo,
    Vote,
)
from deadwood.server.protocol.house import HouseRules
from deadwood.server.tables import log
from deadwood.server.tables.absence import countdowns
from deadwood.server.tables.log import Entry
from deadwood.server.tables.sitting import sitting_of

from .growing_log import ADA, BO, CY, TOKENS, Table

# --- stand-ins


def test_the_others_wait_for_an_absent_player_on_whose_turn_it_is():
    table = Table(grace=30)
    assert countdowns(table.sitting, table.present) == {}
    table.present = frozenset({BO})
    assert countdowns(table.sitting, table.present)["stand_in", ADA, 2] == (30, True)
    table.present = frozenset()
    assert countdowns(table.sitting, table.present)["stand_in", ADA, 2] == (30, False)  # nobody is waiting
    table.present = frozenset({ADA})
    assert not any(what == "stand_in" for what, _, _ in countdowns(table.sitting, table.present))


def test_without_a_grace_period_the_others_wait_for_ever():
    table = Table(grace=None)
    table.present = frozenset({BO})
    assert not any(what == "stand_in" for what, _, _ in countdowns(table.sitting, table.present))


@pytest.mark.parametrize(("clock", "waits"), [(300, False), (86_400, True), (259_200, True)])
def test_players_with_days_per_turn_may_be_away(clock, waits):
    table = Table(clock=clock)
    assert any(kind == "stand_in" for kind, *_ in countdowns(table.sitting, frozenset({BO}))) is not waits


def test_a_stand_in_plays_until_its_person_is_back():
    table = Table(grace=30, stand_in="hopeful")
    table.present = frozenset({BO})
    assert table.due([("stand_in", ADA, 2)]) == ["Ada is away, so the bot 'Hopeful' plays until Ada is back."]
    turn = table.sitting.bot_turn
    assert (turn.chair.id, turn.bot, turn.stands_in) == (ADA, "hopeful", True)
    assert table.due([("stand_in", ADA, 2)]) is None
    table.present = frozenset({ADA, BO})
    assert table.due() == ["Ada is back."]
    assert table.sitting.bot_turn is None
    assert table.do(ADA, Play, action="end") == ["Ada is done, and it is Bo's turn."]


def test_a_countdown_of_another_turn_brings_no_stand_in():
    table = Table(grace=30)
    table.do(ADA, Play, action="end")
    table.do(BO, Play, action="end")
    table.present = frozenset({BO})
    assert table.due([("stand_in", ADA, 2)]) is None
    assert ("stand_in", ADA, 4) in countdowns(table.sitting, table.present)


def test_a_stand_ins_actions_stay():
    table = Table()
    table.present = frozenset({BO})
    table.due([("stand_in", ADA, 2)])
    table.take(0, log.Played("end", by="regular"))
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.refusal(ADA, Undo) == "undo_of_stand_in"
    assert table.sitting.events[-2].by == "regular"
    assert table.replayed().game.record() == table.sitting.game.record()


def test_the_host_gives_an_absent_chair_to_the_stand_in():
    table = Table((ADA, BO, CY), grace=None, stand_in="star")
    assert table.refusal(ADA, StandIn, chair=BO) == "player_is_here"
    table.present = frozenset({ADA, CY})
    assert table.refusal(CY, StandIn, chair=BO) == "not_the_host"
    assert table.refusal(ADA, StandIn, chair=99) == "chair_unknown"
    assert table.do(ADA, StandIn, chair=BO) == ["The host lets the bot 'Star' play until Bo is back."]
    assert table.refusal(ADA, StandIn, chair=BO) == "stand_in_plays"
    table.do(ADA, Play, action="end")
    assert table.sitting.bot_turn.bot == "star"


def test_bots_and_tables_that_wait_need_no_stand_in():
    assert Table(bots=["random"]).refusal(ADA, StandIn, chair=10) == "chair_without_person"
    assert Table(start=False).refusal(ADA, StandIn, chair=BO) == "table_not_running"


# --- leaving for good


def test_a_stand_in_finishes_the_game_for_a_player_who_leaves():
    table = Table((ADA, BO, CY), stand_in="hopeful")
    assert table.refusal(CY, Leave, chair=ADA) == "not_your_chair"
    assert table.do(ADA, Leave, chair=ADA) == [
        "Ada left the game for good; the bot 'Hopeful' plays on, and Bo is now the host."
    ]
    assert (table.sitting.host, table.sitting.bot_turn.bot) == (BO, "hopeful")
    assert table.sitting.chair_of(TOKENS[ADA]) is None
    assert table.sitting.left_chair(TOKENS[ADA]) == ADA
    assert table.do(CY, Leave, chair=CY) == ["Cy left the game for good; the bot 'Hopeful' plays on."]
    assert not table.sitting.deserted
    table.do(BO, Leave, chair=BO)
    assert table.sitting.deserted
    assert table.sitting.host is None
    assert "person then bot hopeful" in table.replayed().game.record()


def test_leaving_a_pause_does_not_leave_it_for_ever():
    table = Table()
    table.do(BO, Leave, chair=BO)
    table.do(ADA, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    assert table.sitting.due is None
    table.do(ADA, Leave, chair=ADA)
    assert not table.sitting.attendance.paused
    assert table.sitting.due is not None


def test_real_dice_that_nobody_can_roll_call_the_game_off():
    table = Table(options={"dice": "table"})
    table.do(ADA, Leave, chair=ADA)
    table.present = frozenset()
    assert table.due() is None
    table.do(BO, Leave, chair=BO)
    assert table.sitting.due is not None
    assert table.due() == ["The game was called off: it is over, and nobody has won."]
    assert table.sitting.status == "finished"


def test_a_finished_game_is_not_left_and_its_rematch_is_without_those_who_left():
    table = Table((ADA, BO, CY))
    table.do(BO, Leave, chair=BO)
    for one in (ADA, CY):
        table.do(one, Vote, to="end")
    table.due()
    assert table.refusal(ADA, Leave, chair=ADA) == "table_not_waiting"
    table.do(CY, Rematch)
    assert [chair.name for chair in table.sitting.chairs] == ["Ada", "Cy"]
    assert table.sitting.left_chair(TOKENS[BO]) == BO


# --- the host


def test_a_host_who_stays_away_loses_the_role():
    for start in (True, False):
        table = Table((ADA, BO, CY), start=start, grace=None)
        table.present = frozenset({CY})
        assert countdowns(table.sitting, table.present)["host", ADA, 0] == (120, True)
        assert table.due([("host", ADA, 0)]) == ["Ada has been away for a while, so Cy is now the host."]
        assert table.replayed().host == CY


def test_nobody_takes_a_slow_game_from_those_who_sleep():
    """With days for a turn, people are away for hours and still in the game."""
    table = Table((ADA, BO, CY), clock=86_400)
    table.present = frozenset({CY})
    table.do(CY, Vote, to="end")
    waits = countdowns(table.sitting, table.present)
    assert {waits[one] for one in (("host", ADA, 0), ("gone", ADA, 0), ("gone", BO, 0))} == {(86_400, True)}
    waiting = Table((ADA, BO), start=False, clock=86_400)
    waiting.present = frozenset({BO})
    assert countdowns(waiting.sitting, waiting.present) == {("host", ADA, 0): (120, True)}


def test_nobody_becomes_the_host_of_an_empty_table():
    table = Table(start=False, grace=600)
    table.present = frozenset()
    assert countdowns(table.sitting, table.present) == {("host", ADA, 0): (600, False)}
    assert table.due([("host", ADA, 0)]) is None


# --- old logs


OLD = (
    b'{"type":"opened","game":1,"public":false,"options":{},"seed":"%s","host":1,"next_chair":4,"chairs":'
    b'[{"id":1,"name":"Ada","colour":"red","token":"a","salt":"%s"}]}' % (b"07" * 32, b"01" * 32)
)


def test_logs_from_before_mean_what_they_meant():
    bodies = [
        OLD,
        b'{"type":"sat","chair":{"id":2,"name":"Bo","colour":"blue","token":"b"}}',
        b'{"type":"sat","chair":{"id":3,"name":"Rex","colour":"green","bot":"random"}}',
        b'{"type":"left","seat":2,"kicked":true}',
        b'{"type":"started"}',
        b'{"type":"played","action":"end","outcome":""}',
    ]
    entries = [Entry("CCCCFFFF", seq, 1.0, 1, "", log.decode_body(body.decode())) for seq, body in enumerate(bodies, 1)]
    sitting = sitting_of(entries)
    assert sitting.house == HouseRules(grace=None)
    assert sitting.salts == ("01" * 32,)  # a bot that sat down did not make anybody unready
    assert sitting.attendance.clock is None
    assert countdowns(sitting, frozenset()).keys() == {("gone", 1, 0), ("host", 1, 0)}


def test_entries_are_stored_as_before_where_nothing_is_new():
    assert log.encode_body(log.Played("end")) == b'{"type":"played","action":"end","version":1}'
    assert log.encode_body(log.Left(2)) == b'{"type":"left","seat":2,"version":1}'
