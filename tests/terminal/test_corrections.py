"""Correcting what was typed at a table with real dice (R12.7), in the app and in the plain mode."""

import random
from contextlib import suppress

import pytest

from deadwood import Game, Options, Seat
from deadwood.engine.actions import END_TURN, EndTurn, Move, TakeRole
from deadwood.terminal.console import Console, Stopped
from deadwood.terminal.plain import PlainGame
from deadwood.terminal.screens.dialogs import CardPopup, ChoiceDialog, DiePopup, OutcomeDialog
from deadwood.terminal.screens.table import TableScreen
from deadwood.terminal.session import Session

from ..random_games import play_one, random_policy
from .journeys import drive, notices, pick, press, settle, text_of, until

pytestmark = pytest.mark.rule("R12.7")
ADA_ACTS = ("move saloon = card 2", "take star 1", "end")  # budget 3, two shots
LAST_SHOT = (*ADA_ACTS, "act = 3", "end")


def session_of(home, *lines, bot=None, days=3):
    options = Options(first="Ada", dice="table", days=days)
    game = Game.new(["Ada", "Bo"], options, seats=[Seat("red"), Seat("blue", bot)])
    for line in lines:
        game.play(line)
    game.save(home / "game.deadwood")
    return Session.resume(home / "game.deadwood")


def typed(session, *lines):
    """What is shown while somebody types these lines, until the input ends."""
    waiting, shown = list(lines), []

    def ask(prompt):
        shown.append(prompt)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    with suppress(Stopped):
        PlainGame(Console(ask, shown.append), session).play()
    assert not waiting, shown
    return "\n".join(shown)


def last_line(session):
    return [line for line in session.file.read_text().split("\n") if "=" in line][-1]


def test_a_mistyped_die_is_corrected_at_the_prompt(home):
    session = session_of(home, *ADA_ACTS)
    shown = typed(session, "act", "3", "correct", "2", "correct 4", "log 3")
    assert "For 'act', '3' was entered." in shown
    assert "Ada's roll is corrected: 2, not 3." in shown
    assert shown.count("Ada's roll is corrected: 4, not 2.") == 2, "and the log says it again"
    assert last_line(session) == "Ada: act = 4 (corrected from 3, 2)"


def test_a_corrected_die_may_ask_for_bonus_dice(home):
    session = session_of(home, *LAST_SHOT)
    shown = typed(session, "act", "1", "correct 6", "5 5", "5 3 1")
    assert "The 3 bonus dice: " in shown
    assert "3 bonus dice are rolled, not 2." in shown
    assert last_line(session) == "Ada: act = 6 / 5 3 1 (corrected from 1)"


def test_a_mistyped_card_is_corrected_by_its_title(home):
    session = session_of(home)
    shown = typed(session, "move saloon = 3", "correct", "next rock")
    assert "card 17, not card 3." in shown
    assert last_line(session) == "Ada: move saloon = card 17 (corrected from card 3)"


def test_impossible_corrections_get_a_sentence_and_change_nothing(home):
    session = session_of(home, *ADA_ACTS)
    shown = typed(session, "correct", "act = 3", "correct 3", "correct", "seven", "", "end", "correct")
    assert "Bo has played 'end' since" in shown
    assert "'3' was entered already" in shown
    assert "'seven' is not a roll" in shown
    assert "Nothing was corrected." in shown
    assert "corrected" not in session.file.read_text()


def test_with_fair_dice_there_is_nothing_to_correct(home):
    session = Session.new(["Ada", "Bo"], Options(first="Ada"), seed=7, file=home / "fair.deadwood")
    assert "The program rolls the dice in this game" in typed(session, "correct")


def test_a_bot_waits_until_people_had_a_chance_to_correct(home, monkeypatch):
    session = session_of(home, *LAST_SHOT, bot="extra")
    monkeypatch.setattr(session, "bot_action", lambda: END_TURN)
    shown = typed(session, "act = 2", "correct 1", "correct nonsense", "")
    assert "Enter lets Bo play; 'correct' corrects the last roll: " in shown
    assert "'nonsense' is not a roll" in shown
    assert session.file.read_text().endswith("Ada: act = 1 (corrected from 2)\nBo: end\n")


def test_while_a_bots_card_is_asked_for_the_roll_before_can_be_corrected(home, monkeypatch):
    session = session_of(home, *LAST_SHOT, bot="extra")
    monkeypatch.setattr(session, "bot_action", lambda: END_TURN if session.game.state.moved else Move("hotel"))
    shown = typed(session, "act = 2", "correct 1", "17")
    assert shown.count("Bo plays 'move hotel'.") == 2
    assert "Ada: act = 1 (corrected from 2)\nBo: move hotel = card 17\n" in session.file.read_text()


