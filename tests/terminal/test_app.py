"""Whole journeys through the app, by keyboard and by mouse.

Holds `terminal.choices`, `terminal.key_line`, `terminal.new_game`, `terminal.screens.base`,
`terminal.screens.dialogs`, `terminal.screens.menu`, `terminal.screens.new_game`, `terminal.screens.playing`,
`terminal.screens.replay`, `terminal.screens.rules`, `terminal.screens.table` and `terminal.widgets`.
"""

import os
import random
import re

import pytest
from textual.widgets import Button, Input, OptionList, RichLog, Select

from deadwood import Game, Options, Seat, bots, verify
from deadwood.engine.actions import ACT, END_TURN, REHEARSE, Move, TakeRole, Upgrade
from deadwood.engine.board import parse_board
from deadwood.engine.deck import parse_deck
from deadwood.terminal import saved_games
from deadwood.terminal.key_line import KeyLine
from deadwood.terminal.new_game import NewGame, new_bot
from deadwood.terminal.screens.dialogs import (
    ChoiceDialog,
    DayPopup,
    HelpScreen,
    OutcomeDialog,
    ScenePopup,
    WrapPopup,
)
from deadwood.terminal.screens.menu import MenuScreen
from deadwood.terminal.screens.new_game import NewGameScreen
from deadwood.terminal.screens.replay import ReplayScreen
from deadwood.terminal.screens.rules import RulesScreen
from deadwood.terminal.screens.saved import SavedScreen
from deadwood.terminal.screens.table import TableScreen
from deadwood.terminal.session import Session
from deadwood.terminal.widgets import ActionList, MapView

from .. import own_files
from .journeys import (
    GOLDEN,
    LARGE,
    SMALL,
    actions_in,
    click_action,
    drive,
    golden_session,
    new_session,
    notices,
    pick,
    press,
    reached,
    settle,
    text_of,
    until,
)


@pytest.mark.rule("R13.1")
def test_from_the_menu_through_the_set_up_into_a_game(home):
    async def script(pilot):
        assert isinstance(pilot.app.screen, MenuScreen)
        menu = pilot.app.screen.query_one("#menu", OptionList)
        assert [option.id for option in menu.options] == ["quick", "new", "join", "host", "saved", "rules", "quit"]
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, NewGameScreen)
        pilot.app.screen.query_one("#count", Select).value = 3
        pilot.app.screen.query_one("#name-2", Input).value = "Zoë"
        pilot.app.screen.query_one("#kind-1", Select).value = "random"
        pilot.app.screen.query_one("#first", Select).value = "Ada"
        await settle(pilot)
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, ChoiceDialog)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        game = pilot.app.screen.session.game
        assert game.state.table.names == ("Ada", "Bo", "Zoë")
        assert [seat.bot for seat in game.seats] == [None, "random", None]

    drive(script)
    assert len(saved_games.saved_games()) == 1


def test_a_bad_set_up_is_explained_as_it_is_typed(home):
    async def script(pilot):
        await press(pilot, "n")
        screen = pilot.app.screen

        async def problem_after(name, value, kind=Input):
            screen.query_one(name, kind).value = value
            await settle(pilot)
            assert screen.query_one("#start", Button).disabled == bool(str(screen.query_one("#problem").content))
            return str(screen.query_one("#problem").content)

        assert "is taken" in await problem_after("#name-1", "ada")
        assert "must not be empty" in await problem_after("#name-1", " ")
        assert "records use that word" in await problem_after("#name-1", "Result")
        assert "not allowed in names" in await problem_after("#name-1", "A;B")
        assert "at most 40" in await problem_after("#name-1", "x" * 41)
        assert await problem_after("#name-1", "Bo") == ""
        assert "all colours must be different" in await problem_after("#colour-1", "red", Select)
        assert await problem_after("#colour-1", "blue", Select) == ""
        await problem_after("#layout", "own", Select)
        assert "lacks the section" in await problem_after("#own-layout", "GM")
        assert await problem_after("#own-layout", "G'M/CH") == ""
        assert "Type the name of your deck's file." in await problem_after("#deck", "own", Select)
        assert "nowhere.toml: there is no such file" in await problem_after("#own-deck", "nowhere.toml")
        for typed in ("~nobody-has-this-name/deck.toml", "x" * 5000, "a\0b", "~a\0b", str(home)):
            assert "there is no such file" in await problem_after("#own-deck", typed)
        (home / "deck.toml").write_text(own_files.DECK.replace("budget = 4", "budget = 9", 1), "utf-8")
        assert "must be at most 6, not 9 (line " in await problem_after("#own-deck", str(home / "deck.toml"))
        assert await problem_after("#deck", "classic", Select) == ""
        offered = [value for _, value in screen.query_one("#count", Select)._options]
        assert offered == [2, 3, 4, 5, 6, 7, 8], "1 or 9 players cannot even be chosen"
        await problem_after("#name-1", "ada")
        await press(pilot, "ctrl+s")
        assert pilot.app.screen is screen
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, MenuScreen)

    drive(script)


