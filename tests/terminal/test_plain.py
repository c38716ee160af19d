"""The plain line mode, through a pipe and through a real pseudo-terminal."""

import os
import pty
import random
import re
import select
import subprocess
import sys
import time

import pytest

from deadwood import Game

COMMAND = [sys.executable, "-m", "deadwood", "play", "--plain"]
LISTED = re.compile(r"^  ((?:move|take|act|rehearse|upgrade|end)\b[a-z0-9 -]*?)(?:  .*)?$")


@pytest.fixture
def home(tmp_path, monkeypatch):
    for variable in ("XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYTHONUTF8", "1")
    return tmp_path


def run(*words, typed=b""):
    done = subprocess.run([*COMMAND, *map(str, words)], input=typed, capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode()


class Session:
    """A game at a pseudo-terminal: types a line whenever a prompt waits."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([*COMMAND, *map(str, words)], stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.screen = ""

    def read_prompt(self, timeout=30):
        """Everything up to the next prompt, or to the end of the program."""
        shown, until = "", time.monotonic() + timeout
        while time.monotonic() < until:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    shown += os.read(self.master, 65536).decode()
                except OSError:
                    break
            if re.search(r"(\n|^)[^\n]*(> |\] |\? |: )$", shown):
                break
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                break
        self.screen += shown
        return shown.replace("\r", "")

    def type(self, text):
        os.write(self.master, text.encode() + b"\n")

    def close(self):
        os.close(self.master)
        return self.process.wait(30)


@pytest.mark.rule("R13.1", "R13.3", "R13.4", "R13.5")
def test_a_whole_game_at_a_pseudo_terminal(home):
    """Start menu, set-up, "Ready to begin?", a whole game from what is listed, final table, "Play again?"."""
    session = Session("--seed", "7", "--days", "1")
    rng = random.Random(3)
    assert "new, load FILE, rules or quit?" in session.read_prompt()
    session.type("")
    assert "How many players, 2 to 8?" in session.read_prompt()
    session.type("2")
    for name in ("Ada", "Bo"):
        assert f"[{name}]" in session.read_prompt()
        session.type("")
    assert "Ready to begin?" in session.read_prompt()
    session.type("")
    for _ in range(2000):
        shown = session.read_prompt()
        if "Play again?" in shown:
            break
        actions = [match[1].strip() for line in shown.split("\n") if (match := LISTED.match(line))]
        session.type(rng.choice(actions))
    session.type("no")
    session.read_prompt()
    assert session.close() == 0
    assert "The final table:" in session.screen
    assert re.search(r"1\. \w+ +\$ ", session.screen)
    (kept,) = (home / "deadwood" / "games").glob("*.deadwood")
    assert Game.load(kept).over


def names_in(text):
    return re.findall(r"^[> ] (\w+): rank", text, re.MULTILINE)


@pytest.mark.rule("R13.2")
def test_the_table_shows_everything(home):
    typed = b"yes\nmove saloon = card 2\ntake extra 1\ntable\nrules\nhelp\n"
    _, shown = run("Ada", "Bo", "Cy", "--dice", "table", "--first", "Ada", typed=typed)
    assert "Day 1 of 3, 10 scenes left." in shown
    assert names_in(shown) == ["Ada", "Bo", "Cy"]
    assert "> Bo: rank 1, $0, 0 credits, Trailers" in shown
    assert "Ada: rank 1, $0, 0 credits, Saloon as 'Swinging Door Tester'" in shown
    assert "Bank: face down, 1 of 1 shots left" in shown
    assert re.search(r'Saloon: ".+" \(card 2\), budget 3, 2 of 2 shots left', shown)
    assert re.search(r"extra 1: rank 1 Swinging Door Tester, .* - Ada", shown)
    assert "(R7.2)" in shown
    assert "save FILE" in shown


@pytest.mark.rule("R13.3", "R3.6")
def test_what_is_not_possible_is_told_and_costs_nothing(home):
    file = home / "game.deadwood"
    typed = b"yes\nact\nmove church\nfly\n\ntake star 1\nundo\nupgrade 2 dollars\n"
    code, shown = run("Ada", "Bo", "--save", file, "--first", "Ada", typed=typed)
    assert code == 0
    for sentence in (
        "You are not working on a role",
        "There is no doorway from the Trailers to the Church",
        "'fly' is not an action",
        "No scene is shot at the Trailers",
        "There is nothing to take back",
        "You can only upgrade at the Casting Office",
    ):
        assert sentence in shown
    assert Game.load(file).steps == ()


def test_junk_is_told_and_does_no_harm(home):
    file = home / "game.deadwood"
    junk = b"yes\n\x00\x1b[2J\xff\xfe\n" + b"x" * 100_000 + b"\n\xf0\x9f\xa4\xa0\nsave\nend\n"
    code, shown = run("Ada", "Bo", "--save", file, typed=junk)
    assert code == 0
    assert shown.count("is not an action") == 3
    assert "\x1b" not in shown
    assert max(map(len, shown.split("\n"))) < 600
    assert len(Game.load(file).steps) == 1


def test_the_end_of_the_input_keeps_the_game_and_says_how_to_go_on(home):
    file = home / "game.deadwood"
    _, shown = run("Ada", "Bo", "--save", file, "--seed", 5, typed=b"yes\nend\n")
    assert f"To go on: deadwood play --plain --load '{file}'" in shown
    _, shown = run("--load", file, typed=b"undo\nend\nend\nquit\n")
    assert "Taken back." in shown
    assert len(Game.load(file).steps) == 2


def test_a_copy_can_be_saved(home):
    copy = home / "copy.deadwood"
    _, shown = run("Ada", "Bo", typed=f"yes\nend\nsave {copy}\nsave {home}/no/such/folder\n".encode())
    assert f"Saved in {copy}." in shown
    assert "no/such" in shown
    assert len(Game.load(copy).steps) == 1


@pytest.mark.rule("R12.7")
def test_real_dice_are_asked_for_until_they_fit(home):
    file = home / "game.deadwood"
    typed = (
        "yes\nmove saloon\n99\n2\ntake star 1\nmove saloon\nend\n"  # card 2 has a budget of 3
        "act\n7\n6\nend\nact\n6\n1 2\n6 1 9\n6 1 2\n"
    )
    _, shown = run("Ada", "Bo", "--dice", "table", "--first", "Ada", "--save", file, typed=typed.encode())
    assert "There is no card 99" in shown
    assert "A die shows 1 to 6, not 7." in shown
    assert "The 3 bonus dice: " in shown
    assert "A die shows 1 to 6, not 9." in shown
    assert "Ada: act = 6 / 6 2 1" in file.read_text()


def test_the_menu_forgives(home):
    (home / "bad.deadwood").write_text("nonsense")
    typed = f"dance\nload {home}/none\nload {home}/bad.deadwood\nrules\nquit\n".encode()
    code, shown = run(typed=typed)
    assert code == 0
    assert "'dance' is none of the choices" in shown
    assert "No such file" in shown
    assert "not a record" in shown
    typed = b"new\nmany\n2\nResult\nAda\nada\n\nmaybe\nno\n"
    _, shown = run(typed=typed)
    assert "'many' is not a number" in shown
    assert "Nobody can be called 'Result'" in shown
    assert "'ada' already" in shown
    assert "Please answer yes or no." in shown


def test_a_saved_game_is_gone_on_with_from_the_menu(home):
    file = home / "game.deadwood"
    Game.new(["Ada", "Bo"], seed=1).save(file)
    run(typed=f"load {file}\nend\n".encode())
    assert len(Game.load(file).steps) == 1
