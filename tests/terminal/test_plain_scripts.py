"""The plain mode for scripts, with prompts for options, and on a full disk.

Holds `terminal.plain_options`.
"""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from deadwood import Game, Options, Seat
from deadwood.bots import make
from deadwood.cli import main
from deadwood.engine.notation import format_action
from deadwood.terminal.console import Console, Stopped
from deadwood.terminal.plain import PlainGame
from deadwood.terminal.session import Session

from .. import own_files


def invoke(*words, typed=""):
    return CliRunner().invoke(main, ["play", "--plain", *map(str, words)], input=typed)


def test_a_script_is_not_asked(home):
    done = invoke("--yes", "Ada", "Bo", "--first", "Ada", "--save", "game.deadwood", typed="end\nend\n")
    assert done.exit_code == 0, done.output
    assert "Ready" not in done.stdout
    assert len(Game.load(home / "game.deadwood").steps) == 2


def test_a_script_ends_after_one_game(home):
    file, bot = home / "game.deadwood", make("random", seed=3)
    game = Game.new(["Ada", "Bo"], Options(days=1), seed=3)
    while not game.over:
        before = game.copy()
        game.play(bot.decide(game.state, game.legal_actions()))
    before.save(file)
    done = invoke("--yes", "--load", file, typed=f"{format_action(game.last_step.action)}\n")
    assert done.exit_code == 0, done.output
    assert Game.load(file).over
    assert "Play again?" not in done.stdout


def test_options_and_the_first_player_are_asked_for(home):
    (home / "deck.toml").write_text(own_files.DECK, "utf-8")
    options = ["nowhere.toml", "deck.toml", "GX", "second", "Cy", "bo", "shared", "", "7", "2", "table"]
    typed = "\n".join(["maybe", "options", *options, "yes", ""])
    done = invoke("Ada", "Bo", "--save", "game.deadwood", typed=typed)
    assert done.exit_code == 0, done.output
    assert "Please answer yes, no or options." in done.stdout
    assert "nowhere.toml: " in done.stdout
    assert "Nobody here is called 'Cy'" in done.stdout
    assert "must be a whole number from 1 to 4, not 7" in done.stdout
    table = Game.load(home / "game.deadwood").state.table
    assert table.deck.name == own_files.DECK_NAME
    chosen = table.options
    assert (chosen.first, chosen.ties, chosen.bonus, chosen.days, chosen.dice) == ("Bo", "shared", "roles", 2, "table")
    assert chosen.layout != Game.new(["Ada", "Bo"], seed=1).state.table.layout.text


def test_options_can_go_back_to_the_usual_ones(home):
    typed = "options\nclassic\n\n\n\n\nusual\n\nyes\n"
    done = invoke("Ada", "Bo", "--days", 1, "--deck", "studio", "--save", "game.deadwood", typed=typed)
    assert done.exit_code == 0, done.output
    table = Game.load(home / "game.deadwood").state.table
    assert (table.deck.name, table.days) == ("classic", 3)


class FullDisk:
    """A disk that is full until somebody makes room."""

    def __init__(self, monkeypatch, lines):
        self.full = True
        self.shown = []
        self.lines = iter(lines)
        sync = os.fsync
        monkeypatch.setattr(os, "fsync", lambda file: self.fail() if self.full else sync(file))

    def fail(self):
        raise OSError(28, "No space left on device")

    def ask(self, prompt):
        self.shown.append(prompt)
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        if line == "(room)":
            self.full = False
            return self.ask(prompt)
        return line

    def play(self, session):
        with pytest.raises(Stopped):
            PlainGame(Console(self.ask, self.shown.append), session).play()
        return "\n".join(self.shown)


def test_a_full_disk_keeps_the_game_alive(home, monkeypatch):
    session = Session.new(["Ada", "Bo"], Options(first="Ada"), seed=7, file=home / "game.deadwood")
    shown = FullDisk(monkeypatch, ["end", "who", "(room)", "end"]).play(session)
    assert "No space left on device. The game is saved up to here; the last step was neither saved nor played." in shown
    assert shown.count("Ada is done") == 1
    assert len(Game.load(session.file).steps) == 1


@pytest.mark.parametrize(("lines", "played"), [(["", "(room)", ""], True), (["", "quit"], False)])
def test_a_full_disk_while_a_bot_plays(home, monkeypatch, lines, played):
    seats = [Seat("red"), Seat("blue", "random")]
    names, options = ["Ada", "Bo"], Options(first="Bo")
    session = Session.new(names, options, seats=seats, seed=7, file=home / "game.deadwood")
    shown = FullDisk(monkeypatch, lines).play(session)
    assert "Enter tries again; 'quit' stops: " in shown
    assert bool(Game.load(session.file).steps) == played


@pytest.mark.parametrize("words", [["rules"], ["--help"], ["play", "--help"], ["board", "schema"]])
def test_write_errors_are_reported_without_a_traceback(words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "deadwood", *words], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    problems = done.stderr.decode().splitlines()
    assert len(problems) == 1, problems
    assert problems[0].startswith("Error: ")
    assert problems[0].endswith("No space left on device.")
