"""Line editing, history and completion at a real pseudo-terminal; nothing of it in pipes."""

import os
import pty
import subprocess
import sys

import pytest

from deadwood import Game
from deadwood.engine.notation import format_action

from .hanging_up import hanging_up

COMMAND = [sys.executable, "-m", "deadwood", "play", "--plain", "--first", "Ada", "--seed", "7", "--save"]
UP, LEFT, TAB = "\x1b[A", "\x1b[D", "\t"


class Keyboard:
    """A game at a pseudo-terminal, typed key by key."""

    def __init__(self, file, *words):
        self.master, slave = pty.openpty()
        with hanging_up():
            self.process = subprocess.Popen(
                [*COMMAND, str(file), "Ada", "Bo", *words], stdin=slave, stdout=slave, stderr=slave
            )
        os.close(slave)
        self.unread = ""

    def wait_for(self, text):
        """Read on until a text is on the screen."""
        while text not in self.unread:
            self.unread += os.read(self.master, 65536).decode(errors="replace")
        self.unread = self.unread.partition(text)[2]

    def type(self, *keys):
        os.write(self.master, "".join(keys).encode())

    def read_to_the_end(self):
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:  # as Linux reports the end of a pseudo-terminal
            pass
        os.close(self.master)
        return self.process.wait()


@pytest.fixture
def file(home):
    return home / "game.deadwood"


def actions(file):
    return [format_action(step.action) for step in Game.load(file).steps]


def test_lines_are_edited_repeated_and_completed(file):
    keyboard = Keyboard(file)
    keyboard.wait_for("[yes]")
    keyboard.type("\r")
    keyboard.wait_for("Ada>")
    keyboard.type("endd", "\x7f", "\r")
    keyboard.wait_for("Bo>")
    keyboard.type(UP, "\r")
    keyboard.wait_for("Ada>")
    keyboard.type("move sa", TAB, "\r")
    keyboard.wait_for("to the Saloon.")
    keyboard.wait_for("Ada>")
    keyboard.type("ed", LEFT, "n", "\r")
    keyboard.wait_for("Bo>")
    keyboard.type("quit\r")
    assert keyboard.read_to_the_end() == 0
    assert actions(file) == ["end", "end", "move saloon", "end"]


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_stop_and_say_how_to_continue(file, key):
    keyboard = Keyboard(file, "--yes")
    keyboard.wait_for("Ada>")
    keyboard.type(key)
    keyboard.wait_for("To continue: ")
    keyboard.wait_for("Goodbye.")
    assert keyboard.read_to_the_end() == 0


def test_a_terminal_that_is_closed_ends_the_program(file):
    keyboard = Keyboard(file, "--yes")
    keyboard.wait_for("Ada>")
    os.close(keyboard.master)
    keyboard.process.wait()
    assert actions(file) == []


def test_pipes_see_no_control_characters(file):
    done = subprocess.run([*COMMAND, str(file), "Ada", "Bo"], input=b"yes\nend\n", capture_output=True, check=True)
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
    assert actions(file) == ["end"]
