"""What events say in detail, field by field; tests/rules checks which events a rule causes."""

import pytest
from msgspec.structs import replace

from deadwood import Act, Move, Options, TakeRole, Upgrade, narrate
from deadwood.engine import rules
from deadwood.engine.chance import FastDice, ScriptedDice
from deadwood.engine.events import Acted, BonusPaid, CardTurned, DayEnded, GameEnded, SceneWrapped
from deadwood.engine.table import FACE_DOWN, FIRST_EXTRA, NO_SCENE

NAMES = ("Ada", "Bo", "Cy", "Dot", "Eli", "Flo")


def shooting(shots=1, scenes_left=10, day=1, place="train-station", other="jail"):
    """Card 4 ($5M, ranks 3, 4, 6) on a set, four players on its roles, one on another set, Ada to act as a star."""
    state, _ = rules.start(NAMES, Options(first="Ada"), FastDice(0))
    station, jail = state.table.area_numbers[place], state.table.area_numbers[other]
    scenes, counters = list(state.scenes), list(state.shots)
    scenes[station], scenes[jail] = 3, 0
    counters[station] = shots
    open_sets = [area for area, scene in enumerate(scenes) if scene == FACE_DOWN]
    for area in open_sets[: max(0, 10 - scenes_left)]:
        scenes[area], counters[area] = NO_SCENE, 0
    places = [
        (station, 1),
        (station, 0),
        (station, FIRST_EXTRA + 1),
        (station, FIRST_EXTRA),
        (jail, 0),
        (station, None),
    ]
    players = tuple(
        replace(player, area=area, role=role, rank=6, chips=3 if role is not None else 0)
        for player, (area, role) in zip(state.players, places, strict=True)
    )
    return replace(
        state, scenes=tuple(scenes), shots=tuple(counters), players=players, scenes_left=scenes_left, day=day
    )


def wrapped(state):
    return rules.apply(state, Act(), ScriptedDice([6, 1, 6, 3, 5, 1]))


def only(events, kind):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.rule("R7.2", "R7.3", "R7.4")
def test_awards_come_best_role_first_then_extras_from_the_left():
    _, events = wrapped(shooting())
    awards = only(events, BonusPaid)
    assert [award.player for award in awards] == ["Ada", "Bo", "Dot", "Cy"]
    assert [award.kind for award in awards] == ["star", "star", "extra", "extra"]
    assert [award.dice for award in awards] == [(5, 1), (3,), (), ()]
    assert [award.dollars for award in awards] == [6, 3, 1, 1]
    assert {award.area for award in awards} == {"Train Station"}


@pytest.mark.rule("R7.2")
def test_a_wrap_lists_all_its_dice_and_whose_they_are():
    after, events = wrapped(shooting())
    (wrap,) = only(events, SceneWrapped)
    assert (wrap.card, wrap.budget, wrap.dice) == (4, 5, (6, 5, 3, 1, 1))
    assert [(share.rank, share.player, share.dice) for share in wrap.shares] == [
        (6, None, (6, 1)),
        (4, "Ada", (5, 1)),
        (3, "Bo", (3,)),
    ]
    assert wrap.scenes_left == after.scenes_left == 9


@pytest.mark.rule("R7.5")
@pytest.mark.parametrize(("place", "other"), [("train-station", "jail"), ("hotel", "train-station")])
def test_a_wrap_frees_those_on_its_set_and_nobody_else(place, other):
    before = shooting(place=place, other=other)
    after, _ = wrapped(before)
    assert [player.role for player in after.players] == [None, None, None, None, 0, None]
    assert [player.chips for player in after.players] == [0, 0, 0, 0, 3, 0]
    assert [player.area for player in after.players] == [player.area for player in before.players]
    assert after.players[4:] == before.players[4:]


@pytest.mark.parametrize(
    ("role", "kind"), [(0, "star"), (2, "star"), (FIRST_EXTRA, "extra"), (FIRST_EXTRA + 3, "extra")]
)
def test_an_act_says_who_what_and_how(role, kind):
    state = shooting(shots=3)
    state = replace(
        state, players=(replace(state.players[0], role=role, chips=1), *state.players[1:4], *state.players[4:])
    )
    state = replace(state, players=(state.players[0], *(replace(one, role=None, chips=0) for one in state.players[1:])))
    _, (acted, _) = rules.apply(state, Act(), ScriptedDice([4]))
    expected = state.table.role(state.players[0].area, 3, role)
    assert isinstance(acted, Acted)
    assert (acted.player, acted.area, acted.kind) == ("Ada", "Train Station", kind)
    assert (acted.role, acted.line) == (expected.name, expected.line)
    assert (acted.die, acted.chips, acted.budget, acted.success, acted.shots_left) == (4, 1, 5, True, 2)


@pytest.mark.rule("R9.3")
def test_nothing_is_left_on_the_board_when_the_game_is_over():
    after, events = wrapped(shooting(scenes_left=2, day=4))
    assert after.over
    assert after.active == -1
    assert set(after.shots) == {0}
    assert set(after.scenes) == {NO_SCENE}
    assert (after.scenes_left, after.moved) == (0, False)
    (ended,) = only(events, GameEnded)
    assert ended.winners == (ended.standings[0].name,)


@pytest.mark.rule("R9.1")
def test_an_unfinished_scene_is_named_if_it_was_seen():
    _, events = wrapped(shooting(scenes_left=2))
    (ended,) = only(events, DayEnded)
    assert (ended.day, ended.days, ended.area) == (1, 4, "Jail")
    assert ended.title is not None


def test_a_turned_card_is_described_in_full():
    state, _ = rules.start(NAMES, Options(first="Ada"), FastDice(0))
    _, events = rules.apply(state, Move("saloon"), ScriptedDice([6]))
    card = state.table.cards[6]
    (turned,) = only(events, CardTurned)
    assert (turned.player, turned.area, turned.card, turned.title) == ("Ada", "Saloon", card.number, card.title)
    assert (turned.scene, turned.budget, turned.description) == (card.scene, card.budget, card.description)


def test_a_face_down_card_offers_no_roles():
    """Play never reaches this, because moving turns the card; a state made by hand can."""
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(0))
    saloon = state.table.area_numbers["saloon"]
    state = replace(state, players=(replace(state.players[0], area=saloon), state.players[1]))
    assert not any(isinstance(action, TakeRole) for action in rules.legal_actions(state))


def test_staying_and_jumping_have_different_refusals():
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(0))
    sentences = {area.id: rules.refusal(state, Move(area.id)) for area in state.table.areas}
    keys = {area: problem.key for area, problem in sentences.items() if problem is not None}
    assert keys.pop("trailers") == "already_there"
    assert set(keys.values()) == {"not_next_door"}
    assert {"train-station", "bank"} <= set(keys)


def test_a_rank_that_is_not_sold_is_refused_with_those_that_are():
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(0))
    state = replace(state, players=(replace(state.players[0], area=state.table.office), state.players[1]))
    problem = rules.refusal(state, Upgrade(7, "credits"))
    assert problem is not None
    assert narrate(problem) == "Rank 7 is not sold for credits; ranks 2 to 6 are sold for dollars or credits."
