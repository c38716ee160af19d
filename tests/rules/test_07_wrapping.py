"""RULES section 7: wrapping a scene.

Holds `engine.wrap`.
"""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood import Act, Deck, Options
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.deck import built_in_deck
from deadwood.engine.events import BonusPaid, DayEnded, SceneWrapped

from .positions import (
    NAMES,
    AskedDice,
    active,
    begin,
    event_of,
    events_of,
    keep_scenes,
    legal,
    place,
    play,
    player,
    purse,
    put,
    put_card,
    scene,
)

FAMOUS = 6


def last_shot(card, *roles, area="hotel", players=4, **options):
    """The last shot of a card, with Ada, Bo, ... on these roles; it is Ada's turn."""
    state = put_card(begin(players, **options), area, card, shots=1)
    for name, role in zip(NAMES, roles, strict=False):
        state = put(state, name, area, role, rank=FAMOUS)
    return state


def bonuses(state, line):
    return {event.player: event.dollars for event in events_of(state, line) if isinstance(event, BonusPaid)}


def dealt(state, line):
    """The dice of each starring role, best role first."""
    return [share.dice for share in event_of(state, line, SceneWrapped).shares]


@pytest.mark.rule("R7.1")
def test_nobody_on_the_card_means_no_bonus_for_anybody_and_no_dice():
    state, dice = last_shot(27, "extra 1", "extra 4"), AskedDice(6)
    after, events = rules.apply(state, Act(), dice)
    assert dice.asked == [("roll", 1)]
    assert not any(isinstance(event, BonusPaid) for event in events)
    assert purse(after, "Ada") == (1, 1)
    assert purse(after, "Bo") == (0, 0)
    assert event_of(state, "act = 6", SceneWrapped).dice == ()
    assert player(after, "Bo").role is None


@pytest.mark.rule("R7.1")
def test_a_star_of_another_set_is_not_on_this_card():
    state = put_card(last_shot(27, "extra 1"), "bank", 10)
    state = put(state, "Bo", "bank", "star 1", rank=FAMOUS)
    after = play(state, "act = 6")
    assert purse(after, "Ada") == (1, 1)
    assert purse(after, "Bo") == (0, 0)


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize(("card", "budget"), [(15, 2), (9, 3), (10, 4), (27, 5), (32, 6)])
def test_the_active_player_rolls_as_many_dice_as_the_budget(card, budget):
    state, dice = last_shot(card, "star 1"), AskedDice(6, *[1] * budget)
    _, events = rules.apply(state, Act(), dice)
    assert dice.asked == [("roll", 1), ("roll", budget)]
    (wrapped,) = (event for event in events if isinstance(event, SceneWrapped))
    assert (wrapped.player, wrapped.budget, wrapped.dice) == ("Ada", budget, (1,) * budget)


@pytest.mark.rule("R7.2")
def test_dice_are_rolled_also_when_an_extra_finishes_the_scene():
    state = last_shot(9, "extra 1", "star 1")
    assert bonuses(state, "act = 6 / 5 4 2") == {"Ada": 1, "Bo": 2}


@pytest.mark.rule("R7.2")
@pytest.mark.parametrize(
    ("card", "dice", "hands"),
    [
        (12, "3 6", [(6, 3)]),  # one role
        (14, "2 5", [(5,), (2,)]),  # two roles
        (19, "4 2 6", [(6, 2), (4,)]),
        (7, "1 2 3 4", [(4, 2), (3, 1)]),
        (3, "1 2 3 4 5", [(5, 3, 1), (4, 2)]),
        (23, "6 5 4 3 2 1", [(6, 4, 2), (5, 3, 1)]),
        (9, "2 6 4", [(6,), (4,), (2,)]),  # three roles
        (10, "3 4 5 6", [(6, 3), (5,), (4,)]),
        (27, "1 6 1 5 3", [(6, 1), (5, 1), (3,)]),
        (32, "1 2 3 4 5 6", [(6, 3), (5, 2), (4, 1)]),
    ],
)
def test_the_dice_highest_first_go_round_the_roles_highest_first(card, dice, hands):
    state = last_shot(card, "star 1")
    assert dealt(state, f"act = 6 / {dice}") == hands
    shares = event_of(state, f"act = 6 / {dice}", SceneWrapped).shares
    assert [share.role_number for share in shares] == list(reversed(range(len(hands))))
    order = {turn: die for share in shares for turn, die in zip(share.order, share.dice, strict=True)}
    assert [order[turn] for turn in range(len(order))] == sorted(map(int, dice.split()), reverse=True)
    assert [share.order for share in shares] == [
        tuple(range(len(order)))[first :: len(hands)] for first in range(len(hands))
    ]


