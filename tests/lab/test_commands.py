"""`deadwood simulate`, `arena` and `report` as people run them: real processes.

Holds `cli.lab`, `lab.contestants` and `lab.tables`.
"""

import json
import subprocess
import sys

import polars as pl
import pytest
from click.testing import CliRunner

from deadwood.cli import main

from .. import own_files

pytestmark = pytest.mark.usefixtures("home")

MY_BOT = """
class MyBot:
    def __init__(self, seed=None):
        pass

    def decide(self, state, actions):
        return actions[0]

class Shy(MyBot):
    def decide(self, state, actions):
        return actions[-1]

class Cheat(MyBot):
    def decide(self, state, actions):
        return None

NOT_A_BOT = dict
"""


@pytest.fixture
def my_bot(home):
    (home / "mybot.py").write_text(MY_BOT)


def deadwood(*words):
    return subprocess.run([sys.executable, "-m", "deadwood", *words], capture_output=True, text=True, check=False)


def test_simulate_says_who_won(home):
    done = deadwood("simulate", "--seats", "hopeful,extra", "--games", "20", "--days", "1", "--jobs", "1")
    assert done.returncode == 0
    assert "20 games are in runs/hopeful-extra.parquet." in done.stdout
    assert "1 hopeful" in done.stdout
    assert pl.read_parquet("runs/hopeful-extra.parquet")["days"].to_list() == [1] * 20


def test_custom_decks_and_boards_are_played_in_both(home):
    (home / "deck.toml").write_text(own_files.DECK, "utf-8")
    (home / "board.toml").write_text(own_files.BOARD, "utf-8")
    files = ["--deck", "deck.toml", "--board", "board.toml", "--layout", "long", "--days", "1", "--jobs", "1"]
    done = deadwood("simulate", "--seats", "hopeful,extra", "--games", "3", "--out", "own.parquet", *files)
    assert (done.returncode, done.stderr) == (0, "")
    assert pl.read_parquet("own.parquet")["layout"].unique().to_list() == ["SMCH"]
    done = deadwood("arena", "--bots", "hopeful,extra", "--games", "4", "--players", "2", *files)
    assert (done.returncode, done.stderr) == (0, "")


def test_simulate_keeps_decisions_and_counts_games_cut_off():
    done = deadwood(
        "simulate", "--seats", "random,random", "--games", "3", "--limit", "40", "--decisions", "--out", "a.parquet"
    )
    assert "3 of them reached 40 decisions and were cut off; nobody won those." in done.stdout
    assert "Their decisions are in a.decisions.parquet." in done.stdout
    assert len(pl.read_parquet("a.decisions.parquet")) == 120


def test_a_class_in_the_current_folder_can_play(my_bot):
    done = deadwood(
        "arena", "--bots", "mybot:MyBot,random", "--games", "4", "--players", "2", "--limit", "3000", "--json"
    )
    assert done.returncode == 0, done.stderr
    (ranking,) = json.loads(done.stdout)
    assert {line["bot"] for line in ranking["lines"]} == {"mybot:MyBot", "random"}
    done = deadwood("simulate", "--seats", "mybot:Shy,random", "--games", "2", "--limit", "50", "--jobs", "2")
    assert "2 games are in runs/mybot.Shy-random.parquet." in done.stdout


def test_arena_ranks_and_crosses():
    done = deadwood("arena", "--bots", "hopeful,extra,random", "--games", "6", "--players", "2,3", "--days", "1")
    assert done.returncode == 0
    for text in ("Tables of 2: 6 games", "Tables of 3: 6 games", "All tables: 12 games", "ends ahead of", "fair share"):
        assert text in done.stdout


