"""The app when things go wrong, come fast, or do not fit.

Holds `terminal.log` and `terminal.pieces`.
"""

import os
import threading

import pytest
from textual.widgets import Input

from deadwood import Game, Options, Seat
from deadwood.bots import registry
from deadwood.engine.actions import ACT, Move
from deadwood.engine.events import Acted
from deadwood.terminal.log import Log
from deadwood.terminal.pieces import dice_picture
from deadwood.terminal.screens import dialogs
from deadwood.terminal.screens.dialogs import DiePopup, HelpScreen, OutcomeDialog
from deadwood.terminal.screens.menu import MenuScreen
from deadwood.terminal.screens.new_game import NewGameScreen
from deadwood.terminal.screens.playing import PACES
from deadwood.terminal.screens.table import TableScreen
from deadwood.terminal.session import Session
from deadwood.terminal.widgets import MapView, ScenePanel

from .journeys import (
    GOLDEN,
    LARGE,
    SMALL,
    drive,
    golden_session,
    new_session,
    notices,
    pick,
    press,
    press_at_once,
    settle,
    text_of,
    until,
)

HOUR = 3600.0


def test_a_game_that_is_played_elsewhere_is_refused(home):
    held = Session.new(["Ada", "Bo"], Options(first="Ada"), seed=7)

    async def script(pilot):
        await press(pilot, "c")
        assert isinstance(pilot.app.screen, MenuScreen)
        assert any("another program" in str(one.message) for one in pilot.app._notifications)

    drive(script)
    held.close()


def test_the_table_at_all_sizes(home):
    """Nothing breaks on tiny and huge terminals, and the map is always there."""
    for number, size in enumerate([(40, 12), (80, 24), (100, 30), (200, 60)]):
        session = Session.new(
            [f"P{n}" for n in range(8)], Options(layout="GMCH"), seed=number, file=home / f"{number}.deadwood"
        )

        async def script(pilot):
            assert len(pilot.app.screen.query_one(MapView)._picture.lines) > 5
            await press(pilot, "1")

        drive(script, session, size=size)
        assert len(session.game.steps) == 1


def test_names_are_only_text(home):
    """Square brackets mean markup to Textual; in a name they mean themselves."""

    async def script(pilot):
        await press(pilot, "n")
        for name in ("[/b]", "[red]x", "random"):
            pilot.app.screen.query_one("#name-0", Input).value = name
            await settle(pilot)
        await press(pilot, "ctrl+s", "enter")
        assert pilot.app.screen.session.game.state.table.names == ("random", "Bo")

    drive(script)
    hostile = Session.new(["[/b]", "[red]x"], Options(first="[/b]"), seed=1, file=home / "hostile.deadwood")

    async def play(pilot):
        await press(pilot, "a", "1", "question_mark", "x", "i", "x")
        assert len(hostile.game.steps) == 1

    drive(play, hostile)


def test_keys_pressed_twice_do_a_thing_once(home):
    session = new_session(home, dice="table")

    async def script(pilot):
        await pick(pilot, Move("saloon"))
        dialog = pilot.app.screen
        for _ in range(2):
            dialog.answer("card 2")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert len(session.game.steps) == 1

    drive(script, session)

    async def menu(pilot):
        screen = pilot.app.screen
        for _ in range(2):
            screen.action_pick("new")
        await settle(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, MenuScreen)

    drive(menu)


class GatedBot:
    """Decides once its gate opens, and always plays the last legal action."""

    level = 0
    gate = threading.Event()
    problem = None

    def __init__(self, seed=None):
        pass

    def decide(self, state, actions):
        GatedBot.gate.wait()
        if GatedBot.problem is not None:
            return GatedBot.problem()
        return actions[-1]


@pytest.fixture
def gated(monkeypatch):
    found = {**registry._found(), "gated": GatedBot}
    monkeypatch.setattr(registry, "_found", lambda: found)
    GatedBot.gate.clear()
    GatedBot.problem = None
    yield GatedBot
    GatedBot.gate.set()


def against(home, bot, **options):
    seats = [Seat("red"), Seat("blue", bot)]
    options = Options(**{"first": "Ada", "days": 1, **options})
    return Session.new(["Ada", "Bo"], options, seats=seats, seed=7, file=home / "against.deadwood")


def test_a_paused_game_waits_and_only_undo_is_done(home, gated):
    session = against(home, "gated")

    async def script(pilot):
        table = pilot.app.screen
        await press(pilot, "e")
        await press(pilot, "p")
        gated.gate.set()
        await until(pilot, lambda: table._decided is not None)
        assert len(session.game.steps) == 1, "the bot has decided, but the game is paused"
        await press(pilot, "u")
        assert session.game.steps == ()
        await press(pilot, "e")
        assert session.game.steps == ()
        assert "The game is paused; press p to continue." in notices(pilot)
        await press(pilot, "p", "e")
        await until(pilot, lambda: len(session.game.steps) == 2)

    drive(script, session)