@pytest.mark.rule("R7.2")
def test_it_does_not_matter_in_which_order_the_dice_fell():
    state = last_shot(10, "star 1", "star 3")
    lines = {" ".join(map(str, dice)) for dice in permutations((6, 4, 4, 1))}
    assert {tuple(bonuses(state, f"act = 6 / {line}").items()) for line in lines} == {(("Bo", 7), ("Ada", 4))}


@pytest.mark.rule("R7.2")
def test_the_right_hand_role_of_two_equal_ranks_counts_as_higher():
    card = built_in_deck("classic").cards[8]
    twins = replace(card, roles=tuple(replace(role, rank=3) for role in card.roles))
    deck = Deck("twins", (*built_in_deck("classic").cards[:8], twins, *built_in_deck("classic").cards[9:]))
    state, _ = rules.start(NAMES[:3], Options(first="Ada"), ScriptedDice(()), deck=deck)
    state = put_card(state, "hotel", 9, shots=1)
    for name, role in (("Ada", "star 2"), ("Bo", "star 1"), ("Cy", "star 3")):
        state = put(state, name, "hotel", role, rank=3)
    assert bonuses(state, "act = 6 / 1 3 6") == {"Cy": 6, "Ada": 3, "Bo": 1}


@pytest.mark.rule("R7.3")
@pytest.mark.parametrize("dice", ["6 5 3 1 1", "1 3 6 1 5"])
def test_the_rulebooks_example_pays_7_and_3_and_the_6_of_the_middle_role_to_no_one(dice):
    state = last_shot(27, "star 3", "star 1")
    shares = event_of(state, f"act = 6 / {dice}", SceneWrapped).shares
    assert [(share.player, sum(share.dice)) for share in shares] == [("Ada", 7), (None, 6), ("Bo", 3)]
    assert [share.dollars for share in shares] == [7, 0, 3]
    paid = [event for event in events_of(state, f"act = 6 / {dice}") if isinstance(event, BonusPaid)]
    assert [(bonus.player, bonus.role_number) for bonus in paid] == [("Ada", 2), ("Bo", 0)]
    assert bonuses(state, f"act = 6 / {dice}") == {"Ada": 7, "Bo": 3}
    after = play(state, f"act = 6 / {dice}")
    assert purse(after, "Ada") == (7, 2)
    assert purse(after, "Bo") == (3, 0)


@pytest.mark.rule("R7.3")
def test_a_role_that_no_die_reaches_pays_nothing():
    deck = built_in_deck("classic")
    cheap = replace(deck.cards[8], budget=2)
    state, _ = rules.start(
        NAMES[:2], Options(first="Ada"), ScriptedDice(()), deck=Deck("cheap", (*deck.cards[:8], cheap, *deck.cards[9:]))
    )
    state = put(put_card(state, "hotel", 9, shots=1), "Ada", "hotel", "star 1")
    assert purse(play(state, "act = 2 / 6 6"), "Ada") == (0, 2)


