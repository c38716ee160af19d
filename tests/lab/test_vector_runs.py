"""Runs on the vector engine: the same games however many are asked for, with the same statistics as the engine's."""

import polars as pl
import pytest

from deadwood.engine.options import Options
from deadwood.lab import vector_runs
from deadwood.lab.frames import GAMES
from deadwood.lab.playing import Plan
from deadwood.lab.report import write_report
from deadwood.lab.run_file import RunError
from deadwood.lab.runs import Run
from deadwood.vector.playing import VectorError

SEATS = ("hopeful", "extra", "random")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(vector_runs, "BATCH", 1 << 10)


def run(file, games, *, vector=True, **options):
    plan = Plan(seats=SEATS, options=Options(days=1, **options), seed=3, vector=vector)
    return Run(plan, games, file).go_on(jobs=1)


def test_games_come_out_the_same_however_many_are_asked_for(tmp_path):
    run(tmp_path / "a.parquet", 1500)
    run(tmp_path / "b.parquet", 300)
    run(tmp_path / "b.parquet", 1100)
    summary = run(tmp_path / "b.parquet", 1500)
    games = pl.read_parquet(tmp_path / "b.parquet")
    assert summary.kept == 1500
    assert games.equals(pl.read_parquet(tmp_path / "a.parquet"))
    assert dict(games.schema) == GAMES
    assert games["game"].to_list() == list(range(1500))


def test_the_statistics_are_those_of_the_engine(tmp_path):
    """Both sample the same games, so their intervals must overlap."""
    ours = run(tmp_path / "vector.parquet", 2000, ties="shared", first="Seat 2").seats
    engines = run(tmp_path / "engine.parquet", 400, vector=False, ties="shared", first="Seat 2").seats
    for vector, engine in zip(ours, engines, strict=True):
        assert vector.bot == engine.bot
        assert vector.won.low <= engine.won.high
        assert engine.won.low <= vector.won.high
        assert vector.score == pytest.approx(engine.score, abs=1.5)
    games = pl.read_parquet(tmp_path / "vector.parquet")
    assert games["first"].unique().to_list() == [1]
    assert games["won"].list.sum().to_list() == [1.0] * 2000


def test_games_of_both_engines_are_not_mixed(tmp_path):
    run(tmp_path / "a.parquet", 5)
    with pytest.raises(RunError, match="vector True there, False here"):
        run(tmp_path / "a.parquet", 10, vector=False)


def test_only_bots_with_a_vector_form_can_play(tmp_path):
    with pytest.raises(VectorError, match="no vector form of star; choose from: random, extra, hopeful"):
        Run(Plan(seats=("star", "extra"), vector=True), 5, tmp_path / "a.parquet").go_on(jobs=1)


def test_games_that_do_not_end_are_cut_off(tmp_path):
    plan = Plan(seats=SEATS, limit=30, vector=True)
    assert Run(plan, 20, tmp_path / "a.parquet").go_on(jobs=1).cut_off == 20
    assert pl.read_parquet(tmp_path / "a.parquet")["won"].to_list() == [[0.0, 0.0, 0.0]] * 20


def test_a_report_has_what_is_known(tmp_path):
    run(tmp_path / "a.parquet", 200)
    page = write_report(tmp_path / "a.parquet", tmp_path / "a.html").read_text("utf-8")
    assert "Who wins?" in page
    assert "Where do the points come from?" not in page
    assert "--vector" in page
