"""Measuring weights against a bot, here and in other processes while a run goes on.

Holds `training.watch`.
"""

import json

import pytest

from deadwood.bots.champion import OWN_WEIGHTS
from deadwood.neural.weights_file import load_weights
from deadwood.training import measure, watch
from deadwood.training.watch import MeasuringFailed, Watch


def test_a_handful_of_games(tmp_path, capsys):
    out = tmp_path / "found.json"
    measure.main(
        ["--quick", "--against", "extra", "--players", "2,3", "--games", "3", "--processes", "1", "--json", str(out)]
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["2 players against extra", "3 players against 2 extra"]
    found = json.loads(out.read_text())
    assert [(one["players"], one["games"]) for one in found] == [(2, 4), (3, 3)]  # whole deals
    assert all(0.5 < one["won"][0] <= 1 for one in found)
    assert lines[0].endswith("ms a decision")


def test_weights_that_are_missing_end_it_with_a_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv(measure.WEIGHTS_VARIABLE, "")
    with pytest.raises(SystemExit):
        measure.main(["--weights", str(tmp_path / "none.npz")])
    assert "There are no weights in" in capsys.readouterr().err


def test_another_process_measures_a_net(monkeypatch):
    monkeypatch.setattr(watch, "TRIALS", (2,))
    weights = load_weights(OWN_WEIGHTS).weights
    observer = Watch(2, 1, "extra")
    try:
        assert observer.result() is None
        observer.measure(7, weights)
        assert not observer.is_free
        seen = observer.result(wait=True)
        assert observer.is_free
        assert (seen.update, set(seen.shares)) == (7, {"2 players against extra"})
        assert seen.weights is weights
        assert seen.strength == pytest.approx(2 * seen.shares["2 players against extra"])
        observer.measure(8, {"trunk": weights["trunk"]})
        with pytest.raises(MeasuringFailed, match=r"Measuring failed: .*do not fit the net"):
            observer.result(wait=True)
    finally:
        observer.stop()
