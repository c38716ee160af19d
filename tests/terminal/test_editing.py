"""Line editing, history and completion at a real pseudo-terminal; none of it in pipes."""

import os
import signal
import subprocess

import pytest

from deadwood import Game
from deadwood.engine.notation import format_action

from .terminals import COMMAND, COOKED

PLAY = ["play", "--plain", "--first", "Ada", "--seed", "7", "--save"]
UP, LEFT, TAB = "\x1b[A", "\x1b[D", "\t"


@pytest.fixture
def play(terminals, file):
    """A game at a pseudo-terminal, typed key by key."""
    return lambda *words: terminals(*PLAY, file, "Ada", "Bo", *words, term="xterm-256color")


@pytest.fixture
def file(home):
    return home / "game.deadwood"


def actions(file):
    return [format_action(step.action) for step in Game.load(file).steps]


def test_lines_are_edited_repeated_and_completed(file, play):
    keyboard = play()
    keyboard.until(r"\[yes\]")
    keyboard.press("\r")
    keyboard.until("Ada>")
    keyboard.press("endd", "\x7f", "\r")
    keyboard.until("Bo>")
    keyboard.press(UP, "\r")
    keyboard.until("Ada>")
    keyboard.press("move sa", TAB, "\r")
    keyboard.until("to the Saloon.")
    keyboard.until("Ada>")
    keyboard.press("ed", LEFT, "n", "\r")
    keyboard.until("Bo>")
    keyboard.press("quit\r")
    assert keyboard.close() == 0
    assert actions(file) == ["end", "end", "move saloon", "end"]


@pytest.mark.parametrize("ending", ["\x03", "\x04", signal.SIGTERM])
def test_whatever_stops_it_says_how_to_continue_and_gives_the_terminal_back(play, ending):
    keyboard = play("--yes")
    keyboard.until("Ada>")
    keyboard.stop(ending)
    keyboard.until("To continue: ")
    keyboard.until("Goodbye.")
    assert keyboard.modes & COOKED == COOKED
    assert keyboard.close() == 0


def test_a_terminal_that_is_closed_ends_the_program(file, play):
    keyboard = play("--yes")
    keyboard.until("Ada>")
    os.close(keyboard.master)
    keyboard.process.wait()
    assert actions(file) == []


def test_pipes_see_no_control_characters(file):
    done = subprocess.run(
        [*COMMAND, *PLAY, str(file), "Ada", "Bo"], input=b"yes\nend\n", capture_output=True, check=True
    )
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
    assert actions(file) == ["end"]
