"""Settings, shell completion, and the man page."""

import asyncio
import os
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner
from msgspec.structs import fields
from textual.widgets import Button, Input

from deadwood import Game, bots
from deadwood.cli import main
from deadwood.terminal import settings
from deadwood.terminal.app import DeadwoodApp
from deadwood.terminal.settings import Settings, load_settings, settings_file

from .journeys import patient_pilot, text_of

MAN_PAGE = Path(__file__).parents[2] / "docs" / "deadwood.1"


def invoke(*words, typed=""):
    return CliRunner().invoke(main, list(map(str, words)), input=typed)


@pytest.fixture
def configure(home):
    def write(text):
        settings_file().parent.mkdir(parents=True, exist_ok=True)
        settings_file().write_text(text, "utf-8")

    return write


def test_without_a_file_everything_is_usual(home):
    assert settings_file() == home / "deadwood" / "config.toml"
    assert load_settings() == Settings()


@contextmanager
def as_somebody_else():
    """Act as a user who, unlike root, may not enter every folder."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


def test_settings_in_somebody_elses_home_are_not_ours(configure):
    configure('name = "Zoe"')
    settings_file().parent.chmod(0)
    with as_somebody_else():
        assert load_settings() == Settings()
    settings_file().parent.chmod(0o700)
    assert load_settings().name == "Zoe"


def test_settings_reach_the_commands(configure, home):
    configure('name = "Zoe"\nlanguage = "de"\nbots = ["random", "extra"]\n')
    shown = invoke("play", "--plain", typed="neu\n2\n\n\nja\nschluss\n").stdout
    assert "[Zoe]" in shown
    assert "Spieler: Zoe, Ada." in shown
    words = ["--language", "en", "--yes", "--save", "game.deadwood"]
    assert "(bot, Random)" in invoke("play", "--plain", "Ada", *words).stdout
    assert [seat.bot for seat in Game.load(home / "game.deadwood").seats] == [None, "random", "extra"]


def test_every_setting_has_a_word_on_what_it_must_be():
    assert list(settings._EXPECTED) == [field.name for field in fields(Settings)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nonsense", "config.toml: "),
        ("speed = 99", "'speed' must be a number of seconds from 0 to 10"),
        ('theme = "pink"', """'theme' must be "night" or "day"."""),
        ("bots = [1]", "'bots' must be a list of names"),
        ('colour = "red"', "There is no setting 'colour'; there are name, language, speed, theme, bots."),
        ('language = "fr"', "config.toml: There are no texts in 'fr'; choose de or en."),
    ],
)
def test_a_wrong_setting_is_reported_with_its_file(configure, text, problem):
    configure(text)
    done = invoke("rules")
    assert done.exit_code == 1
    assert problem in done.stderr
    assert "config.toml" in done.stderr


def test_a_usual_bot_that_is_unknown_is_reported(configure):
    configure('bots = ["genius"]')
    assert "There is no bot called 'genius'" in invoke("play", "--plain", "Ada").stderr


def test_settings_reach_the_app(home):
    app = DeadwoodApp(settings=Settings(name="Zoe", speed=0.8, theme="day", bots=("star", "star", "star")))

    async def script():
        async with app.run_test() as pilot:
            await pilot.pause()
            assert app.theme == "backlot-day"
            assert app._pace == 0.8
            await pilot.press("b")
            await pilot.pause()
            assert "Zoe against 3 bots" in text_of(app.screen)
            assert app.screen.query_one("#bots").highlighted == bots.names().index("star")
            await pilot.press("escape", "n")
            await pilot.pause()
            assert app.screen.query_one("#name-0", Input).value == "Zoe"

    with patient_pilot():
        asyncio.run(script())


def test_a_usual_name_that_we_would_suggest_to_others_is_there_once(home):
    app = DeadwoodApp(settings=Settings(name="Bo"))

    async def script():
        async with app.run_test() as pilot:
            await pilot.press("n")
            await pilot.pause()
            names = [app.screen.query_one(f"#name-{number}", Input).value for number in range(8)]
            assert names[:3] == ["Bo", "Ada", "Cy"]
            assert len(set(names)) == 8
            assert not app.screen.query_one("#start", Button).disabled

    with patient_pilot():
        asyncio.run(script())


def test_a_shell_completes_commands_and_bots():
    complete = BashComplete(main, {}, "deadwood", "_DEADWOOD_COMPLETE")
    assert [one.value for one in complete.get_completions([], "pla")] == ["play"]
    assert [one.value for one in complete.get_completions(["play", "--bot"], "re")] == ["regular"]
    assert [one.value for one in complete.get_completions(["rules", "--language"], "")] == ["de", "en"]


def test_the_man_page_names_every_command_bot_and_setting():
    page = MAN_PAGE.read_text("utf-8")
    commands = re.findall(r"^\.TP\n\.BR? (.*)$", page.partition(".SH COMMANDS")[2].partition(".SH BOTS")[0], re.M)
    assert set(re.findall(r"\w+", " ".join(commands))) == set(main.commands)
    assert {*bots.names(), *Settings.__struct_fields__} <= set(re.findall(r"\w+", page.partition(".SH BOTS")[2]))
