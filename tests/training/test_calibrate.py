"""Whether chances hold, on numbers that can be checked by hand."""

import numpy as np
import pytest

from deadwood import Options
from deadwood.engine.refusal import DeadwoodError
from deadwood.training import calibrate
from deadwood.training.kinds import Kind

from .test_training import unoptimized


def test_deciles_compare_predictions_with_what_happened():
    chances, won = np.array([0.05, 0.05, 0.55, 1.0], np.float32), np.array([0, 1, 1, 1], np.float32)
    found = calibrate.Predictions(chances, won, games=np.array([0, 1, 2, 3]), played=5, unfinished=1)
    rows = calibrate.deciles(found)
    assert [one.predictions for one in rows] == [2, 1, 1]
    assert rows[0].difference == pytest.approx(45)
    assert rows[0].error == pytest.approx(100 * 0.5**0.5 / 2)
    text = calibrate.report(2, found)
    assert "largest difference 45.0 points" in text
    assert "left out: 1 of 5 games, not over after 2,000 decisions" in text
    assert "*" in calibrate.plot_text(rows)


def test_the_net_that_ships_plays_itself_to_the_end(monkeypatch, capsys):
    monkeypatch.setattr(calibrate, "AT_ONCE", 16)
    with unoptimized():
        calibrate.main(["--players", "2", "--positions", "150", "--per-game", "10", "--seed", "5"])
    head, left_out, *_ = capsys.readouterr().out.splitlines()
    assert head.startswith("2 players: 150 positions; largest difference")
    assert left_out.startswith("left out: 0 of 16 games")


def test_games_that_do_not_end_are_not_played_for_ever(monkeypatch):
    class Stuck:
        def __init__(self, *_given):
            pass

        def play(self, *_given):
            nothing = np.array([])
            return calibrate.Predictions(nothing, nothing, nothing.astype(int), 16, 16), 0

    monkeypatch.setattr(calibrate, "_Player", Stuck)
    with pytest.raises(DeadwoodError, match="None of 1,024 games ended"):
        calibrate.predictions({}, Kind(2, Options()), calibrate.Size(10, 1), 1.0, 1)