@pytest.mark.rule("R7.3")
@settings(max_examples=60, deadline=None)
@given(dice=st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_three_stars_receive_all_the_dice_between_them(dice):
    state = last_shot(32, "star 1", "star 2", "star 3")
    paid = bonuses(state, f"act = 6 / {' '.join(map(str, dice))}")
    first, second, third, fourth, fifth, sixth = sorted(dice)
    assert paid == {"Cy": sixth + third, "Bo": fifth + second, "Ada": fourth + first}


@pytest.mark.rule("R7.4")
@pytest.mark.parametrize(("role", "rank"), [("extra 1", 1), ("extra 2", 1), ("extra 3", 2), ("extra 4", 3)])
def test_an_extra_receives_the_rank_of_the_role_not_of_the_player(role, rank):
    state = last_shot(9, "star 1", role)
    assert player(state, "Bo").rank == FAMOUS
    assert bonuses(state, "act = 6 / 6 5 4")["Bo"] == rank
    assert purse(play(state, "act = 6 / 6 5 4"), "Bo") == (rank, 0)


@pytest.mark.rule("R7.4")
def test_the_extra_who_finishes_the_scene_receives_pay_and_bonus():
    assert purse(play(last_shot(9, "extra 4", "star 3"), "act = 6 / 6 5 4"), "Ada") == (1 + 3, 1)


@pytest.mark.rule("R7.4")
def test_those_without_a_role_there_receive_nothing():
    state = put(last_shot(9, "star 1"), "Bo", "hotel")
    state = put(put_card(state, "bank", 10), "Cy", "bank", "extra 1", rank=2)
    after = play(state, "act = 6 / 6 5 4")
    assert [purse(after, name) for name in NAMES[1:4]] == [(0, 0)] * 3


@pytest.mark.rule("R7.5")
def test_the_card_is_discarded():
    state = last_shot(9, "star 1")
    after = play(state, "act = 6 / 6 5 4")
    assert scene(after, "hotel") is None
    assert after.scenes_left == 9
    assert after.unseen == state.unseen


@pytest.mark.rule("R7.5")
def test_everyone_on_a_role_there_leaves_it_loses_the_chips_and_stays_in_that_area():
    state = put(last_shot(9, "star 1", "star 3", "extra 2"), "Bo", chips=2)
    after = play(put(state, "Ada", chips=1), "act = 6 / 6 5 4")
    for name in NAMES[:3]:
        assert player(after, name).role is None
        assert player(after, name).chips == 0
        assert place(after, name) == "hotel"


@pytest.mark.rule("R7.5")
def test_they_may_move_from_their_own_next_turn_on():
    after = play(last_shot(9, "star 1", "extra 2", players=2), "act = 6 / 6 5 4")
    assert active(after) == "Bo"
    moves = ["move bank", "move church", "move trailers"]
    assert sorted(legal(after, "move")) == moves
    after = play(after, "end")
    assert active(after) == "Ada"
    assert sorted(legal(after, "move")) == moves


@pytest.mark.rule("R7.5")
def test_those_who_work_elsewhere_keep_role_and_chips():
    state = put_card(last_shot(9, "star 1"), "bank", 10)
    state = put(state, "Bo", "bank", "star 1", chips=2)
    assert player(play(state, "act = 6 / 6 5 4"), "Bo") == player(state, "Bo")


@pytest.mark.rule("R7.6")
@pytest.mark.parametrize("turned", [False, True])
def test_the_day_ends_at_once_when_exactly_one_scene_is_left_turned_or_not(turned):
    state = keep_scenes(last_shot(9, "star 1"), "hotel", "bank")
    state = put_card(state, "bank", 10) if turned else state
    assert event_of(state, "act = 6 / 6 5 4", DayEnded).day == 1
    assert play(state, "act = 6 / 6 5 4").day == 2


@pytest.mark.rule("R7.6")
def test_the_bonuses_of_the_last_wrap_of_the_day_are_paid():
    state = keep_scenes(last_shot(9, "star 3", "extra 4"), "hotel", "bank")
    after = play(state, "act = 6 / 6 5 4")
    assert purse(after, "Ada") == (6, 2)
    assert purse(after, "Bo") == (3, 0)


@pytest.mark.rule("R7.6")
def test_two_scenes_left_are_enough_to_go_on():
    state = keep_scenes(last_shot(9, "star 1"), "hotel", "bank", "saloon")
    after = play(state, "act = 6 / 6 5 4")
    assert after.day == 1
    assert after.scenes_left == 2
    assert not any(isinstance(event, DayEnded) for event in events_of(state, "act = 6 / 6 5 4"))
