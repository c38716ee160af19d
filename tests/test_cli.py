"""The `deadwood` command as people run it; the lab's commands are in `tests/lab/test_commands.py`.

Holds `cli.arguments`, `cli.files`, `cli.play`, `cli.program`, `cli.records` and `terminal.transcript`.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from deadwood import Game, Options, load_deck, narrate
from deadwood.cli import main
from deadwood.engine.loading import DATA, FILE_BYTES

from . import own_files

GOLDEN = Path(__file__).parent / "engine" / "golden"
RECORD = next(GOLDEN.glob("04-*"))

pytestmark = pytest.mark.usefixtures("home")


def run(*words, typed="", env=None):
    return subprocess.run(
        [sys.executable, "-m", "deadwood", *map(str, words)],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **(env or {})},
        check=False,
    )


def test_help_and_version():
    assert "play" in run("--help").stdout
    assert run("--version").stdout.startswith("deadwood, version ")


def test_verify_a_good_record():
    done = run("verify", RECORD)
    assert done.returncode == 0
    assert done.stdout.count("    ok  ") == 5


def test_verify_a_changed_record(tmp_path):
    changed = tmp_path / "changed.deadwood"
    changed.write_text(RECORD.read_text("utf-8").replace("\nseed: ", "\nseed: 00")[:-2] + "\n", "utf-8")
    done = run("verify", changed)
    assert done.returncode == 1
    assert "hexadecimal" in done.stderr
    text = RECORD.read_text("utf-8")
    salt = text.split("salts: ")[1][:64]
    changed.write_text(text.replace(salt, "ab" * 32), "utf-8")
    done = run("verify", changed)
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert "does NOT come from the seed" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["verify", "nowhere.deadwood"], "does not exist"),
        (["verify"], "Missing argument 'FILE'"),
        (["play", "--plain", "Ada"], "2 to 8 players, not for 1. To play against a bot, add --bot regular."),
        (["play", "--plain", "Ada", "\udcff"], "which is not allowed in names"),
        (["play", "--plain", "Ada", "ada"], "'ada' is taken"),
        (["play", "--plain", "Ada", "Bo", "--layout", "GG"], "layout"),
        (["play", "--plain", "Ada", "Bo", "--colours", "red,red"], "all colours must be different"),
        (["play", "--plain", "Ada", "Bo", "--colours", "mauve"], "There is no colour 'mauve'; the colours are red"),
        (
            ["play", "--plain", "Ada", "Bo", "--first", "Cy"],
            "Nobody here is called 'Cy'; the first player can be Ada, Bo or random.",
        ),
        (["play", "--plain", "Ada", "Bo", "--layout", "GM/CX"], "spell it with G, M, C and H"),
        (["play", "--plain", "Ada", "Bo", "--days", "9"], "9 is not in the range 1<=x<=4"),
        (["play", "--plain", "Ada", "Bo", "--days", "some"], "'some' is not a valid integer"),
        (["play", "--plain", "Ada", "Bo", "--deck", "tarot"], "'tarot' is not a file, nor classic or studio."),
        (["play", "--plain", "Ada", "Bo", "--deck", __file__], "test_cli.py: "),
        (["play", "--plain", "Ada", "Bo", "--board", "nowhere.toml"], "does not exist"),
        (["play", "--plain", "Ada", "--bot", "nowhere:Bot"], "There is no bot 'nowhere:Bot'"),
        (["play", "--plain", "Ada", "--bot", "json:loads"], "cannot be created with a seed"),
        (["deck", "check", "nowhere.toml"], "does not exist"),
        (["deck", "check", RECORD], "Expected '=' after a key in a key/value pair (line 1)"),
        (["board", "check", DATA / "classic.toml"], "classic.toml: there is no field 'cards' (line 3)"),
        (["deck", "import", RECORD, "--out", "."], "this is not XML"),
        (["deck", "import", RECORD], "Missing option '--out'"),
        (["deck", "chekc"], "No such command 'chekc'"),
        (["play", "--plain", "Ada", "Bo", "--ties", "never"], "is not one of 'later', 'shared'"),
        (["play", "--plain", "Ada", "Bo", "--bonus", "none"], "is not one of 'roles', 'actors'"),
        (["play", "--plain", "Ada", "Bo", "--dice", "loaded"], "is not one of 'fair', 'table'"),
        (["play", "--plain", "Ada", "Bo", "--seed", "seven"], "'seven' is not a whole number from 0 to 2**256 - 1"),
        (["play", "--plain", "Ada", "Bo", "--seed", "-1"], "'-1' is not a whole number"),
        (["play", "--plain", "Ada", "Bo", "--seed", 2**256], "is not a whole number from 0 to 2**256 - 1"),
        (["play", "--plain", "Ada", "Bo", "--seed", "9" * 5000], "is not a whole number"),
        (["play", "--plain", "--players", "Ada,,Bo"], "A name must not be empty"),
        (["play", "--plain", "--players", "Ada"], "2 to 8 players, not for 1"),
        (["play", "--plain", "--players", "Ada,Bo", "Cy"], "Give the names directly or with --players, not both"),
        (["play", "--plain", *"ABCDEFGHI"], "2 to 8 players, not for 9"),
        (["play", "--plain", *"ABCDEFGH", "--bot", "random"], "2 to 8 players, not for 9"),
        (["play", "--plain", *["--bot", "random"] * 30], "2 to 8 players, not for 30"),
        (["play", "--plain", "Ada", "--bot", "genius"], "There is no bot called 'genius'; choose from: random"),
        (["play", "--plain", "--load", __file__], f"{__file__}: Line 1: This is not a record"),
        (["play", "--plain", "--load", "nowhere"], "does not exist"),
        (["play", "--plain", "--load", RECORD, "--continue"], "Give --load or --continue, not both"),
        (["play", "--plain", "--load", RECORD, "Ada", "--seed", "7"], "--load continues a game as it is; leave out"),
        (["play", "--plain", "--continue", "--bot", "random"], "as it is; leave out --bot."),
        (["play", "--plain", "--continue", "--deck", "classic"], "as it is; leave out --deck."),
        (["play", "--plain", "--continue"], "There is no unfinished game to continue; start one"),
        (["play", "--plain", "Ada", "Bo", "--save", RECORD], "already; name a new file, or continue it with --load"),
        (["play", "--plain", "Ada", "Bo", "--save", "."], "is a directory"),
        (["play", "--plian", "Ada", "Bo"], "No such option"),
        (["replay", "--plain"], "Missing argument 'FILE'"),
        (["replay", "--plain", __file__], f"{__file__}: Line 1: This is not a record"),
        (["replay", "--plain", RECORD, "--from", "9999"], "There is no turn 9999; turns played: "),
        (["replay", "--plain", RECORD, "--from", "0"], "0 is not in the range x>=1"),
        (["replay", "--plain", RECORD, "--day", "5"], "The game has no turn on day 5; days played: 4."),
        (["replay", "--plain", RECORD, "--day", "1", "--from", "2"], "Give --from or --day, not both"),
        (["plya"], "No such command"),
    ],
)
def test_wrong_words_get_a_sentence_and_no_traceback(words, problem, home):
    """In this process, because there are many."""
    done = CliRunner().invoke(main, list(map(str, words)))
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code != 0
    assert problem in " ".join(done.stderr.split())


def test_a_game_that_cannot_start_is_a_usage_error():
    for words in (["Ada", "ada"], ["Ada"], ["Ada", "Bo", "--first", "Cy"]):
        assert CliRunner().invoke(main, ["play", "--plain", *words]).exit_code == 2


@pytest.mark.parametrize("command", [["verify"], ["replay", "--plain"], ["play", "--plain", "--load"]])
def test_a_file_that_is_not_text_is_named(home, command):
    (home / "picture.deadwood").write_bytes(b"\x89PNG\xff")
    done = CliRunner().invoke(main, [*command, "picture.deadwood"])
    assert done.exit_code == 1
    assert "picture.deadwood: Line 1: This is not a record: the file is not UTF-8 text." in done.stderr


def test_a_wrong_result_is_not_a_broken_rule(home):
    (home / "wrong.deadwood").write_text(RECORD.read_text("utf-8").replace("result: ", "result: Cy 3; "), "utf-8")
    done = CliRunner().invoke(main, ["verify", "wrong.deadwood"])
    assert "    ok  The record can be read and follows the rules" in done.stdout
    assert "FAILED  The end of the record, line " in done.stdout
    assert "does NOT follow" not in done.stdout


def test_a_wrong_word_in_a_real_process():
    done = run("play", "--plain", "Ada")
    assert done.returncode != 0
    assert "2 to 8 players, not for 1" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize("words", [[], ["play"], ["play", "Ada", "Bo"], ["replay", RECORD]])
def test_the_app_needs_a_terminal(words, home):
    done = run(*words)
    assert done.returncode == 2
    assert f"deadwood {'replay' if 'replay' in words else 'play'} --plain" in done.stderr
    assert not list(home.rglob("*.deadwood"))


def test_every_flag_of_a_new_game_reaches_it(home):
    file = home / "game.deadwood"
    options = "--deck studio --layout H'M/CG' --first bo --ties shared --bonus actors --days 2 --dice table --seed 7"
    words = ["--players", "Ada, Bo", "--bot", "random", "--colours", "white, Black", "--save", file]
    done = run("play", "--plain", *words, *options.split(), typed="yes\n")
    assert done.returncode == 0
    game = Game.load(file)
    assert game.state.table.names == ("Ada", "Bo", "Random Randy")
    assert [seat.bot for seat in game.seats] == [None, None, "random"]
    assert [seat.colour for seat in game.seats] == ["white", "black", "red"]
    assert game.state.table.options == Options(
        deck="studio", layout="H'M/CG'", first="Bo", ties="shared", bonus="actors", days=2, dice="table"
    )


def test_the_seed_decides_all_dice(home):
    records = []
    for name in ("one", "two"):
        words = ["--bot", "random", "--bot", "random", "--seed", 11, "--days", 1, "--layout", "random"]
        run("play", "--plain", *words, "--save", home / name)
        records.append((home / name).read_text("utf-8"))
    assert records[0] == records[1]
    assert f"seed: {11:064x}" in records[0]


def test_replay_narrates_a_game_from_its_record():
    game = Game.load(RECORD)
    done = run("replay", "--plain", RECORD)
    assert done.returncode == 0
    lines = done.stdout.split("\n")
    sentences = [narrate(event) for event in game.events]
    assert [line for line in lines if line in set(sentences)] == sentences
    days = [line for line in lines if re.fullmatch(r"Day \d of 4", line)]
    assert days == [f"Day {day} of 4" for day in range(1, 5)]
    turns = [line for line in lines if line.startswith("Turn ")]
    assert [int(re.match(r"Turn (\d+), ", line)[1]) for line in turns] == list(range(1, len(turns) + 1))
    assert re.search(r"  1\. \w+ +\$\d", done.stdout)


def test_replay_starts_at_a_turn_or_a_day():
    whole = run("replay", "--plain", RECORD).stdout
    later = run("replay", "--plain", RECORD, "--from", 30).stdout
    assert later.startswith("Day 1 of 4\n\nTurn 30, ")
    assert whole.endswith(later.removeprefix("Day 1 of 4"))
    third = run("replay", "--plain", RECORD, "--day", 3).stdout
    assert third.startswith("Day 3 of 4\n\nTurn ")
    assert whole.endswith(third.removeprefix("Day 3 of 4"))
    assert run("replay", "--plain", RECORD, "--day", 1).stdout == run("replay", "--plain", RECORD, "--from", 1).stdout


def test_replay_narrates_an_unfinished_game_as_far_as_it_went(tmp_path):
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=1)
    game.save(tmp_path / "none.deadwood")
    done = run("replay", "--plain", tmp_path / "none.deadwood")
    assert done.stdout.endswith("it is Ada's turn.\n\nThe game is not over yet: it is Ada's turn.\n")
    assert "turns played: 0" in run("replay", "--plain", tmp_path / "none.deadwood", "--from", 1).stderr
    game.play("end")
    game.play("move saloon")
    game.save(tmp_path / "some.deadwood")
    done = run("replay", "--plain", tmp_path / "some.deadwood")
    assert "\nTurn 2, Bo\nBo walks from the Trailers to the Saloon.\n" in done.stdout
    assert done.stdout.endswith("The game is not over yet: it is Bo's turn.\n")


def test_a_broken_record_is_refused_with_its_line(tmp_path):
    broken = tmp_path / "broken.deadwood"
    broken.write_text(RECORD.read_text("utf-8").replace("\nresult: ", "\nnobody: act\nresult: "), "utf-8")
    for words in (["replay", "--plain", broken], ["play", "--plain", "--load", broken]):
        done = run(*words)
        assert done.returncode == 1
        assert re.search(rf"Error: {broken}: Line \d+: The game is over, but another line follows\.", done.stderr)


def test_a_folder_that_cannot_be_written(home):
    (home / "file").write_text("")
    done = run("play", "--plain", "Ada", "Bo", "--save", home / "file" / "game.deadwood", typed="yes\n")
    assert done.returncode == 1
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def own(tmp_path):
    """The paths of a deck and a board."""
    (tmp_path / "deck.toml").write_text(own_files.DECK, "utf-8")
    (tmp_path / "board.toml").write_text(own_files.BOARD, "utf-8")
    return tmp_path / "deck.toml", tmp_path / "board.toml"


def test_a_game_with_a_custom_deck_and_board_is_played_saved_continued_replayed_and_verified(tmp_path, own):
    (deck, board), file = own, tmp_path / "own.deadwood"
    words = ["Ada", "Bo", "--first", "Ada", "--seed", 5, "--deck", deck, "--board", board, "--layout", "long"]
    done = run("play", "--plain", *words, "--save", file, typed="yes\nend\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        f"Board: {own_files.BOARD_NAME}; Deck: {own_files.DECK_NAME}; Layout: long; First player: Ada;" in done.stdout
    )
    for path in own:
        path.unlink()
    table = Game.load(file).state.table
    assert (table.deck.name, table.board.name, table.layout.text) == (own_files.DECK_NAME, own_files.BOARD_NAME, "SMCH")
    assert run("play", "--plain", "--load", file, typed="end\nboard\nhint\n").returncode == 0
    assert len(Game.load(file).steps) == 2
    assert "Ada" in run("replay", "--plain", file).stdout
    assert run("verify", file).returncode == 0


def test_a_deck_for_a_record_can_still_be_given(tmp_path, own):
    deck, _ = own
    game = Game.new(["Ada", "Bo"], deck=load_deck(deck), seed=1)
    old = tmp_path / "old.deadwood"
    old.write_text(game.record().split("\nattached deck:")[0], "utf-8")
    assert "a custom deck" in run("verify", old).stderr
    for command in (["verify", old], ["replay", "--plain", old]):
        assert run(*command, "--deck", deck).returncode == 0
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "broken"')
    assert "broken.toml: the field 'cards' is missing" in run("verify", old, "--deck", broken).stderr


def test_decks_and_boards_are_checked(own):
    deck, board = own
    done = run("deck", "check", deck)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Night Reels can be played with: 40 cards, 108 roles.")
    assert "up to 4 days" in done.stdout
    assert "Layouts: standard (SM/CH), long (SMCH)." in run("board", "check", board).stdout
    for kind in ("deck", "board"):
        assert json.loads(run(kind, "schema").stdout)["$defs"]


ONE_CARD = """
[[cards]]
number = 99
title = "Alone at Last"
scene = 1
description = "Nobody comes."
budget = 2
roles = [{ rank = 1, name = "Nobody", line = "Hello?" }]
"""


def checked(file, text):
    file.write_text(text, "utf-8")
    return CliRunner().invoke(main, ["deck", "check", str(file)])


def test_a_deck_too_small_for_a_game_is_not_called_playable(tmp_path):
    done = checked(tmp_path / "small.toml", 'name = "Small"\n' + ONE_CARD)
    assert done.output.splitlines()[0] == "Small has no mistakes, but too few cards: 1 card, 1 role."
    assert "needs 10 cards a day" in done.output


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (own_files.DECK + "#" * FILE_BYTES, "the file may have at most 65,536 bytes"),
        ('name = "More"\nextends = "deck.toml"\n' + ONE_CARD, "extends: must be classic or studio here"),
        (own_files.DECK, None),
    ],
)
def test_a_deck_that_no_server_takes_is_noted(own, text, problem):
    done = checked(own[0].with_name("more.toml"), text)
    assert done.exit_code == 0, done.output
    assert ("Servers refuse this file: " in done.output) == bool(problem)
    assert (problem or "") in done.output


WALKER = """
class Walker:
    def __init__(self, seed): ...
    def decide(self, state, actions): return actions[-1]
"""


def test_any_class_can_be_a_bot_but_no_saved_game_imports_one(home):
    (home / "walker.py").write_text(WALKER)
    file = home / "game.deadwood"
    words = ["play", "--plain", "Ada", "--bot", "walker:Walker", "--first", "Ada", "--save", file]
    done = run(*words, typed="yes\nend\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Walker" in done.stdout
    game = Game.load(file)
    assert [seat.bot for seat in game.seats] == [None, "walker:Walker"]
    assert len(game.steps) == 2
    done = run("play", "--plain", "--load", file, typed="end\n")
    assert "allow it with --bot walker:Walker" in done.stderr
    assert run("play", "--plain", "--load", file, "--bot", "walker:Walker", typed="end\n").returncode == 0
    assert len(Game.load(file).steps) == 4


def test_the_rules_are_printed():
    assert "(R7.2)" in run("rules").stdout
