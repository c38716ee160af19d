"""The list of saved games, in the app, in the plain mode and as `deadwood games`; checking records from a pipe.

Holds `cli.games` and `terminal.screens.saved`.
"""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.widgets import Input, OptionList

from deadwood import Game, Options, Seat
from deadwood.cli import main
from deadwood.engine.deck import parse_deck
from deadwood.terminal import game_list, saved_games
from deadwood.terminal.screens.menu import MenuScreen
from deadwood.terminal.screens.saved import SavedScreen

from .. import own_files
from .journeys import GOLDEN, SMALL, drive, notices, press, settle

FINISHED = next(GOLDEN.glob("20-*"))


def invoke(*words, typed=""):
    return CliRunner().invoke(main, list(map(str, words)), input=typed)


@pytest.fixture
def three(home):
    """A finished game, a running one, and a file that is not a game; the latest first."""
    saved_games.folder().mkdir(parents=True)
    game = Game.new(
        ["Zoe", "Regular Randy"],
        Options(deck="studio", days=1, ties="shared"),
        seed=1,
        seats=[Seat("red"), Seat("blue", "regular")],
    )
    files = [saved_games.folder() / f"{name}.deadwood" for name in ("done", "open", "junk")]
    files[0].write_bytes(FINISHED.read_bytes())
    game.save(files[1])
    files[2].write_text("nonsense")
    for age, file in enumerate(files):
        os.utime(file, (1_700_000_000 - 60 * age,) * 2)
    return files


def test_a_line_says_how_it_stands_who_plays_and_what_is_unusual(three):
    done, running, junk = saved_games.saved_games()
    winner = Game.load(FINISHED).standings()[0].name
    assert f"  {winner} wins  " in game_list.heading(done)
    assert "  Day 1 of 1  " in game_list.heading(running)
    assert game_list.heading(running).endswith("  Zoe, Regular Randy (bot, Regular)")
    assert game_list.details(running) == "Studio, 60 scenes; Days: 1; Shared place"
    assert "not a record: junk.deadwood" in game_list.heading(junk)
    assert game_list.details(junk) == ""


def test_only_a_game_with_a_custom_deck_shows_details(home):
    saved_games.folder().mkdir(parents=True)
    for name, deck in (("a", None), ("b", parse_deck(own_files.DECK))):
        Game.new(["Ada", "Bo"], seed=1, deck=deck).save(saved_games.folder() / f"{name}.deadwood")
    assert {game_list.details(saved) for saved in saved_games.saved_games()} == {"", "A custom deck"}


def test_a_filter_wants_all_words(three):
    games = saved_games.saved_games()
    assert [one.file.stem for one in game_list.matching(games, ["ZOE", "studio"])] == ["open"]
    assert [one.file.stem for one in game_list.matching(games, ["finished"])] == ["done"]
    assert [one.file.stem for one in game_list.matching(games, ["junk"])] == ["junk"]
    assert game_list.matching(games, ["zoe", "finished"]) == []


def test_the_command_lists_filters_and_exports(three, home):
    listed = invoke("games").stdout.splitlines()
    assert len(listed) == 5
    assert listed[3].strip() == "Studio, 60 scenes; Days: 1; Shared place"
    assert invoke("games", "--unfinished", "zoe", "--files").stdout == f"{three[1]}\n"
    assert "Exported to out/done.deadwood." in invoke("games", "--finished", "--export", "out").stdout
    assert (home / "out" / "done.deadwood").read_bytes() == FINISHED.read_bytes()
    again = invoke("games", "--finished", "--export", "out")
    assert again.exit_code == 1
    assert "out/done.deadwood: File exists." in again.stderr
    known = json.loads(invoke("games", "zoe", "--json").stdout)
    assert known[0]["players"] == ["Zoe", "Regular Randy"]
    assert known[0]["options"]["deck"] == "studio"
    nothing = invoke("games", "nobody")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "No games match.\n")


def test_without_games_the_command_says_so(home):
    assert "No games are saved yet." in invoke("games").stderr


def test_the_plain_menu_lists_games_and_loads_one_by_its_number(three):
    shown = invoke("play", "--plain", typed="games\nload 9\nload 2\nwho\nquit\n").stdout
    assert "  2  2023-" in shown
    assert "There is no game 9; 'games' lists them." in shown
    assert "Zoe: rank 1" in shown


def test_text_that_does_not_fit_on_a_line_is_indented(three, home):
    async def script(pilot):
        await press(pilot, "s", "slash", *"zoe")
        games = pilot.app.screen.query_one("#games", OptionList)
        for width in (SMALL[0], 60):
            await pilot.resize_terminal(width, SMALL[1])
            await settle(pilot)
            first, *rest = str(games.get_option_at_index(0).prompt).split("\n")
            assert "Day 1 of 1" in first
            assert rest
            assert all(line.startswith(" " * 18) and len(line) <= width - 6 for line in rest)

    drive(script)


def test_the_app_filters_and_exports(three, home):
    async def script(pilot):
        await press(pilot, "s")
        screen = pilot.app.screen
        assert isinstance(screen, SavedScreen)
        games = screen.query_one("#games", OptionList)
        assert games.option_count == 3
        await press(pilot, "slash", *"zoe")
        assert games.option_count == 1
        assert "Studio" in str(games.get_option_at_index(0).prompt)
        await press(pilot, "enter", "x")
        assert notices(pilot) == [f"Exported to {home / 'open.deadwood'}."]
        await press(pilot, "x")
        assert "File exists" in notices(pilot)[-1]
        screen.query_one("#filter", Input).value = "nobody"
        await settle(pilot)
        assert games.option_count == 0
        await press(pilot, "enter", "slash", "escape")
        assert pilot.app.screen is screen, "from the filter to the list"
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, MenuScreen)

    drive(script)
    assert (home / "open.deadwood").read_bytes() == three[1].read_bytes()


def test_a_record_is_checked_from_a_pipe():
    done = CliRunner().invoke(main, ["verify", "-"], input=FINISHED.read_bytes())
    assert done.exit_code == 0, done.output
    assert "ok  " in done.stdout
    broken = CliRunner().invoke(main, ["verify", "-"], input=b"\xff\xfe")
    assert broken.exit_code == 1
    assert "-: Line 1: This is not a record: the file is not UTF-8 text." in broken.stderr
    with Path("/dev/zero").open("rb") as endless:
        done = CliRunner().invoke(main, ["verify", "-"], input=endless)
    assert "at most 16,777,216 bytes" in done.stderr
