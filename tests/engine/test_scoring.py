import pytest
from msgspec.structs import replace

from deadwood.engine.scoring import leaders, recorded_winners, standings, winners

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