def test_a_deck_file_is_chosen_in_the_form(home):
    (home / "deck.toml").write_text(own_files.DECK, "utf-8")

    async def script(pilot):
        await press(pilot, "n")
        screen = pilot.app.screen
        screen.query_one("#deck", Select).value = "own"
        screen.query_one("#own-deck", Input).value = str(home / "deck.toml")
        await settle(pilot)
        await press(pilot, "ctrl+s")
        assert f"Deck: {own_files.DECK_NAME};" in text_of(pilot.app.screen)
        await press(pilot, "enter")
        assert pilot.app.screen.session.game.state.table.deck.name == own_files.DECK_NAME

    drive(script)
    (home / "deck.toml").unlink()
    assert Game.load(saved_games.latest_unfinished()).state.table.deck.name == own_files.DECK_NAME


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_only_a_regular_file_is_read_as_a_deck(home):
    os.mkfifo(home / "pipe")  # opening it would wait for a writer

    async def script(pilot):
        await press(pilot, "n")
        screen = pilot.app.screen
        screen.query_one("#deck", Select).value = "own"
        for typed in (home / "pipe", "/dev/zero"):
            screen.query_one("#own-deck", Input).value = str(typed)
            await settle(pilot)
            assert f"{typed}: there is no such file" in str(screen.query_one("#problem").content)

    drive(script)


def test_a_deck_file_in_the_home_folder_is_found(home, monkeypatch):
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    (home / "deck.toml").write_text(own_files.DECK, "utf-8")

    async def script(pilot):
        await press(pilot, "n")
        screen = pilot.app.screen
        screen.query_one("#deck", Select).value = "own"
        screen.query_one("#own-deck", Input).value = "~/deck.toml"
        await settle(pilot)
        assert str(screen.query_one("#problem").content) == ""

    drive(script)


