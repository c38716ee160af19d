import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace

from deadwood import DataError, Game, Options, Snapshot
from deadwood.engine.state import SetSnapshot
from deadwood.engine.table import TableSnapshot

from ..strategies import positions


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
    ],
)
def test_a_snapshot_that_does_not_fit_its_table(old, new, problem):
    state = Game.new(["Ada", "Bo"], Options(first="Ada")).state
    text = msgspec.json.encode(state.snapshot()).decode()
    assert old in text
    snapshot = msgspec.json.decode(text.replace(old, new, 1), type=Snapshot)
    with pytest.raises(DataError, match=f"snapshot: the table has no {problem}"):
        snapshot.state(state.table)


def test_a_scene_is_a_card_or_face_down_or_none():
    text = msgspec.json.encode(Game.new(["Ada", "Bo"]).state.snapshot()).decode()
    with pytest.raises(msgspec.ValidationError, match="sideways"):
        msgspec.json.decode(text.replace('"face down"', '"sideways"', 1), type=Snapshot)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"players": ()}, "one for every name"),
        ({"active": 9}, "nobody sits there"),
        ({"active": -1}, "nobody sits there"),
    ],
)
def test_a_snapshot_of_other_people(change, problem):
    state = Game.new(["Ada", "Bo"], Options(first="Ada")).state
    with pytest.raises(DataError, match=problem):
        replace(state.snapshot(), **change).state(state.table)


@pytest.mark.parametrize(("area", "role"), [("trailers", 0), ("saloon", 2), ("saloon", 5), ("saloon", -1)])
def test_a_snapshot_with_a_role_that_does_not_exist(area, role):
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    game.play("move saloon = card 3")
    snapshot = game.state.snapshot()
    players = (replace(snapshot.players[0], area=area, role=role), snapshot.players[1])
    with pytest.raises(DataError, match="a role does not exist"):
        replace(snapshot, players=players).state(game.state.table)


def test_a_table_travels_as_json_once():
    table = Game.new(["Ada", "Bo"], Options(layout="random", deck="studio"), seed=3).state.table
    text = msgspec.json.encode(table.snapshot())
    again = msgspec.json.decode(text, type=TableSnapshot).table()
    assert again == table
    assert again.drawn == table.drawn
    assert again.neighbours == table.neighbours


def test_a_player_in_a_starring_role_is_starring():
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    player = game.state.players[0]
    assert not player.starring
    game.play("move saloon = card 2")
    game.play("take star 1")
    assert game.state.players[0].starring
    game.play("move saloon")
    game.play("take extra 1")
    assert not game.state.players[1].starring
