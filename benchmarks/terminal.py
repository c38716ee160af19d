"""How fast the app reacts in a real pseudo-terminal: from a key to the redrawn screen, from the start to the menu."""

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
    """Save a game of eight players after 150 actions."""
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

    def redraw(self, key: bytes) -> tuple[float, float] | None:
        """Seconds from a key to the first and the last change on the screen."""
        began, changes = time.perf_counter(), list[float]()
        os.write(self._master, key)
        while select.select([self._master], [], [], QUIET)[0]:
            os.read(self._master, 65536)
            changes.append(time.perf_counter() - began)
        return (changes[0], changes[-1]) if changes else None

    def quit(self) -> None:
        os.write(self._master, QUIT)
        self._process.wait(10)
        os.close(self._master)


def key_times(file: Path, keys: Sequence[bytes]) -> list[tuple[float, float]]:
    """The times of all keys that change the screen."""
    terminal = Terminal("play", "--load", str(file))
    terminal.seconds_to(b"You can")
    terminal.redraw(b"")
    times = [taken for key in keys if (taken := terminal.redraw(key))]
    terminal.quit()
    return times


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
        shown = {"an arrow key on the map": ARROWS * 15, "an action, or the reason why not": (b"e", b"r") * 20}
        times = {what: key_times(file, keys) for what, keys in shown.items()}
        starts = [start_time() for _ in range(5)]
    print("Eight players, 120 x 40, medians from a key to the first and to the last change on the screen:")
    for what, taken in times.items():
        first, last = (statistics.median(values) * 1000 for values in zip(*taken, strict=True))
        print(f"- {what}: {first:.0f} ms, {last:.0f} ms")
    print(f"Start to menu: {statistics.median(starts) * 1000:.0f} ms.")


if __name__ == "__main__":
    main()
