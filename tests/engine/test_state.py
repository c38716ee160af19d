import msgspec
import pytest
from hypothesis import given
from strategies import positions

from deadwood import DataError, Game, Options, Snapshot
from deadwood.engine.state import SetSnapshot


@given(positions())
def test_snapshots_read_back(state):
    text = msgspec.json.encode(state.snapshot())
    assert msgspec.json.decode(text, type=Snapshot).state(state.table) == state


def test_a_snapshot_speaks_in_names():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7)
    turned = game.play("move saloon")[1].card
    snapshot = game.state.snapshot()
    assert snapshot.players[0].area == "saloon"
    assert snapshot.sets["saloon"] == SetSnapshot(turned, 2)
    assert snapshot.sets["bank"] == SetSnapshot("face down", 1)
    assert turned not in snapshot.unseen
    assert snapshot.active == 0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"area":"trailers"', '"area":"moon"', "'moon'"),
        ('"bank":{', '"vault":{', "'vault'"),
        ('"unseen":[1,', '"unseen":[99,', "99"),
        ('"scene":"face down"', '"scene":77', "77"),
        ('"scene":"face down"', '"scene":"sideways"', "'sideways'"),
    ],
)
def test_a_snapshot_that_does_not_fit_its_table(old, new, problem):
    state = Game.new(["Ada", "Bo"], Options(first="Ada")).state
    text = msgspec.json.encode(state.snapshot()).decode()
    assert old in text
    snapshot = msgspec.json.decode(text.replace(old, new, 1), type=Snapshot)
    with pytest.raises(DataError, match=f"snapshot: the table has no {problem}"):
        snapshot.state(state.table)


def test_who_is_starring():
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    player = game.state.players[0]
    assert not player.starring
    game.play("move saloon = card 2")
    game.play("take star 1")
    assert game.state.players[0].starring
    game.play("move saloon")
    game.play("take extra 1")
    assert not game.state.players[1].starring
