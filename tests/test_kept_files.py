"""Files of earlier releases open for ever: records, saved games and runs of the lab."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from deadwood import Game, verify
from deadwood.engine.notation import format_action

KEPT = Path(__file__).parent / "kept"
RECORDS = sorted(KEPT.glob("*/*.deadwood"))
UNFINISHED = [path for path in RECORDS if path.stem in ("terminal-saved", "terminal-real-dice")]
RUNS = sorted(KEPT.glob("*/run.json"))


def name(path):
    return f"{path.parent.name}-{path.stem}"


def deadwood(*words, typed=""):
    command = [sys.executable, "-m", "deadwood", *map(str, words)]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", RECORDS, ids=name)
def test_a_record_still_holds_the_same_game(path):
    text, game = path.read_text("utf-8"), Game.load(path)
    kept = json.loads((path.parent / "files.json").read_text("utf-8"))[path.name]
    assert game.record() == text
    assert {
        "players": list(game.state.table.names),
        "bots": [seat.bot for seat in game.seats],
        "actions": len(game.steps),
        "state": json.loads(msgspec.json.encode(game.state.snapshot())),
        "legal": [] if game.over else [format_action(action) for action in game.legal_actions()],
        "scores": [[one.name, one.score] for one in game.standings()],
        "verdicts": sorted({check.verdict for check in verify(text)}),
    } == kept


@pytest.mark.parametrize("path", UNFINISHED, ids=name)
def test_a_saved_game_goes_on(home, path):
    file = home / "deadwood" / "games" / path.name
    file.parent.mkdir(parents=True)
    shutil.copy(path, file)
    deadwood("play", "--plain", "--continue", typed="rehearse\n")
    before = path.read_text("utf-8")
    assert file.read_text("utf-8").startswith(before)
    assert len(Game.load(file).steps) > len(Game.load(path).steps)


@pytest.mark.parametrize("path", RUNS, ids=name)
def test_a_run_of_the_lab_gets_its_report(home, path):
    import polars

    kept = json.loads(path.read_text("utf-8"))
    schema = {column: _type(polars, kind) for column, kind in kept["schema"].items()}
    frame = polars.DataFrame(kept["rows"], schema=schema)
    frame.write_parquet(home / "run.parquet", metadata=kept["metadata"])
    deadwood("report", home / "run.parquet")
    assert f"Deadwood {path.parent.name}" in (home / "run.html").read_text("utf-8"), "the release that played it"


def _type(polars, kind):
    """A column's type, as the kept file writes it."""
    match kind:
        case [inner]:
            return polars.List(_type(polars, inner))
        case {"Enum": categories}:
            return polars.Enum(categories)
        case dict():
            return polars.Struct({field: _type(polars, inner) for field, inner in kind.items()})
        case _:
            return getattr(polars, kind)
