"""RULES section 6: working."""

import pytest

from deadwood import Act
from deadwood.engine import rules
from deadwood.engine.events import Acted, BonusPaid, Rehearsed, SceneWrapped

from .positions import (
    AskedDice,
    active,
    assert_refused,
    begin,
    event_of,
    events_of,
    legal,
    play,
    player,
    purse,
    put,
    put_card,
    scene,
    shots,
)

CARD_BY_BUDGET = {2: 15, 3: 9, 4: 10, 5: 27, 6: 32}


def working(budget, role="star 1", chips=0, area="train-station", **where):
    """Ada is on a role of a scene with that budget."""
    state = put_card(begin(2), area, CARD_BY_BUDGET[budget], **where)
    return put(state, "Ada", area, role, rank=6, chips=chips)


@pytest.mark.rule("R6.1")
@pytest.mark.parametrize("role", ["star 1", "extra 1"])
@pytest.mark.parametrize(
    ("budget", "chips", "least"),
    [
        *[(2, 0, 2), (2, 1, 1)],
        *[(3, 0, 3), (3, 1, 2), (3, 2, 1)],
        *[(4, 0, 4), (4, 1, 3), (4, 2, 2), (4, 3, 1)],
        *[(5, 0, 5), (5, 1, 4), (5, 2, 3), (5, 3, 2), (5, 4, 1)],
        *[(6, 0, 6), (6, 1, 5), (6, 2, 4), (6, 3, 3), (6, 4, 2), (6, 5, 1)],
    ],
)
def test_die_and_chips_must_reach_the_budget(role, budget, chips, least):
    state = working(budget, role, chips)
    results = [event_of(state, f"act = {die}", Acted) for die in range(1, 7)]
    assert [acted.success for acted in results] == [die >= least for die in range(1, 7)]
    assert {(acted.budget, acted.chips) for acted in results} == {(budget, chips)}


@pytest.mark.rule("R6.1")
@pytest.mark.parametrize("chips", [0, 1])
def test_one_die_is_rolled_even_for_a_certain_success(chips):
    dice = AskedDice(1)
    rules.apply(working(2, chips=chips), Act(), dice)
    assert dice.asked == [("roll", 1)]


@pytest.mark.rule("R6.1")
@pytest.mark.parametrize("text", ["act", "rehearse"])
def test_without_a_role_there_is_nothing_to_act_or_rehearse(text):
    rule = {"act": "R6.1", "rehearse": "R6.6"}[text]
    assert_refused(put(put_card(begin(), "saloon", 17), "Ada", "saloon"), text, rule, "not working")


@pytest.mark.rule("R6.2", "R6.3")
@pytest.mark.parametrize(
    ("role", "die", "shots_left", "dollars", "credits"),
    [("star 1", 6, 2, 0, 2), ("star 1", 3, 3, 0, 0), ("extra 1", 6, 2, 1, 1), ("extra 1", 3, 3, 1, 0)],
    ids=["star succeeds", "star fails", "extra succeeds", "extra fails"],
)
def test_the_pay_of_an_act(role, die, shots_left, dollars, credits):
    state = put(working(4, role), "Ada", dollars=10, credits=20)
    after, acted = play(state, f"act = {die}"), event_of(state, f"act = {die}", Acted)
    assert purse(after, "Ada") == (10 + dollars, 20 + credits)
    assert purse(after, "Bo") == purse(state, "Bo")
    assert shots(after, "train-station") == acted.shots_left == shots_left
    assert (acted.dollars, acted.credits) == (dollars, credits)


@pytest.mark.rule("R6.4")
def test_the_pay_of_the_act_comes_before_the_wrap_bonuses():
    state = working(3, "star 3", shots=1)
    kinds = [type(event) for event in events_of(state, "act = 3 / 6 5 4")]
    assert kinds[:3] == [Acted, SceneWrapped, BonusPaid]
    assert event_of(state, "act = 3 / 6 5 4", Acted).credits == 2
    assert purse(play(state, "act = 3 / 6 5 4"), "Ada") == (6, 2)


