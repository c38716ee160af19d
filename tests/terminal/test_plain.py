"""The plain line mode, through a pipe and through a real pseudo-terminal.

Holds `terminal.console`, `terminal.plain_texts`, `terminal.sentences`, `terminal.summary` and `terminal.views`.
"""

import os
import pty
import random
import re
import shlex
import signal
import subprocess
import sys

import pytest

from deadwood import Game, bots
from deadwood.engine.seats import Seat

from .hanging_up import hanging_up

COMMAND = [sys.executable, "-m", "deadwood", "play", "--plain", "--no-editing"]
LISTED = re.compile(r"^  ((?:move|take|act|rehearse|upgrade|end)\b[a-z0-9 -]*?)(?:  .*)?$")
PROMPT = re.compile(rb"(?:\w> |\[\w+\] |\d\? )$")  # a player's name, a suggested answer, or a range
WAYS = (
    str,
    str.upper,
    lambda text: text.replace("-", " "),
    lambda text: text.replace("take ", "work ").replace("move ", "go to the ").replace("act", "roll"),
    lambda text: text.replace(" dollars", " $").replace(" credits", " cr").replace("end", "pass"),
    lambda text: text[:3] + text[text.index(" ") :] if " " in text else text[:3],
)


def run(*words, typed=b""):
    done = subprocess.run([*COMMAND, *map(str, words)], input=typed, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return done.returncode, (done.stdout + done.stderr).decode()


def answers(shown):
    """What was shown after each typed line; the first item is what came before any."""
    return re.split(r"(?:^|\n)[\w ]+> ", shown)


def games(home):
    return sorted((home / "deadwood" / "games").glob("*.deadwood"))


class Session:
    """A game at a pseudo-terminal: types a line whenever a prompt waits."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        words = [*COMMAND, *map(str, words)]
        with hanging_up():
            self.process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.screen = ""

    def read_prompt(self):
        """Everything up to the next prompt, or to the end of the program."""
        read = b""
        while not PROMPT.search(read):
            try:
                read += os.read(self.master, 65536)
            except OSError:  # as Linux reports the end of a pseudo-terminal
                break
        shown = read.decode()
        self.screen += shown
        return shown.replace("\r", "")

    def type(self, text):
        os.write(self.master, text.encode() + b"\n")

    def close(self):
        os.close(self.master)
        return self.process.wait()

    def played_on(self, rng):
        """Play listed actions, spelled in various ways, until something else is asked."""
        for _ in range(2000):
            shown = self.read_prompt()
            actions = [match[1].strip() for line in shown.split("\n") if (match := LISTED.match(line))]
            if not actions:
                return shown
            self.type(rng.choice(WAYS)(rng.choice(actions)))
        raise AssertionError("the game does not end")


@pytest.mark.rule("R13.1", "R13.3", "R13.4", "R13.5")
def test_a_whole_game_at_a_pseudo_terminal(home):
    """Start menu, set-up, "Ready to begin?", a whole game from what is listed, final table, "Play again?"."""
    session = Session("--seed", "7", "--days", "1")
    rng = random.Random(3)
    assert "new, load FILE, games, rules or quit?" in session.read_prompt()
    session.type("")
    assert "How many players, 2 to 8?" in session.read_prompt()
    session.type("2")
    for name in ("Ada", "Bo"):
        assert f"[{name}]" in session.read_prompt()
        session.type("")
    assert "Ready to begin?" in session.read_prompt()
    session.type("")
    assert "Play again?" in session.played_on(rng)
    session.type("yes")
    assert "take their places" in session.read_prompt()
    session.type("end")
    session.read_prompt()
    session.type("quit")
    session.read_prompt()
    assert session.close() == 0
    assert "Final scores:" in session.screen
    assert re.search(r"1\. \w+ +\$\d", session.screen)
    assert "is not an action" not in session.screen
    assert "\x1b" not in session.screen
    first, second = sorted(map(Game.load, games(home)), key=lambda game: not game.over)
    assert first.over
    assert len(second.steps) == 1


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
    assert "Bank: face down, 1 shot left" in shown
    assert re.search(r'Saloon: ".+", \$3M, 2 shots left \(card 2\)', shown)
    assert re.search(r"extra 1: rank 1 Swinging Door Tester, .* - Ada", shown)
    assert "(R7.2)" in shown
    assert "save FILE" in shown


@pytest.mark.rule("R13.3", "R3.6")
def test_impossible_actions_are_explained_and_cost_nothing(home):
    file = home / "game.deadwood"
    typed = b"yes\nact\nmove church\nfly\n\ntake star 1\nundo\nupgrade 2 dollars\n"
    code, shown = run("Ada", "Bo", "--save", file, "--first", "Ada", typed=typed)
    assert code == 0
    for sentence in (
        "You are not working on a role",
        "There is no doorway from the Trailers to the Church",
        "'fly' is not an action",
        "No scenes are shot at the Trailers",
        "There is nothing to take back",
        "You can only upgrade at the Casting Office",
    ):
        assert sentence in shown
    assert Game.load(file).steps == ()


def test_junk_is_explained_and_does_no_harm(home):
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
    assert f"To continue: deadwood play --plain --load '{file}'" in shown
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
    typed = f"dance\nload\nload {home}/none\nload {home}/bad.deadwood\nrules\nquit\n".encode()
    code, shown = run(typed=typed)
    assert code == 0
    assert "'dance' is not one of the choices" in shown
    assert "Write 'load' and the name of a file, or a number" in shown
    assert "No such file" in shown
    assert "not a record" in shown
    code, shown = run(typed=b"quit\n")
    assert (code, shown.endswith("rules or quit? [new] ")) == (0, True), "the menu ends at once"
    for typed in (b"new\nquit\n", b"new\n2\nquit\n"):
        assert run(typed=typed)[1].endswith("Goodbye.\n")
    typed = b"new\nmany\n2\nResult\nAda\nada\n\nmaybe\nno\n"
    _, shown = run(typed=typed)
    assert "'many' is not a number" in shown
    assert "Nobody can be called 'Result'" in shown
    assert "'ada' is taken" in shown
    assert "Please answer yes, no or options." in shown


def test_a_saved_game_is_gone_on_with_from_the_menu(home):
    file = home / "game.deadwood"
    Game.new(["Ada", "Bo"], seed=1).save(file)
    run(typed=f"load {file}\nend\n".encode())
    assert len(Game.load(file).steps) == 1


def test_all_commands_and_their_beginnings(home):
    typed = (
        "yes\nwho\nwhere\nBOARD\nroles\nodds\nlog\nlog 1\nlog 0\nlog many\nwh\nhe\nhint\n"
        "go sal = card 2\nrol\nrole\nwork clock\nend\nodd\nroles\nwhe\nrehearse\nend\nodds\nrul\nundo\nq\n"
    )
    code, shown = run("Ada", "Bo", "--dice", "table", "--first", "Ada", typed=typed.encode())
    replies = answers(shown)
    assert code == 0
    assert replies[1] == "> Ada: rank 1, $0, 0 credits, Trailers\n  Bo: rank 1, $0, 0 credits, Trailers"
    assert replies[2].split("\n")[1:4] == [
        "  Trailers: Ada, Bo",
        "Next door:",
        "  Main Street: face down, 3 shots left",
    ]
    assert replies[3].count("    doors to ") == 12
    assert "Casting Office: ranks are sold here\n    doors to Train Station, Secret Hideout, Ranch" in replies[3]
    assert replies[4] == "No scenes are shot at the Trailers; look for a role on a set."
    assert replies[5] == "You are not working on a role; take one first."
    assert len(replies[6].split("\n")) == 2
    assert replies[7].startswith("Day 1 of 3 begins")
    assert replies[8] == replies[9] == "How many? Write 'log' and a number, as in 'log 20'."
    assert replies[10] == "'wh' could be who or where; write more of it."
    assert "undertaker" in replies[11]
    assert replies[12].startswith("What the bot 'Champion' thinks, best first:\n  Move to ")
    assert replies[12].count(" points at the end. Heads for ") == 4  # three moves, and the end of the turn
    replies.pop(12)
    assert "At the Saloon Ada turns card 2" in replies[12]
    assert replies[13] == "You are not working on a role; take one first."  # rol is roll before it is roles
    assert re.search(r"star 1: rank 1 Town Clock, .* - open to you\n", replies[14])
    assert "- no: Rank 1 is too low for the rank-5 role 'Sheriff Dot Larkin'." in replies[14]
    assert "Ada takes the rank-1 starring role 'Town Clock'" in replies[15]
    assert "Acting succeeds on 3 or more: 67% (2/3).\nWith one more practice chip: 83%." in replies[17]
    assert "Success pays 2 credits, failure pays nothing.\n2 shots to go until the scene wraps." in replies[17]
    assert "your bonus would be $2.0 on average, from $1 to $6." in replies[17]
    assert re.search(r"star 1: .* - Ada\n", replies[18])
    assert "open to you" not in replies[18]
    assert replies[18].endswith(
        "You are already working as 'Town Clock'; you keep that role until the scene wraps or the day ends."
    )
    assert "Saloon: \"High Noonish\", $3M, 2 shots left (card 2); Ada as 'Town Clock'" in replies[19]
    assert "has 1 chip now" in replies[20]
    assert "Acting succeeds on 2 or more: 83% (5/6).\nWith one more practice chip: 100%." in replies[22]
    assert "(R7.2)" in replies[23]
    assert replies[24].startswith("Taken back.")
    assert "To continue: " in replies[25]


def test_no_command_hides_an_action(home):
    typed = b"yes\nt\nu\ne\nr\n"
    _, shown = run("Ada", "Bo", "--first", "Ada", typed=typed)
    replies = answers(shown)
    assert replies[1] == "There are no roles at the Trailers."
    assert replies[2].startswith("Which rank")
    assert replies[3].startswith("Ada is done")
    assert replies[4] == "'r' could be roll or rehearse; write more of it."


def test_bots_play_by_themselves_to_the_end(home):
    file = home / "bots.deadwood"
    words = ("--bot", "random", "--bot", "random", "--bot", "random", "--seed", 4, "--days", 1)
    code, shown = run(*words, "--save", file, typed=b"")
    assert code == 0
    assert "Players: Random Randy (bot, Random), Random Annie (bot, Random), Random Buck (bot, Random)." in shown
    assert re.search(r"1\. Random \w+ +\$\d", shown)
    assert "[yes]" not in shown
    assert Game.load(file).over
    assert run(*words, "--save", home / "same.deadwood")[1].replace("same", "bots") == shown


def test_people_play_with_bots(home):
    typed = b"yes\nend\nundo\nend\nend\nquit\n"
    _, shown = run("Ada", "random randy", "--bot", "random", "--first", "Ada", "--seed", 1, typed=typed)
    assert "Players: Ada, random randy, Random Annie (bot, Random)." in shown
    assert "random randy is done, and it is Random Annie's turn." in shown
    assert answers(shown)[2].startswith("Taken back.\n")
    game = Game.load(games(home)[0])
    assert game.seats == (Seat("red"), Seat("blue"), Seat("green", "random"))
    assert {step.seat for step in game.steps} == {0, 1, 2}
    assert game.state.active == 0


def test_bots_are_chosen_in_the_menu(home):
    typed = b"new\n2\nBot Random\n\nyes\nend\nquit\n"
    _, shown = run("--seed", 1, typed=typed)
    offered = ", ".join(f"bot {name}" for name in bots.names()).replace(", bot champion", " or bot champion")
    assert f"Name of player 1, or {offered}? [Ada] " in shown
    assert "Players: Random Randy (bot, Random), Ada." in shown
    _, shown = run("--bot", "random", typed=b"\n8\n1\nZoe\nyes\nquit\n")
    assert "How many more players, 1 to 7? '8' is not a number from 1 to 7." in shown
    assert "Players: Zoe, Random Randy (bot, Random)." in shown


def test_bots_at_a_table_with_real_dice_say_what_they_play(home):
    typed = b"yes\nend\n\n99\n7\n"
    _, shown = run("Ada", "--bot", "random", "--dice", "table", "--first", "Ada", "--seed", 2, typed=typed)
    asked = r"Random Randy plays 'move [a-z-]+'\.\nNumber or title of the card that was turned: "
    assert re.search(asked + "Enter the number of the card", shown)
    assert "There is no card 99" in shown
    assert "turns card 7" in shown


@pytest.mark.rule("R12.7")
def test_outcomes_may_be_typed_in_parts_or_not_at_all(home):
    file = home / "game.deadwood"
    typed = (
        "yes\nmove hotel\n\nmove saloon\nCard 2\ntake star 1\nend\nact\n\nact = 6\nend\n"
        "act = 6 / 1\n3 2 1\nmove jail = card 3\nmove main = card 1 = 2\n"
    )
    _, shown = run("Ada", "Bo", "--dice", "table", "--first", "Ada", "--save", file, typed=typed.encode())
    assert shown.count("The action was not played.") == 2
    assert "3 bonus dice are rolled, not 1." in shown
    assert "Ada: act = 6 / 3 2 1" in file.read_text()
    assert "There is no doorway from the Trailers to the Jail" in shown
    assert "'card 1 = 2' does not name a card" in shown


def test_fair_dice_cannot_be_chosen(home):
    _, shown = run("Ada", "Bo", "--first", "Ada", typed=b"yes\ngo saloon = card 2\n")
    assert "The program rolls the dice in this game" in shown


def test_junk_in_every_place_is_shown_harmless(home):
    junk = b"\x1b[31m\x07\x00\xff\xe2\x80\xae~nobody/"
    for before in (b"", b"load ", b"new\n", b"new\n2\n", b"new\n2\n\n\n", b"new\n2\n\n\n\n"):
        code, shown = run(typed=before + junk + b"\nsave " + junk + b"\nlog " + junk + b"\ngo " + junk + b"\n\x1b\n")
        assert code == 0
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", shown)


def test_a_copy_replaces_nothing(home):
    copy = home / "copy.deadwood"
    copy.write_text("mine")
    _, shown = run("Ada", "Bo", typed=f"yes\nsave {copy}\nsave {home}\nsave {'x' * 5000}\n".encode())
    assert f"{copy} already exists; choose another name." in shown
    assert f"{home} already exists" in shown
    assert "File name too long" in shown
    assert copy.read_text() == "mine"


def test_a_game_is_played_by_one_program_at_a_time(home):
    file = home / "game.deadwood"
    session = Session("Ada", "Bo", "--save", file)
    session.read_prompt()
    session.type("yes")
    session.read_prompt()
    before = file.read_bytes()
    code, shown = run("--load", file, typed=b"end\n")
    assert code == 1
    assert f"Error: {file} is being played by another program; quit there first" in shown
    code, shown = run(typed=f"load {file}\nquit\n".encode())
    assert "is being played by another program" in shown
    assert file.read_bytes() == before
    session.type("quit")
    session.read_prompt()
    assert session.close() == 0
    assert run("--load", file, typed=b"end\n")[0] == 0


@pytest.mark.parametrize("how", ["kill", "hang up", "interrupt", "end of file"])
def test_a_game_goes_on_after_whatever_stopped_it(home, how):
    session = Session("Ada", "Bo", "--seed", 3, "--days", 1)
    for text in ("yes", "end", "end", "end"):
        session.read_prompt()
        session.type(text)
    session.read_prompt()
    match how:
        case "kill":
            session.process.kill()
        case "hang up":
            session.process.send_signal(signal.SIGHUP)
        case "interrupt":
            session.process.send_signal(signal.SIGINT)
        case "end of file":
            os.write(session.master, b"\x04")
    session.read_prompt()
    session.close()
    (file,) = games(home)
    if how in {"interrupt", "end of file"}:
        assert session.process.returncode == 0
        assert f"To continue: deadwood play --plain --load '{file}'" in session.screen
        assert "deadwood play --plain --continue" in session.screen
    assert len(Game.load(file).steps) == 3
    session = Session("--continue")
    assert "Play again?" in session.played_on(random.Random(1))
    session.type("no")
    session.read_prompt()
    assert session.close() == 0
    assert Game.load(file).over


def test_bots_are_stopped_in_the_middle(home):
    """The game is kept, whether somebody interrupts it or nobody reads its output."""
    words = [*COMMAND, *["--bot", "random"] * 6]  # they say more than a pipe holds
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bots:
        for _ in range(20):
            bots.stdout.readline()
        bots.send_signal(signal.SIGINT)
        shown, problems = bots.communicate()
    assert (bots.returncode, problems) == (0, b"")
    assert b"--continue" in shown
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bots:
        bots.stdout.readline()
        bots.stdout.close()
        assert (bots.stderr.read(), bots.wait()) == (b"", 1)
    assert all(not Game.load(file).over for file in games(home))


def test_the_menu_offers_to_continue_if_there_is_a_game(home):
    assert "new, load FILE, games, rules or quit?" in run(typed=b"cont\nquit\n")[1]
    run("Ada", "Bo", "--first", "Bo", typed=b"yes\n")
    _, shown = run(typed=b"cont\nend\n")
    assert "new, continue, load FILE, games, rules or quit?" in shown
    (file,) = games(home)
    assert len(Game.load(file).steps) == 1


def test_a_game_elsewhere_is_not_the_latest(home):
    file = home / "it's here.deadwood"
    _, shown = run("Ada", "Bo", "--save", file, typed=b"yes\n")
    quoted = str(file).replace("'", "'\\''")
    assert f"--load '{quoted}'" in shown
    assert "--continue" not in shown
    code, shown = run("--continue")
    assert code == 1
    assert "There is no unfinished game to continue" in shown


def test_without_a_keyboard(home):
    command = f"{shlex.join([*COMMAND, 'Ada', 'Bo'])} <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"Goodbye.\n")


def test_colour_only_where_it_is_asked_for_and_only_for_names(home, monkeypatch):
    words = ("Ada", "Ad", "--first", "Ada", "--colour")
    typed = b"yes\nend\n"
    assert "\x1b" not in run(*words[:-1], typed=typed)[1]
    assert "\x1b" not in run(*words, "--no-colour", typed=typed)[1]
    shown = run(*words, typed=typed)[1]
    assert set(re.findall(r"\x1b\[38;2;\d+;\d+;\d+m(.*?)\x1b\[0m", shown)) == {"Ada", "Ad"}
    assert "\x1b" not in re.sub(r"\x1b\[38;2;\d+;\d+;\d+m(Ada|Ad)\x1b\[0m", "", shown)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(*words, typed=typed)[1]


def test_a_terminal_without_unicode(home, monkeypatch):
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    code, shown = run("Ada", "Bo", typed="yes\ngo \N{SNOWMAN}\nrules\n".encode())
    assert code == 0
    assert "There is no place called" in shown
