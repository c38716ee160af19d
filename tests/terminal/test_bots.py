"""Bots in the app: a quick game against them, what they are like, and which players they are.

Holds `terminal.screens.quick`.
"""

import pytest
from textual.widgets import OptionList

from deadwood import Game, Options
from deadwood.terminal.new_game import NewGame, NewPlayer, quick_game
from deadwood.terminal.screens.quick import QuickScreen
from deadwood.terminal.screens.table import TableScreen
from deadwood.terminal.session import Session
from deadwood.terminal.widgets import PlayersPanel, scene_lines

from .journeys import LARGE, SMALL, drive, press, settle, text_of


def test_a_quick_game_against_bots(home):
    async def script(pilot):
        await press(pilot, "b")
        assert isinstance(pilot.app.screen, QuickScreen)
        offered = pilot.app.screen.query_one("#bots", OptionList)
        shown = [str(offered.get_option_at_index(number).prompt) for number in range(offered.option_count)]
        assert shown[3] == "Regular\n  Knows the odds, and plans roles and ranks to the end of the game."
        await press(pilot, "right", "up")
        assert "Ada against 3 bots of this kind" in text_of(pilot.app.screen)
        await press(pilot, *["left"] * 9)
        assert "Ada against one bot of this kind" in text_of(pilot.app.screen)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        assert [seat.bot for seat in pilot.app.screen.session.game.seats] == [None, "hopeful"]

    drive(script)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_bots_are_marked_among_the_players(home, size):
    session = Session.begin(quick_game("Ada", "random", 2))

    async def script(pilot):
        pilot.app.screen.action_pause()
        await settle(pilot)
        lines = str(pilot.app.screen.query_one(PlayersPanel).content).split("\n")
        marked = [line for line in lines if "°" in line]
        assert len(marked) == 2
        assert not any("Ada" in line for line in marked)
        assert sum("bot: Random" in line for line in lines) == (2 if size == LARGE else 0)

    drive(script, session, size=size)


def test_the_form_explains_the_bots(home):
    async def script(pilot):
        await press(pilot, "n")
        assert "Star: Tries every way to play a turn" in text_of(pilot.app.screen)

    drive(script)


def test_a_long_name_hides_neither_a_bot_nor_who_has_a_role(home):
    session = Session.begin(NewGame(players=(NewPlayer("Ada"), NewPlayer("Wilhelmina Quartermain", "random"))))

    async def script(pilot):
        pilot.app.screen.action_pause()
        await settle(pilot)
        assert "Wilhe…°" in str(pilot.app.screen.query_one(PlayersPanel).content)

    drive(script, session)
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=1)
    game.play("move hotel")
    game.play("take extra 1")
    hotel = game.state.table.area_numbers["hotel"]
    (bellhop,) = (line for line in scene_lines(game.state, game.seats, hotel, False, width=24) if "Bellhop" in line)
    assert bellhop.plain == "+1 Bellhop Under Tru… ▲1"
