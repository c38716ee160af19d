"""What a run's file says about itself, and files that are not runs."""

import json

import msgspec
import polars as pl
import pytest

from deadwood import __version__, load_deck
from deadwood.engine.board import built_in_board
from deadwood.engine.loading import DATA
from deadwood.engine.options import Options
from deadwood.lab.frames import games_frame
from deadwood.lab.playing import Plan, play_games
from deadwood.lab.run_file import HEADER, WANTED, RunError, RunHeader, difference, header_of, open_run, read_metadata

PLAN = Plan(seats=("extra", "random", "extra"), options=Options(days=1, ties="shared"), seed=5, limit=500)
OF_0_1_0 = (  # as release 0.1.0 wrote it
    '{"board":"d2beab2976e28c4458c914ebfe3ca3acfbe73c356c1644481c09393f32482a4c","bonus":"roles",'
    '"code":"66d731a6fef35542e81ecf95cbe68a8e9715cf811e7beb69eeff431c1f84fbfd","days":1,"decisions":false,'
    '"deck":"classic","dice":"fair","first":"random","format":1,"layout":"standard","limit":20000,'
    '"seats":["random","regular"],"seed":1,"ties":"later","vector":false,"version":"0.1.0"}'
)


def written(file, header, **more):
    rows, _ = play_games(Plan(seats=("random", "regular"), options=Options(days=1), seed=1), range(2))
    games_frame(rows).write_parquet(file, metadata={HEADER: header, **more})
    return file


def test_a_header_is_the_plan_the_version_and_the_code():
    header = header_of(PLAN)
    assert (header.seats, header.bots) == (PLAN.seats, ("extra", "random"))
    assert (header.seed, header.limit, header.days, header.ties) == (5, 500, 1, "shared")
    assert (header.version, header.board) == (__version__, built_in_board().fingerprint)
    assert len(header.code) == 64


def test_a_custom_deck_is_named_by_its_fingerprint(tmp_path):
    own = tmp_path / "easy.toml"
    own.write_text((DATA / "classic.toml").read_text("utf-8").replace("budget = 4", "budget = 3"), "utf-8")
    deck = load_deck(own)
    assert header_of(Plan(seats=PLAN.seats, deck=deck)).deck == f"custom:{deck.fingerprint}"


def test_a_kept_header_is_read_as_it_was_written(tmp_path):
    header = header_of(PLAN)
    file = written(tmp_path / "a.parquet", header.text, **{WANTED: "9"})
    read, wanted, games = open_run(file)
    assert (read, wanted) == (header, 9)
    assert games.select(pl.len()).collect().item() == 2


def test_a_run_of_release_0_1_0_is_opened(tmp_path):
    header, wanted, games = open_run(written(tmp_path / "a.parquet", OF_0_1_0, **{WANTED: "4"}))
    assert (header.seats, header.days, header.version, wanted) == (("random", "regular"), 1, "0.1.0", 4)
    assert header.text == OF_0_1_0
    assert len(games.collect()) == 2


def test_the_same_keys_are_kept_as_in_release_0_1_0():
    assert json.loads(header_of(PLAN).text).keys() == json.loads(OF_0_1_0).keys()


def test_a_difference_in_words(tmp_path):
    other = msgspec.structs.replace(header_of(PLAN), seed=6, code="ab" * 32, seats=("extra", "random"))
    sentence = difference(tmp_path, other.text, header_of(PLAN).text)
    assert "code abababab there," in sentence
    assert "seats extra,random there, extra,random,extra here; seed 6 there, 5 here" in sentence


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (msgspec.structs.replace(header_of(PLAN), format=99).text, "has format 99, but this version reads format 1"),
        ('{"format": 1}', "has an unreadable header: Object missing required field"),
        (header_of(PLAN).text.replace("shared", "never"), "has an unreadable header: .*never"),
        ("{", "has an unreadable header"),
    ],
)
def test_a_header_that_cannot_be_read_is_refused(tmp_path, header, reason):
    with pytest.raises(RunError, match=reason):
        open_run(written(tmp_path / "a.parquet", header))


def test_files_that_are_not_runs_are_refused(tmp_path):
    file = tmp_path / "a.parquet"
    file.write_text("no parquet")
    with pytest.raises(RunError, match="is not a readable Parquet file"):
        read_metadata(file, HEADER)
    pl.DataFrame({"a": [1]}).write_parquet(file)
    with pytest.raises(RunError, match="is not a run of `deadwood simulate`"):
        read_metadata(file, HEADER)


def test_a_run_with_other_columns_is_refused(tmp_path):
    file = tmp_path / "run.parquet"
    pl.DataFrame({"game": [1]}).write_parquet(file, metadata={HEADER: OF_0_1_0})
    with pytest.raises(RunError, match="has columns of another version"):
        open_run(file)


def test_a_run_without_games_is_refused(tmp_path):
    file = tmp_path / "run.parquet"
    games_frame([]).write_parquet(file, metadata={HEADER: OF_0_1_0})
    with pytest.raises(RunError, match="contains no games"):
        open_run(file)


def test_every_field_of_the_options_is_in_the_header():
    assert {field.name for field in msgspec.structs.fields(Options)} < {
        field.name for field in msgspec.structs.fields(RunHeader)
    }
