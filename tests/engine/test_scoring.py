import pytest
from msgspec.structs import replace

from deadwood.engine import rules, scoring
from deadwood.engine.actions import Upgrade
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.scoring import gain, leaders, recorded_winners, scores, standings, winners

from ..rules.positions import NAMES, begin, keep_scenes, put


@pytest.mark.parametrize(
    ("dollars", "ties", "seats"),
    [([4, 7, 2], "later", (1,)), ([4, 2, 4], "later", (2,)), ([4, 2, 4], "shared", (0, 2)), ([3, 3, 3], "later", ())],
)
def test_the_leaders_are_those_who_would_win_now_and_nobody_while_all_are_level(dollars, ties, seats):
    state = begin(len(dollars), ties=ties)
    for name, amount in zip(NAMES, dollars, strict=False):
        state = put(state, name, dollars=amount)
    assert leaders(state) == seats
    recorded = recorded_winners(tuple((line.name, line.score) for line in standings(state)), ties)
    assert recorded == winners(standings(state))


def test_the_last_scene_of_a_day_never_wraps():
    state = begin()
    assert state.wraps_left == 9
    assert keep_scenes(state, "hotel", "bank").wraps_left == 1
    assert replace(state, scenes_left=0).wraps_left == 0


def test_the_scenes_that_will_wrap_are_all_but_the_last_of_every_day():
    """R7.6, R9.1"""
    state = begin()
    assert state.wraps_to_come == 3 * 9
    second = replace(keep_scenes(state, "hotel", "bank"), day=2)
    assert second.wraps_to_come == 1 + 9
    assert replace(second, day=3).wraps_to_come == 1


@pytest.mark.parametrize("worth", [1, 2])
def test_an_upgrade_gains_what_it_changes_in_the_score(worth, monkeypatch):
    """Whatever a credit counts."""
    monkeypatch.setattr(scoring, "credit_points", lambda earned: worth * earned)
    state = put(begin(), "Ada", "casting-office", dollars=40, credits=25)
    upgrades = [action for action in rules.legal_actions(state) if isinstance(action, Upgrade)]
    assert len(upgrades) == 10
    for upgrade in upgrades:
        after, _ = rules.apply(state, upgrade, ScriptedDice(()))
        assert gain(state.players[0], upgrade, state.table.prices[upgrade]) == scores(after)[0] - scores(state)[0]