def test_undo_takes_back_what_bots_did_since(home, gated):
    session = against(home, "gated")
    gated.gate.set()

    async def script(pilot):
        await press(pilot, "e")
        await until(pilot, lambda: len(session.game.steps) == 2)
        await press(pilot, "u")
        assert session.game.steps == ()
        log = pilot.app.screen.query_one("#log", Log)
        assert log.lines[-1].text.strip() == "Taken back."

    drive(script, session)


@pytest.mark.parametrize("problem", [lambda: 1 / 0, lambda: ACT])
def test_a_bot_that_fails_pauses_the_game(home, gated, problem):
    session = against(home, "gated")
    gated.gate.set()
    gated.problem = staticmethod(problem)

    async def script(pilot):
        await press(pilot, "e")
        await until(pilot, lambda: notices(pilot))
        await settle(pilot)
        assert len([line for line in notices(pilot) if "'gated'" in line]) == 1
        assert len(session.game.steps) == 1
        gated.problem = None
        await press(pilot, "p")
        await until(pilot, lambda: len(session.game.steps) == 2)

    drive(script, session)


def test_a_bots_real_dice_are_asked_for_with_its_name_until_they_are_given(home):
    session = against(home, "regular", dice="table")

    async def script(pilot):
        await press(pilot, "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, OutcomeDialog))
        heading = str(pilot.app.screen.query_one(".heading").content)
        assert heading.startswith("Bo: Move to ")
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, OutcomeDialog))
        assert str(pilot.app.screen.query_one(".heading").content) == heading, "it does not decide anew"
        await press(pilot, *"high noon", "enter")
        assert session.game.steps[1].events[1].title == "High Noonish"

    drive(script, session)


def test_a_record_without_its_seed_is_reported_and_does_no_harm(home):
    file = home / "hidden.deadwood"
    Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7).save(file, reveal=False)
    session = Session.resume(file)

    async def script(pilot):
        await press(pilot, "1")
        assert any("does not contain the seed" in line for line in notices(pilot))
        await press(pilot, "e")
        assert len(session.game.steps) == 1

    drive(script, session)


def test_a_full_disk_is_reported_and_nothing_is_ahead_of_the_file(home, monkeypatch):
    session = new_session(home)

    async def script(pilot):
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
            await press(pilot, "e")
        assert any("No space left" in line for line in notices(pilot))
        assert session.game.steps == ()
        await press(pilot, "e")
        assert len(session.game.steps) == 1

    drive(script, session)


def test_nothing_goes_on_behind_the_rules(home, gated):
    session = against(home, "gated")

    async def script(pilot):
        table = pilot.app.screen
        await press(pilot, "e", "R")
        gated.gate.set()
        await until(pilot, lambda: table._decided is not None)
        assert len(session.game.steps) == 1
        await press(pilot, "escape")
        await until(pilot, lambda: len(session.game.steps) == 2)

    drive(script, session)


def test_a_map_larger_than_its_space_follows_the_cursor(home):
    session = Session.new(["Ada", "Bo"], Options(layout="GMCH", first="Ada"), seed=1, file=home / "row.deadwood")

    async def script(pilot):
        frame, board = pilot.app.screen.query_one("#map-frame"), pilot.app.screen.query_one(MapView)
        for area in range(12):
            board.choose(area)
            await settle(pilot)
            column, row = board._picture.centres[area]
            assert 0 <= column - frame.scroll_offset.x < frame.container_size.width
            assert 0 <= row - frame.scroll_offset.y < frame.container_size.height

    drive(script, session)


def test_dice_roll_and_lie_there(home, monkeypatch):
    acted = next(event for event in Game.load(next(GOLDEN.glob("01-*"))).events if isinstance(event, Acted))

    async def script(pilot):
        monkeypatch.setattr(dialogs, "ROLL_FRAME", HOUR)
        rolling = DiePopup(acted, pace=3 * HOUR, stays=False)
        pilot.app.push_screen(rolling)
        await until(pilot, lambda: rolling.query("#sentence"))
        assert not rolling.query_one("#sentence").visible, "the die is still rolling"
        await press(pilot, "space")
        monkeypatch.setattr(dialogs, "ROLL_FRAME", 0.01)
        landed = DiePopup(acted, pace=0.05, stays=True)
        pilot.app.push_screen(landed)
        await until(pilot, lambda: landed.query("#sentence") and landed.query_one("#sentence").visible)
        assert str(landed.query_one("#die").content) == dice_picture([acted.die])
        await press(pilot, "space")
        pilot.app.push_screen(DiePopup(acted, pace=0.05, stays=False))
        await until(pilot, lambda: not isinstance(pilot.app.screen, DiePopup))

    drive(script)


def test_a_persons_die_waits_for_a_key_and_the_key_does_nothing_else(home):
    session = new_session(home)

    async def script(pilot):
        for text in ("move saloon", "take extra 1", "move hotel", "take extra 1"):
            session.play(text)
        pilot.app.screen.pace = PACES[1]
        pilot.app.screen.show()
        await press(pilot, "a")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiePopup))
        notice = pilot.app.screen
        await until(pilot, lambda: notice.query_one("#sentence").visible)
        assert notice._seconds is None, "it closes only by a key"
        await press(pilot, "a")
        assert isinstance(pilot.app.screen, TableScreen)
        assert len(session.game.steps) == 5

    drive(script, session)


