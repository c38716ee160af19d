"""The app as a real process at a real pseudo-terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from deadwood import Game

from .hanging_up import hanging_up
from .pictures import FOLDER, SCREENS, draw

PATIENCE = 120  # seconds after which a test gives up; nothing waits that long when all is well


class Terminal:
    """A program at a pseudo-terminal of 80 x 24."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-m", "deadwood", *map(str, words)]
        own = {"stdin": slave, "stdout": slave, "stderr": slave, "start_new_session": True}
        with hanging_up():
            self.process = subprocess.Popen(command, **own)
        os.close(slave)
        self._bytes = b""

    def wait_for(self, text):
        while text not in self.shown:
            assert self._read(), f"the program ended before it showed {text!r}: {self.shown[-2000:]!r}"

    def wait_until(self, condition):
        """Wait for something outside the terminal. Keep reading, or unread output would block the program."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"nothing happened: {self.shown[-2000:]!r}"
            assert self.process.poll() is None, f"the program ended: {self.shown[-2000:]!r}"
            if select.select([self.master], [], [], 0.02)[0]:
                self._read()

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self, how=None):
        if how is not None:
            self.process.send_signal(how)
        while self._read():
            pass
        os.close(self.master)
        return self.process.wait()

    def _read(self):
        """Read what is shown; empty once the program has ended."""
        assert select.select([self.master], [], [], PATIENCE)[0], f"nothing more is shown: {self.shown[-2000:]!r}"
        try:
            shown = os.read(self.master, 65536)
        except OSError:  # as Linux reports the end of a pseudo-terminal
            return b""
        self._bytes += shown
        return shown

    @property
    def shown(self):
        return self._bytes.decode(errors="replace")


def steps_in(file):
    return len(Game.load(file).steps) if file.exists() else -1


def test_the_menu_shows_and_quits(home):
    terminal = Terminal()
    terminal.wait_for("Saved games and replays")
    terminal.type("q")
    assert terminal.end() == 0
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGHUP])
def test_nothing_is_lost_when_the_process_or_its_terminal_dies(home, how):
    file = home / "game.deadwood"
    terminal = Terminal("play", "Ada", "Bo", "--save", file, "--seed", 7)
    terminal.wait_for("You can")
    terminal.type("e")
    terminal.wait_until(lambda: steps_in(file) == 1)
    terminal.end(how)
    again = Terminal("play", "--load", file)
    again.wait_for("You can")
    again.type("e")
    again.wait_until(lambda: steps_in(file) == 2)
    again.type("\x11")  # Ctrl+Q
    assert again.end() == 0


def test_a_killed_game_is_continued_from_the_menu(home):
    terminal = Terminal("play", "Ada", "Bo", "--seed", 7)
    terminal.wait_for("You can")
    terminal.type("e")
    games = home / "deadwood" / "games"
    terminal.wait_until(lambda: [steps_in(file) for file in games.glob("*.deadwood")] == [1])
    terminal.end(signal.SIGKILL)
    again = Terminal()
    again.wait_for("Continue")
    again.type("c")
    again.wait_for("You can")
    again.type("e")
    again.wait_until(lambda: [steps_in(file) for file in games.glob("*.deadwood")] == [2])
    again.type("\x11")
    assert again.end() == 0


def test_two_programs_cannot_play_one_game(home):
    file = home / "game.deadwood"
    terminal = Terminal("play", "Ada", "Bo", "--save", file)
    terminal.wait_for("You can")
    second = subprocess.run(
        [sys.executable, "-m", "deadwood", "play", "--plain", "--load", str(file)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert second.returncode == 1
    assert "another program" in second.stderr
    terminal.type("\x11")
    assert terminal.end() == 0


def test_a_replay_starts_from_the_command_line(home):
    file = home / "game.deadwood"
    Game.new(["Ada", "Bo"], seed=1).save(file)
    terminal = Terminal("replay", file)
    terminal.wait_for("action 0 of 0")
    terminal.type("\x11")
    assert terminal.end() == 0


@pytest.mark.parametrize("screen", SCREENS)
def test_the_pictures_in_the_documents_show_what_there_is(screen):
    for name, svg in draw(screen).items():
        assert (FOLDER / name).read_text("utf-8") == svg, f"{name} has changed: look at it, then run `make docs`"