def test_the_arena_takes_luck_out_unless_it_only_counts():
    words = ("arena", "--bots", "extra,random", "--games", "40", "--players", "2", "--days", "1", "--jobs", "1")
    done = deadwood(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(without_luck(done.stdout)) == 2
    assert "- -" not in without_luck(done.stdout)
    plain = deadwood(*words, "--plain")
    assert without_luck(plain.stdout) == ["- -", "- -"]
    assert [line.split()[:4] for line in plain.stdout.splitlines()] == [
        line.split()[:4] for line in done.stdout.splitlines()
    ]


def without_luck(text):
    """By bot, what a ranking says in its columns about luck."""
    heads, *lines = text.split("\n\n")[1].splitlines()
    first, end = heads.index("win share") + len("win share"), heads.index("a game counts as") + len("a game counts as")
    return [" ".join(line[first:end].split()) for line in lines]


def test_an_arena_without_usable_weights_says_so_and_counts(home, monkeypatch):
    (home / "broken.npz").write_text("no weights")
    monkeypatch.setenv("DEADWOOD_CHAMPION", "broken.npz")
    words = ("arena", "--bots", "extra,random", "--games", "4", "--players", "2", "--days", "1", "--jobs", "1")
    done = deadwood(*words)
    assert (done.returncode, done.stderr) == (0, "Luck is not measured. broken.npz is not a file of weights.\n")
    assert without_luck(done.stdout) == ["- -", "- -"]
    assert deadwood(*words, "--plain").stderr == ""


def test_arena_ladder():
    done = deadwood("arena", "--ladder", "--bots", "hopeful,random,extra", "--games", "6", "--days", "1", "--jobs", "1")
    assert done.returncode == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()[1::2]] == [["extra", "random"], ["hopeful", "extra"]]
    assert "by luck alone" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["simulate"], "Missing option '--seats'"),
        (["simulate", "--seats", "star,genius"], "There is no bot called 'genius'; choose from: random"),
        (["simulate", "--seats", "star"], "2 to 8 players"),
        (["simulate", "--seats", "star,star", "--games", "0"], "not in the range 1<=x"),
        (["simulate", "--seats", "star,star", "--jobs", "0"], "not in the range x>=1"),
        (["simulate", "--seats", "star,star", "--seed", "-1"], "'-1' is not a whole number"),
        (["simulate", "--seats", "star,star", "--out", "a.csv"], "'a.csv' should end in .parquet"),
        (["simulate", "--seats", "star,star", "--games", "999999999999"], "not in the range 1<=x<=100000000"),
        (
            ["simulate", "--seats", "star,star", "--deck", "tarot.toml"],
            "is not a file, nor classic or studio",
        ),
        (["simulate", "--seats", "extra,extra", "--vector", "--decisions"], "without --decisions and --ray"),
        (["arena", "--bots", "star,extra", "--first", "Seat 1"], "No such option"),
        (["simulate", "--seats", "star,star", "--layout", "XY/ZZ"], "XY/ZZ"),
        (["simulate", "--seats", "star,star", "--first", "Ada"], "Seat 1"),
        (["simulate", "--seats", "nowhere:Bot,star"], "There is no bot 'nowhere:Bot'"),
        (["simulate", "--seats", "mybot:Nobody,star"], "There is no bot 'mybot:Nobody'"),
        (["simulate", "--seats", "mybot:NOT_A_BOT,star"], "cannot be created with a seed"),
        (["simulate", "--seats", "json:loads,star"], "cannot be created with a seed"),
        (["simulate", "--seats", "builtins:str,star"], "it has no decide"),
        (
            ["simulate", "--seats", "mybot:Cheat,extra", "--jobs", "2"],
            "The bot 'mybot:Cheat' chose None",
        ),
        (["simulate", "--seats", "extra,extra", "--ray", "127.0.0.1:1"], "There is no Ray cluster at '127.0.0.1:1'"),
        (["arena", "--bots", "star"], "needs two bots or more"),
        (["arena", "--bots", "star,genius"], "There is no bot called 'genius'"),
        (["arena", "--players", "1,2"], "'1' is not a number of players from 2 to 8"),
        (["arena", "--players", "two"], "'two' is not a number of players"),
        (["arena", "--ladder", "--players", "3"], "choose an even number of players, not 3"),
        (["report", "nothing.parquet"], "does not exist"),
        (["report", "mybot.py"], "should end in .parquet"),
    ],
)
def test_wrong_arguments_get_a_clear_sentence(my_bot, home, monkeypatch, words, problem):
    """In this process, because there are many."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = sorted(file.name for file in home.iterdir() if file.name != "__pycache__")
    done = CliRunner().invoke(main, words)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code != 0
    assert problem in " ".join(done.stderr.split())
    assert sorted(file.name for file in home.iterdir() if file.name not in ("__pycache__", "runs")) == before
    assert not list(home.glob("runs/*"))
