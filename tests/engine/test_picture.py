"""Events alone keep a front end's picture up to date: it copies their fields, and knows no rule."""

from pathlib import Path

import msgspec
import pytest

from deadwood import Game
from deadwood.engine import rules
from deadwood.engine.events import (
    Acted,
    BonusPaid,
    CardTurned,
    DayEnded,
    DayStarted,
    GameEnded,
    Moved,
    Rehearsed,
    RoleTaken,
    SceneWrapped,
    TurnEnded,
    Upgraded,
)
from deadwood.engine.game import read_record

RECORDS = sorted((Path(__file__).parent / "golden").glob("*.deadwood"))


def show(picture, names, event):
    """What a front end does with an event: fields are copied, and nothing is computed."""

    def player(name):
        return picture["players"][names.index(name)]

    match event:
        case Moved():
            player(event.player)["area"] = event.area_id
            picture["moved"] = True
        case CardTurned():
            picture["sets"][event.area_id]["scene"] = event.card
            picture["unseen"].remove(event.card)
        case RoleTaken():
            player(event.player)["role"] = event.role_number
        case Acted():
            player(event.player).update(dollars=event.dollars_after, credits=event.credits_after)
            picture["sets"][event.area_id]["shots"] = event.shots_left
        case Rehearsed():
            player(event.player)["chips"] = event.chips
        case BonusPaid():
            player(event.player)["dollars"] = event.dollars_after
        case Upgraded():
            player(event.player).update(rank=event.rank, dollars=event.dollars_after, credits=event.credits_after)
        case TurnEnded():
            picture.update(active=names.index(event.next), moved=False)
        case DayStarted():
            picture.update(day=event.day, active=names.index(event.player))
        case GameEnded():
            picture["active"] = None
    if isinstance(event, SceneWrapped | DayEnded):
        for one in event.players:
            player(one.player).update(area=one.area_id, role=one.role_number, chips=one.chips)
    if isinstance(event, SceneWrapped | DayEnded | DayStarted):
        for one in event.sets:
            picture["sets"][one.area_id] = {"scene": one.scene, "shots": one.shots}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_picture_follows_the_events_of_a_game(path):
    game = Game.from_record(read_record(path))
    names = game.state.table.names
    states = game.states()
    picture = msgspec.to_builtins(next(states).snapshot())
    picture["unseen"] = list(picture["unseen"])
    for step, state in zip(game.steps, states, strict=True):
        for event in step.events:
            show(picture, names, msgspec.convert(msgspec.to_builtins(event), type(event)))
        assert picture == msgspec.to_builtins(state.snapshot()) | {"unseen": list(state.snapshot().unseen)}


@pytest.mark.parametrize("path", RECORDS[:3], ids=lambda path: path.stem)
def test_the_first_morning_is_dealt_by_its_event(path):
    state, (_, dealt) = rules.open_table(Game.from_record(read_record(path)).state.table)
    assert {one.area_id: (one.scene, one.shots) for one in dealt.sets} == {
        area: (one.scene, one.shots) for area, one in state.snapshot().sets.items()
    }
