"""How quickly the app answers at a real pseudo-terminal: key to redrawn screen, and start to menu."""

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from deadwood import FastDice, Game, Options

NAMES = [f"Player {number}" for number in range(1, 9)]
ARROWS = (b"\x1b[D", b"\x1b[C", b"\x1b[A", b"\x1b[B")
QUIET = 0.15  # seconds without output: the screen is drawn
QUIT = b"\x11"


def full_table(file: Path) -> None:
    """Keep a game of eight players, a hundred and fifty actions old."""
    game, dice = Game.new(NAMES, Options(), seed=5), FastDice(1)
    while len(game.steps) < 150:
        actions = game.legal_actions()
        game.play(actions[dice.pick(len(actions))])
    game.save(file)


class Terminal:
    """The app at a pseudo-terminal of 120 x 40."""

    def __init__(self, *words: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        command = [sys.executable, "-m", "deadwood", *words]
        self._process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)

    def seconds_to(self, text: bytes) -> float:
        """How long until a text is shown."""
        began, shown = time.perf_counter(), b""
        while text not in shown:
            shown += os.read(self._master, 65536)
        return time.perf_counter() - began

    def seconds_to_redraw(self, key: bytes) -> float:
        """How long from a key to the last output that it causes."""
        began = last = time.perf_counter()
        os.write(self._master, key)
        while select.select([self._master], [], [], QUIET)[0]:
            os.read(self._master, 65536)
            last = time.perf_counter()
        return last - began

    def quit(self) -> None:
        os.write(self._master, QUIT)
        self._process.wait(10)
        os.close(self._master)


def key_times(file: Path, keys: Sequence[bytes]) -> list[float]:
    """Of every key that changes the screen."""
    terminal = Terminal("play", "--load", str(file))
    terminal.seconds_to(b"You can")
    terminal.seconds_to_redraw(b"")
    times = [terminal.seconds_to_redraw(key) for key in keys]
    terminal.quit()
    return sorted(taken for taken in times if taken)


def start_time() -> float:
    terminal = Terminal()
    taken = terminal.seconds_to(b"Saved games")
    terminal.quit()
    return taken


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"XDG_DATA_HOME": folder, "HOME": folder, "TERM": "xterm-256color"})
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        file = Path(folder) / "bench.deadwood"
        full_table(file)
        shown = {"an arrow key on the map": ARROWS * 15, "ending a turn or rehearsing": (b"e", b"r") * 20}
        times = {what: key_times(file, keys) for what, keys in shown.items()}
        starts = [start_time() for _ in range(5)]
    print("Eight players, 120 x 40, from the key to the last change on the screen:")
    for what, taken in times.items():
        print(f"- {what}: median {statistics.median(taken) * 1000:.0f} ms, all but one of {len(taken)} within", end=" ")
        print(f"{taken[-2] * 1000:.0f} ms")
    print(f"Start to menu: {statistics.median(starts) * 1000:.0f} ms.")


if __name__ == "__main__":
    main()
