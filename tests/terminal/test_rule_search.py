"""Searching the rules, on the command line, in the plain mode and in the app."""

from click.testing import CliRunner
from textual.widgets import Input

from deadwood.cli import main
from deadwood.terminal.screens.menu import MenuScreen
from deadwood.terminal.screens.rules import RulesScreen

from .journeys import drive, notices, press


def invoke(*words, typed=""):
    return CliRunner().invoke(main, list(map(str, words)), input=typed)


def test_the_rules_are_searched_on_the_command_line(home):
    shown = invoke("rules", "chips", "R6.7").stdout
    assert shown.startswith("## ")
    assert "(R6.7)" in shown
    assert "(R4.1)" not in shown
    assert invoke("rules", "unicorn").stdout.strip() == "The rules do not mention 'unicorn'."
    assert "(R6.7)" in invoke("play", "--plain", "--yes", "Ada", "Bo", typed="rules r6.7\n").stdout


def test_the_rules_are_searched_in_the_app(home):
    async def script(pilot):
        await press(pilot, "r", "slash", *"rehears", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, RulesScreen)
        first = screen._found
        assert "rehears" in first.source.casefold()
        assert first.has_class("found")
        await press(pilot, "enter")
        assert screen._found is not first
        assert not first.has_class("found")
        screen.query_one("#search", Input).value = "unicorn"
        await press(pilot, "enter")
        assert notices(pilot) == ["The rules do not mention 'unicorn'."]
        await press(pilot, "escape")
        assert pilot.app.screen is screen, "from the search to the rules"
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, MenuScreen)

    drive(script)
