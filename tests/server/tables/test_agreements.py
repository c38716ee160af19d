"""What everybody present agrees to: a pause, and the end of a game."""

from deadwood.server.protocol.commands import (
    Play,
    Resume,
    Vote,
)
from deadwood.server.tables.absence import countdowns

from .growing_log import ADA, BO, CY, Table


def test_everybody_present_agrees_to_a_pause_and_anybody_ends_it():
    table = Table((ADA, BO, CY))
    table.present = frozenset({ADA, BO})
    assert table.do(ADA, Vote, to="pause") == ["Ada wants to pause."]
    assert table.due() is None
    assert table.refusal(ADA, Resume) == "table_not_paused"
    table.do(BO, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    assert table.due([("stand_in", ADA, 2)], -1.0) is None
    assert table.refusal(ADA, Play, action="end") == "table_paused"
    assert table.refusal(ADA, Vote, to="pause") == "table_paused"
    assert table.refusal(None, Resume) == "token_unknown"
    assert table.do(CY, Resume) == ["Cy ends the pause."]
    table.do(ADA, Play, action="end")


def test_a_pause_needs_those_who_are_left():
    table = Table()
    table.do(ADA, Vote, to="pause")
    table.present = frozenset({ADA})
    assert table.due() == ["The game is paused."]


def test_playing_on_or_disagreeing_withdraws_a_vote():
    table = Table()
    table.do(ADA, Vote, to="end")
    table.do(ADA, Vote, to="pause")
    table.do(ADA, Play, action="end")
    assert not table.sitting.attendance.end | table.sitting.attendance.pause
    table.do(ADA, Vote, to="end")
    assert table.do(BO, Vote, to="end", agrees=False) == ["Bo wants to play on."]
    table.do(BO, Vote, to="end")
    assert table.due() is None


def test_everybody_agrees_to_end_the_game():
    table = Table((ADA, BO, CY))
    for one in (ADA, BO):
        assert table.due() is None
        table.do(one, Vote, to="end")
    table.present = frozenset({ADA, BO})
    assert table.due() is None  # Cy may have lost the connection for only a moment
    assert countdowns(table.sitting, table.present)["gone", CY, 0] == (120, True)
    assert table.due([("gone", CY, 0)]) == ["The game was called off: it is over, and nobody has won."]
    assert table.sitting.status == "finished"
    assert table.replayed().game.record().endswith("result: called off\n")
    assert table.refusal(ADA, Vote, to="end") == "table_not_running"


def test_people_who_agreed_and_left_do_not_end_the_game_by_themselves():
    table = Table()
    table.do(ADA, Vote, to="end")
    table.present = frozenset()
    assert table.due([("gone", ADA, 0), ("gone", BO, 0)]) is None
    table.present = frozenset({BO})
    assert table.due([("gone", ADA, 0)]) is None
    table.do(BO, Vote, to="end")
    assert table.due([("gone", ADA, 0)]) is not None