class Walker:
    """A user's own bot."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def decide(self, state, actions):
        return self.chance.choice(actions)


def test_a_game_with_a_custom_bot_deck_and_board_is_played_to_the_end_and_again(home):
    name = f"{__name__}:Walker"
    bots.allow(name)
    players = (new_bot(name, []), new_bot("extra", ["Walker Wyatt"]))
    chosen = NewGame(
        players=players,
        options=Options(days=1, layout="long"),
        deck=parse_deck(own_files.DECK),
        board=parse_board(own_files.BOARD),
        seed=3,
    )
    session = Session.begin(chosen)
    while sum(session.game.state.shots) > 3:  # the app, which draws and saves after every action, plays only the end
        session.game.play(session.bot_action())
    before = len(session.game.steps)

    async def script(pilot):
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        await press(pilot, "tab", "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)
        picture = pilot.app.screen.query_one(MapView)._picture
        assert "Opera House" in "\n".join(map(str, picture.lines))

    drive(script, session, size=LARGE)
    assert len(session.game.steps) > before + 3
    record = session.file.read_text("utf-8")
    assert {check.verdict for check in verify(record)} == {"passed"}
    again = Session.resume(session.file).again()
    assert again.game.state.table.deck.name == own_files.DECK_NAME
    assert again.game.state.table.board.name == own_files.BOARD_NAME
    again.close()


def test_every_kind_of_action_by_keyboard(home):
    session = new_session(home)

    async def script(pilot):
        await pick(pilot, Move("saloon"))
        await pick(pilot, TakeRole("extra", 1))
        await press(pilot, "e")
        await press(pilot, "r")
        await press(pilot, "e")
        await press(pilot, "a")
        assert [step.action for step in session.game.steps] == [
            Move("saloon"),
            TakeRole("extra", 1),
            END_TURN,
            REHEARSE,
            END_TURN,
            ACT,
        ]
        log = pilot.app.screen.query_one("#log", RichLog)
        assert any("rolls" in line.text for line in log.lines)

    drive(script, session)


def test_moving_with_the_arrow_keys(home):
    session = new_session(home)

    async def script(pilot):
        pilot.app.screen.query_one(MapView).focus()
        await press(pilot, "left")
        chosen = pilot.app.screen.query_one(MapView).chosen
        assert session.game.state.table.areas[chosen].id == "saloon"
        await press(pilot, "enter")
        assert session.game.steps[-1].action == Move("saloon")

    drive(script, session)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_kind_of_action_by_mouse(home, size):
    session = new_session(home)

    async def script(pilot):
        table = session.game.state.table
        column, row = pilot.app.screen.query_one(MapView)._picture.centres[table.area_numbers["hotel"]]
        await pilot.click(MapView, offset=(column, row))
        await settle(pilot)
        assert session.game.steps[-1].action == Move("hotel")
        for action in (TakeRole("extra", 1), END_TURN, REHEARSE, END_TURN, ACT):
            await click_action(pilot, action)
            assert session.game.steps[-1].action == action

    drive(script, session, size=size)


def test_keys_in_the_last_line_can_be_clicked(home):
    async def script(pilot):
        keys = pilot.app.screen.query_one(KeyLine).content.plain
        await pilot.click(KeyLine, offset=(len(keys) + 1, 0))
        assert isinstance(pilot.app.screen, TableScreen)
        await pilot.click(KeyLine, offset=(keys.index("Keys"), 0))
        assert isinstance(pilot.app.screen, HelpScreen)

    drive(script, new_session(home))


def upgrade_position(home):
    (path,) = GOLDEN.glob("01-*")
    steps = Game.load(path).steps
    return golden_session(home, "01", next(n for n, step in enumerate(steps) if isinstance(step.action, Upgrade)))


@pytest.mark.parametrize("do", [pick, click_action])
def test_upgrading(home, do):
    session = upgrade_position(home)

    async def script(pilot):
        upgrade = next(action for action in actions_in(pilot) if isinstance(action, Upgrade))
        labels = [str(option.prompt) for option in pilot.app.screen.query_one(ActionList).options]
        assert any("of your" in label for label in labels)
        await do(pilot, upgrade)
        assert session.game.steps[-1].action == upgrade

    drive(script, session)


@pytest.mark.rule("R13.3")
def test_impossible_actions_are_dim_with_a_reason_and_an_attempt_is_explained(home):
    session = new_session(home)

    async def script(pilot):
        options = pilot.app.screen.query_one(ActionList).options
        dim = [str(option.prompt) for option in options if option.disabled]
        assert any("You are not working on a role" in line for line in dim)
        assert any("You can only upgrade at the Casting Office" in line for line in dim)
        await press(pilot, "a")
        assert session.game.steps == ()
        assert notices(pilot) == ["You are not working on a role; take one first."]

    drive(script, session)


def test_undo(home):
    session = new_session(home)

    async def script(pilot):
        await press(pilot, "e", "u")
        assert session.game.steps == ()
        await press(pilot, "u")
        assert any("nothing to take back" in str(one.message) for one in pilot.app._notifications)

    drive(script, session)
    assert Game.load(session.file).steps == ()


def near_the_end_of_a_day(home, last=False):
    (path,) = GOLDEN.glob("20-*" if last else "01-*")
    steps = Game.load(path).steps
    ends = [n for n, step in enumerate(steps) if any(type(event).__name__ == "DayEnded" for event in step.events)]
    return golden_session(home, path.name[:2], ends[0])


def test_a_wrap_and_the_end_of_a_day_have_their_own_screens(home):
    session = near_the_end_of_a_day(home)

    async def script(pilot):
        for _ in range(60):
            if session.game.state.day == 2:
                break
            await press(pilot, "a")
            if isinstance(pilot.app.screen, (WrapPopup, DayPopup)):
                break
            if session.game.state.players[session.game.state.active].role is None:
                await press(pilot, "e")
        seen = []
        while isinstance(pilot.app.screen, (WrapPopup, DayPopup)):
            seen.append(type(pilot.app.screen))
            await press(pilot, "space")
        assert seen == [WrapPopup, DayPopup]
        assert isinstance(pilot.app.screen, TableScreen)

    drive(script, session)


@pytest.mark.rule("R13.5", "R11.3")
def test_the_end_of_the_game_the_final_table_and_play_again(home):
    session = near_the_end_of_a_day(home, last=True)

    async def script(pilot):
        for _ in range(400):
            if isinstance(pilot.app.screen, (WrapPopup, DayPopup)):
                await press(pilot, "space")
            if session.game.over:
                break
            working = session.game.state.players[session.game.state.active].role is not None
            await press(pilot, "a" if working else "e")
        while not isinstance(pilot.app.screen, ChoiceDialog):
            await press(pilot, "space")
        assert re.search(r"1\. \w+ ", text_of(pilot.app.screen))
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, TableScreen)
        again = pilot.app.screen.session
        assert again.game.state.table.names == session.game.state.table.names
        assert again.game.steps == ()
        assert again.file != session.file

    drive(script, session)
    assert Game.load(session.file).over


def test_bots_play_by_themselves_to_the_end(home):
    seats = [Seat("red", "random"), Seat("blue", "regular")]
    session = Session.new(["Ada", "Bo"], Options(days=1), seats=seats, seed=3, file=home / "bots.deadwood")

    async def script(pilot):
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        assert session.game.over
        await press(pilot, "tab", "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)

    drive(script, session)


def test_quit_and_continue(home):
    session = Session.new(["Ada", "Bo"], Options(first="Ada"), seed=7)

    async def leave(pilot):
        await press(pilot, "e", "escape")
        assert isinstance(pilot.app.screen, MenuScreen)
        menu = pilot.app.screen.query_one("#menu", OptionList)
        assert menu.options[0].id == "continue"
        await press(pilot, "c")
        assert isinstance(pilot.app.screen, TableScreen)
        assert len(pilot.app.screen.session.game.steps) == 1

    drive(leave, session)


def test_saved_games_are_listed_opened_and_deleted(home):
    async def empty(pilot):
        await press(pilot, "s")
        assert pilot.app.screen.query_one("#empty").display

    drive(empty)
    saved_games.folder().mkdir(parents=True)
    (finished,) = GOLDEN.glob("20-*")
    (saved_games.folder() / "old.deadwood").write_text(finished.read_text("utf-8"), "utf-8")
    (saved_games.folder() / "broken.deadwood").write_text("nonsense")

    async def script(pilot):
        await press(pilot, "s")
        screen = pilot.app.screen
        assert isinstance(screen, SavedScreen)
        lines = [str(option.prompt) for option in screen.query_one("#games", OptionList).options]
        assert len(lines) == 2
        position = next(n for n, line in enumerate(lines) if " wins " in line and "Ada" in line)
        screen.query_one("#games", OptionList).highlighted = 1 - position
        await press(pilot, "r")
        assert any("not a record" in str(one.message) for one in pilot.app._notifications)
        await press(pilot, "s")
        pilot.app.screen.query_one("#games", OptionList).highlighted = position
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)
        await press(pilot, "escape", "s")
        pilot.app.screen.query_one("#games", OptionList).highlighted = 1 - position
        await press(pilot, "delete")
        assert isinstance(pilot.app.screen, ChoiceDialog)
        await press(pilot, "escape")
        assert len(saved_games.saved_games()) == 2, "Escape deletes nothing"
        await press(pilot, "delete", "right", "enter")
        assert len(saved_games.saved_games()) == 1

    drive(script)


def test_a_replay_steps_by_action_turn_and_day_and_plays_by_itself(home):
    (path,) = GOLDEN.glob("21-*")
    game = Game.load(path)
    states = list(game.states())

    async def script(pilot):
        replay = pilot.app.screen
        assert isinstance(replay, ReplayScreen)
        await press(pilot, "right", "right", "left")
        assert replay.place == 1
        await press(pilot, "pagedown")
        assert states[replay.place].active != states[replay.place - 1].active
        await press(pilot, "d")
        assert (states[replay.place].day, states[replay.place - 1].day) == (2, 1)
        await press(pilot, "D")
        assert replay.place == 0
        await press(pilot, "end")
        assert replay.place == len(states) - 1
        await press(pilot, "pageup")
        assert replay.place < len(states) - 1
        await press(pilot, "home", *["plus"] * 5)
        pilot.app.simulate_key("space")
        await reached(pilot, lambda: replay.place > 3)
        pilot.app.simulate_key("space")
        await reached(pilot, lambda: replay._timer is None)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)

    drive(script, replay=game)


def test_help_and_rules_are_at_hand(home):
    async def script(pilot):
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "x")
        await press(pilot, "i")
        assert isinstance(pilot.app.screen, ScenePopup)
        await press(pilot, "x")
        await press(pilot, "R")
        assert isinstance(pilot.app.screen, RulesScreen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TableScreen)

    drive(script, new_session(home))


@pytest.mark.rule("R12.7")
def test_real_dice_and_cards_are_asked_for(home):
    session = new_session(home, dice="table")

    async def script(pilot):
        await pick(pilot, Move("saloon"))
        question = pilot.app.screen
        assert isinstance(question, OutcomeDialog)
        await press(pilot, *"41", "enter")
        assert "There is no card 41" in text_of(pilot.app.screen)
        await press(pilot, *"2", "enter")
        assert session.game.state.card(session.game.state.players[0].area).number == 2
        await pick(pilot, TakeRole("star", 1))
        await press(pilot, "e", "a", *"7", "enter")
        assert "A die shows 1 to 6, not 7." in text_of(pilot.app.screen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TableScreen), "Escape takes the wish back"
        await press(pilot, "a", *"6", "enter", "e", "a", *"6", "enter")
        assert isinstance(pilot.app.screen, OutcomeDialog), "the scene wraps: three bonus dice"
        await press(pilot, *"62", "enter")
        assert "3 bonus dice are rolled, not 1." in text_of(pilot.app.screen)
        await press(pilot, *"6", "space", *"2", "space", *"1", "enter")
        assert isinstance(pilot.app.screen, WrapPopup)

    drive(script, session)
    assert "Ada: act = 6 / 6 2 1" in session.file.read_text()
