"""The `deadwood` command as people run it: a real process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deadwood import Game, load_deck
from deadwood.engine.loading import DATA

GOLDEN = Path(__file__).parent / "engine" / "golden"
RECORD = next(GOLDEN.glob("04-*"))


def run(*words, typed="", env=None):
    return subprocess.run(
        [sys.executable, "-m", "deadwood", *map(str, words)],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **(env or {})},
        timeout=60,
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
        (["play", "--plain", "Ada"], "2 to 8 players, not for 1"),
        (["play", "--plain", "Ada", "ada"], "'ada' already"),
        (["play", "--plain", "Ada", "Bo", "--layout", "GG"], "layout"),
        (["play", "--plain", "Ada", "Bo", "--first", "Cy"], "Nobody here is called 'Cy'"),
        (["play", "--plain", "Ada", "Bo", "--days", "9"], "9"),
        (["play", "--plain", "--load", __file__], "not a record"),
        (["play", "Ada", "Bo"], "--plain"),
        (["plya"], "No such command"),
    ],
)
def test_wrong_words_get_a_sentence_and_no_traceback(words, problem):
    done = run(*words)
    assert done.returncode != 0
    assert problem in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = run("play", "--plain", "Ada", "Bo", "--save", tmp_path / "file" / "game.deadwood", typed="yes\n")
    assert done.returncode == 1
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr


def test_own_board_and_deck_are_asked_for_and_taken(tmp_path):
    own = tmp_path / "easy.toml"
    own.write_text((DATA / "classic.toml").read_text("utf-8").replace("budget = 4", "budget = 3"), "utf-8")
    game = Game.new(["Ada", "Bo"], deck=load_deck(own), seed=1)
    game.save(tmp_path / "own.deadwood")
    assert "a deck of its own" in run("verify", tmp_path / "own.deadwood").stderr
    assert run("verify", tmp_path / "own.deadwood", "--deck", own).returncode == 0
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "broken"')
    assert "broken.toml" in run("verify", tmp_path / "own.deadwood", "--deck", broken).stderr


def test_the_rules_are_printed():
    assert "(R7.2)" in run("rules").stdout