@pytest.mark.rule("R6.4")
def test_the_pay_of_an_extra_is_kept_when_the_wrap_pays_nothing():
    state = working(3, "extra 1", shots=1)
    assert purse(play(state, "act = 3"), "Ada") == (1, 1)


@pytest.mark.rule("R6.5")
@pytest.mark.parametrize("left", [3, 2])
def test_a_scene_goes_on_while_shots_are_left(left):
    after = play(working(4, "extra 1", shots=left), "act = 6")
    assert scene(after, "train-station") == 10
    assert shots(after, "train-station") == left - 1
    assert player(after, "Ada").role is not None


@pytest.mark.rule("R6.5")
def test_the_scene_wraps_when_the_last_shot_counter_is_off():
    state = working(4, "extra 1", shots=1)
    assert event_of(state, "act = 6", SceneWrapped).card == 10
    assert scene(play(state, "act = 6"), "train-station") is None


@pytest.mark.rule("R6.5")
def test_a_failure_at_the_last_shot_wraps_nothing():
    state = working(4, "extra 1", shots=1)
    assert not any(isinstance(event, SceneWrapped) for event in events_of(state, "act = 3"))
    assert shots(play(state, "act = 3"), "train-station") == 1


@pytest.mark.rule("R6.6")
@pytest.mark.parametrize("role", ["star 1", "extra 1"])
def test_rehearsing_takes_one_chip_and_pays_nothing(role):
    state = working(5, role)
    after = play(state, "rehearse")
    assert player(after, "Ada").chips == 1
    assert purse(after, "Ada") == (0, 0)
    assert shots(after, "train-station") == 3
    assert active(after) == "Bo"
    rehearsed = event_of(state, "rehearse", Rehearsed)
    assert (rehearsed.gained, rehearsed.chips) == (1, 1)


@pytest.mark.rule("R6.6")
def test_a_chip_counts_on_every_later_roll_in_this_role():
    state = play(working(5), "rehearse", "end", "rehearse", "end", "act = 3", "end", "act = 3")
    assert shots(state, "train-station") == 1
    assert player(state, "Ada").chips == 2


@pytest.mark.rule("R6.7")
@pytest.mark.parametrize("role", ["star 1", "extra 1"])
@pytest.mark.parametrize("budget", CARD_BY_BUDGET)
def test_rehearsing_is_refused_once_success_is_certain(budget, role):
    for chips in range(budget - 1):
        assert sorted(legal(working(budget, role, chips))) == ["act", "rehearse"]
    certain = working(budget, role, chips=budget - 1)
    assert legal(certain) == ["act"]
    assert_refused(certain, "rehearse", "R6.7", f"{budget - 1} chip", f"budget of {budget}", "act")


@pytest.mark.rule("R6.7")
def test_five_chips_are_the_limit_at_budget_six():
    state = play(working(6), *["rehearse", "end"] * 5)
    assert player(state, "Ada").chips == 5
    assert legal(state) == ["act"]
    assert event_of(state, "act = 1", Acted).success


@pytest.mark.rule("R6.7")
def test_the_chip_that_makes_success_certain_says_so():
    assert not event_of(working(3), "rehearse", Rehearsed).certain
    assert event_of(working(3, chips=1), "rehearse", Rehearsed).certain


@pytest.mark.rule("R6.8")
def test_chips_last_through_all_shots_and_go_away_with_the_role():
    state = working(3, "extra 1", chips=2)
    for left in (2, 1):
        state = play(state, "act = 1", "end")
        assert shots(state, "train-station") == left
        assert player(state, "Ada").chips == 2
    state = play(state, "act = 1")
    assert player(state, "Ada").role is None
    assert player(state, "Ada").chips == 0


@pytest.mark.rule("R6.8")
def test_the_next_role_starts_without_chips():
    state = play(working(3, "extra 1", chips=2, shots=1), "act = 1", "end", "move jail = card 27", "take extra 1")
    state = play(state, "end")
    assert not event_of(state, "act = 4", Acted).success