def test_screens_closed_before_they_were_shown_do_no_harm(home):
    Session.new(["Ada", "Bo"], Options(), seed=7).close()

    async def script(pilot):
        menu = pilot.app.screen
        await press_at_once(pilot, *["s", "escape", "n", "escape", "R", "escape"] * 2, "s", "enter", "enter")
        while pilot.app.screen is not menu:
            await press(pilot, "escape")
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, NewGameScreen)

    drive(script)


def test_the_map_fits_again_after_the_terminal_has_shrunk(home):
    session = Session.new(["Ada", "Bo"], Options(layout="G/M/C/H"), seed=1, file=home / "column.deadwood")

    async def script(pilot):
        before = pilot.app.screen.query_one(MapView)._picture.lines[0].cell_len
        for size in (LARGE, SMALL):
            await pilot.resize_terminal(*size)
            await settle(pilot)
        assert pilot.app.screen.query_one(MapView)._picture.lines[0].cell_len == before <= 52

    drive(script, session)


def test_long_notices_scroll(home):
    async def script(pilot):
        await press(pilot, "question_mark", "down", "pagedown")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert pilot.app.screen.query_one(".dialog").scroll_offset.y > 0
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, TableScreen)

    drive(script, new_session(home), size=(80, 16))


def test_dialogs_stand_in_the_middle_and_the_log_shows_its_end(home):
    session = golden_session(home, "05", 300)

    async def script(pilot):
        log = pilot.app.screen.query_one("#log", Log)
        assert log.max_scroll_y > 0
        assert log.scroll_offset.y == log.max_scroll_y
        await press(pilot, "e", "i")
        box = pilot.app.screen.query_one(".dialog").region
        assert abs((box.x + box.right) - SMALL[0]) <= 1
        assert abs((box.y + box.bottom) - SMALL[1]) <= 1

    drive(script, session)


def test_the_pace_can_be_changed(home):
    async def script(pilot):
        table = pilot.app.screen
        await press(pilot, "minus")
        assert table.pace == PACES[1]
        await press(pilot, "plus", "plus")
        assert table.pace == 0

    drive(script, new_session(home))


def log_text(pilot):
    return " ".join(line.text.strip() for line in pilot.app.screen_stack[2].query_one(Log).lines)


def test_the_log_is_never_ahead_of_the_dice(home):
    """The log names the die's result after the die has been seen, and whose turn it is even later."""
    session = golden_session(home, "04", 0)
    while ACT not in session.game.legal_actions():
        session.play(session.game.legal_actions()[0])

    async def script(pilot):
        pilot.app.screen.pace = 0.01
        player = session.game.state.table.names[session.game.state.active]
        before = log_text(pilot)
        await press(pilot, "a")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiePopup))
        assert log_text(pilot) == before
        await press(pilot, "space")
        assert f"{player} as '" in log_text(pilot).removeprefix(before)

    drive(script, session, size=LARGE)


def test_a_change_of_pace_is_shown_without_a_toast(home):
    async def script(pilot):
        await press(pilot, "plus", "minus", "minus")
        assert "bots 0.4 s" in text_of(pilot.app.screen)
        assert notices(pilot) == []

    drive(script, new_session(home))


def test_a_toast_goes_when_a_dialog_comes(home):
    async def script(pilot):
        await press(pilot, "a")
        assert notices(pilot) == ["You are not working on a role; take one first."]
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert notices(pilot) == []

    drive(script, new_session(home))


def test_log_scene_and_actions_are_wrapped_anew_for_another_size(home):
    async def script(pilot):
        table = pilot.app.screen
        log, scene = table.query_one(Log), table.query_one(ScenePanel)
        before, wide = log_text(pilot), str(scene.content)
        for size in ((60, 24), LARGE):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert log_text(pilot) == before, "nothing is lost, and nothing cut"
            assert max(len(line.text.rstrip()) for line in log.lines) <= log.scrollable_content_region.width
            assert max(map(len, str(scene.content).split("\n"))) <= scene.content_size.width
        assert str(scene.content) == wide

    drive(script, golden_session(home, "04", 12), size=LARGE)


def test_after_the_game_the_map_shows_no_scenes(home):
    """The cards of the last day are gone; the last one was never finished, so nothing may say that it was."""

    async def script(pilot):
        await press(pilot, "end")
        shown = "\n".join(map(str, pilot.app.screen.query_one(MapView)._picture.lines))
        assert "wrapped" not in shown + text_of(pilot.app.screen)
        assert "The game is over" in text_of(pilot.app.screen)
        assert "scenes left" not in text_of(pilot.app.screen)

    drive(script, replay=Game.load(next(GOLDEN.glob("04-*"))), size=LARGE)