def until_over(session, rng):
    choose = random_policy(rng)
    game = session.game
    while not game.over:
        before = game.copy()
        play_one(game, choose(game.legal_actions()), rng)
    return before


def ending(home):
    """A session whose last die wraps the last scene but one, and a die that would not have done so."""
    for seed in range(50):
        session = session_of(home, days=1)
        before = until_over(session, random.Random(seed))
        if before.play(session.game.last_step.action, "1") and not before.over:
            session.game.save(session.file)
            session.close()
            return Session.resume(session.file)
        session.close()
    raise AssertionError("no game ends with a die that can fail")


def test_even_the_last_roll_of_a_game_can_be_corrected(home):
    session = ending(home)
    shown = typed(session, "no", "1")
    assert "Is that right?" in shown
    assert not session.game.over
    assert "result" not in session.file.read_text()
    assert last_line(session).partition(" (")[0].endswith("act = 1")


def test_a_last_roll_that_is_right_ends_the_game(home):
    session = ending(home)
    assert "1. " in typed(session, "yes")
    assert session.game.over


# --- the app


def test_the_app_corrects_with_a_key(home):
    session = session_of(home, *ADA_ACTS)

    async def script(pilot):
        await press(pilot, "c")
        assert any("Bo has played 'end' since" in line for line in notices(pilot))
        await press(pilot, "a", *"3", "enter", "c")
        assert isinstance(pilot.app.screen, OutcomeDialog)
        assert "Correct '3'" in str(pilot.app.screen.query_one(".heading").content)
        await press(pilot, *"3", "enter")
        assert "was entered already" in text_of(pilot.app.screen)
        await press(pilot, *"2", "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        await press(pilot, "c", "escape")
        assert isinstance(pilot.app.screen, TableScreen)
        await press(pilot, "e")

    drive(script, session)
    assert session.file.read_text().endswith("Ada: act = 2 (corrected from 3)\nBo: end\n")


def test_the_app_corrects_a_card_from_the_list(home):
    session = session_of(home)

    async def script(pilot):
        await press(pilot, "1", *"3", "enter", "c", *"long ride", "tab", "down", "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        await pick(pilot, TakeRole("extra", 1))

    drive(script, session)
    assert "= card 17 (corrected from card 3)" in session.file.read_text()


def test_a_roll_lies_there_until_people_have_looked_at_it_and_can_be_corrected_there(home):
    session = session_of(home, *ADA_ACTS, bot="extra")

    async def script(pilot):
        pilot.app.screen.pace = 0.01
        await press(pilot, "a", *"3", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiePopup))
        assert "c corrects" in str(pilot.app.screen.query_one(".hint").content)
        await press(pilot, "c")
        assert isinstance(pilot.app.screen, OutcomeDialog)
        await press(pilot, *"1", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiePopup))
        assert session.game.last_step.corrected == ("3",)
        await press(pilot, "space")

    drive(script, session)
    assert "Ada: act = 1 (corrected from 3)" in session.file.read_text()


def test_a_bots_card_lies_there_until_people_have_looked_at_it(home, monkeypatch):
    session = session_of(home, *LAST_SHOT, "act = 1", bot="extra")
    monkeypatch.setattr(session, "bot_action", lambda: END_TURN if session.game.state.moved else Move("hotel"))

    async def script(pilot):
        await until(pilot, lambda: isinstance(pilot.app.screen, OutcomeDialog))
        next(one for one in pilot.app.screen_stack if isinstance(one, TableScreen)).pace = 0.01
        await press(pilot, *"3", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CardPopup))
        assert session.game.state.active == 1, "the bot waits"
        await press(pilot, "c", *"next rock", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CardPopup))
        await press(pilot, "space")
        await until(pilot, lambda: isinstance(session.game.last_step.action, EndTurn))

    drive(script, session)
    assert session.file.read_text().endswith("Bo: move hotel = card 17 (corrected from card 3)\nBo: end\n")


def test_the_app_corrects_the_last_roll_of_a_game(home):
    session = ending(home)

    async def script(pilot):
        assert isinstance(pilot.app.screen, ChoiceDialog)
        await press(pilot, "left", "enter")
        assert isinstance(pilot.app.screen, OutcomeDialog)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ChoiceDialog), "nothing was corrected, so the game is still over"
        await press(pilot, "left", "enter", *"1", "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        assert not session.game.over

    drive(script, session)
