"""A game played at this keyboard: saved after every action, with its bots."""

import pytest

from deadwood import Game, IllegalAction, Options, OutcomeNeeded, RecordError, Seat, UndoError
from deadwood.bots import BotUnknown
from deadwood.terminal.saved_games import GameInUse, folder, lock
from deadwood.terminal.session import Session

FIRST = Options(first="Ada")
WITH_A_BOT = (Seat("red"), Seat("blue", "random"))
BOTS = (Seat("red", "random"), Seat("blue", "random"))


def test_every_action_is_kept_at_once():
    session = Session.new(["Ada", "Bo"], FIRST, seed=1)
    assert session.file.parent == folder()
    for text in ("move saloon", "end", "end"):
        session.play(text)
        assert Game.load(session.file).record() == session.game.record()
    session.undo()
    assert len(Game.load(session.file).steps) == 2


def test_a_refused_action_changes_nothing():
    session = Session.new(["Ada", "Bo"], FIRST, seed=1)
    before = session.file.read_bytes()
    with pytest.raises(IllegalAction):
        session.play("move bank")
    assert session.file.read_bytes() == before
    assert session.game.steps == ()


def test_a_game_is_played_by_one_session_at_a_time(home):
    session = Session.new(["Ada", "Bo"], FIRST, file=home / "sub" / "game.deadwood")
    with pytest.raises(GameInUse):
        Session.resume(session.file)
    session.play("end")
    session.close()
    resumed = Session.resume(session.file)
    assert len(resumed.game.steps) == 1
    assert resumed.game.state == session.game.state
    resumed.close()


def test_a_game_that_cannot_continue_is_not_locked(home):
    broken = home / "broken.deadwood"
    broken.write_text("nonsense")
    alien = home / "alien.deadwood"
    Game.new(["Ada", "Bo"], seats=(Seat("red"), Seat("blue", "genius"))).save(alien)
    for file, problem in ((broken, RecordError), (alien, BotUnknown), (home / "none", FileNotFoundError)):
        with pytest.raises(problem):
            Session.resume(file)
        lock(file).release()


def test_bots_play_whole_games_and_the_same_ones_with_the_same_seed(home):
    records = set()
    for name in ("one", "two"):
        session = Session.new(["Ada", "Bo"], Options(days=1), seats=BOTS, seed=4, file=home / name)
        while not session.game.over:
            assert session.bot_is_up
            session.play(session.bot_action())
        assert not session.bot_is_up
        records.add(session.file.read_text())
    assert len(records) == 1


def test_undo_takes_back_what_bots_did_since():
    session = Session.new(["Ada", "Bo"], FIRST, seats=WITH_A_BOT, seed=1)
    session.play("end")
    assert session.bot_is_up
    session.play("end")
    session.undo()
    assert session.game.steps == ()
    assert not session.bot_is_up


def test_undo_stops_where_chance_had_its_say():
    session = Session.new(["Ada", "Bo"], FIRST, seats=WITH_A_BOT, seed=1)
    session.play("end")
    session.play("move saloon")
    session.play("end")
    before = session.game.record()
    with pytest.raises(UndoError):
        session.undo()
    assert session.game.record() == before == session.file.read_text()


def test_a_bot_that_went_first_is_not_taken_back():
    session = Session.new(["Ada", "Bo"], Options(first="Bo"), seats=WITH_A_BOT, seed=1)
    session.play("end")
    with pytest.raises(UndoError):
        session.undo()
    assert len(session.game.steps) == 1


def test_real_dice_are_asked_for_and_nothing_is_kept_before():
    session = Session.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    with pytest.raises(OutcomeNeeded):
        session.play("move saloon")
    assert Game.load(session.file).steps == ()
    session.play("move saloon", "card 2")
    assert len(Game.load(session.file).steps) == 1


def test_playing_again_draws_again_what_was_drawn():
    session = Session.new(["Ada", "Bo"], Options(layout="random", first="Bo"), seats=WITH_A_BOT)
    again = session.again()
    assert again.file != session.file
    assert again.game.seats == session.game.seats
    assert again.game.state.table.drawn == ("layout",)
    assert again.game.state.active == 1
