"""What a bot does is recorded, the same with any number of processes, and a tiny net learns it."""

import numpy as np
import pytest

from deadwood.neural.net import shape_of
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import load_weights
from deadwood.training import imitate
from deadwood.training.imitate import Recorded, RecordingUnusable, load_recorded, parts_of

from .test_training import unoptimized


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A recording of a few games."""
    path = tmp_path_factory.mktemp("imitate") / "games.npz"
    imitate.main(["record", "--bot", "hopeful", "--games", "5", "--seed", "3", "--processes", "1", "--out", str(path)])
    return path


def test_a_recording_does_not_depend_on_which_game_is_done_first(games, monkeypatch):
    monkeypatch.setattr(imitate, "done_by", lambda work, tasks, _processes: reversed(list(map(work, tasks))))
    again = imitate.record("hopeful", None, 3, range(5), 1)
    kept = load_recorded(games)
    assert list(np.unique(kept.games)) == list(range(5))
    assert all((one == other).all() for one, other in zip(kept, again, strict=True))
    legal = (kept.masks >> kept.actions) & 1
    assert legal.all()


def test_it_is_tested_in_games_that_it_was_not_shown(games):
    shown, tested = parts_of(load_recorded(games), 1)
    assert not set(shown.games) & set(tested.games)
    assert len(shown.games) + len(tested.games) == len(load_recorded(games).games)
    assert len(np.unique(tested.games)) == 1


def test_a_tiny_net_learns_from_a_recording(games, tmp_path, capsys):
    out = tmp_path / "net.npz"
    sizes = ["--width", "32", "--row-width", "16", "--blocks", "1", "--minibatch", "128", "--epochs", "2", "--no-half"]
    with unoptimized():
        imitate.main(["learn", "--games", str(games), "--out", str(out), *sizes])
    weights, about = load_weights(out)
    assert shape_of(weights) == Shape(32, 16, 1)
    assert about["agreement"] > 0.3  # it could choose from several actions
    assert "of decisions, in games that it was not shown" in capsys.readouterr().out


def test_recordings_that_cannot_be_used_are_refused(games, tmp_path):
    kept = load_recorded(games)
    np.savez(tmp_path / "old.npz", **{name: one for name, one in kept._asdict().items() if name != "games"})
    with pytest.raises(RecordingUnusable, match="of an earlier version; record the games again"):
        load_recorded(tmp_path / "old.npz")
    (tmp_path / "text.npz").write_text("nothing")
    with pytest.raises(RecordingUnusable, match="is not a recording"):
        load_recorded(tmp_path / "text.npz")
    with pytest.raises(RecordingUnusable, match="There is no recording"):
        load_recorded(tmp_path / "none.npz")
    with pytest.raises(RecordingUnusable, match="record at least two"):
        parts_of(Recorded(*(column[kept.games == 0] for column in kept)), 1)
