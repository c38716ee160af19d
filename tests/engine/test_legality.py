"""Plausible actions; tests/rules checks which of them are legal."""

from hypothesis import given
from msgspec.structs import replace

from deadwood import Act, EndTurn, Game, Move, Options, Rehearse, Upgrade
from deadwood.engine.deck import BUDGETS, most_chips
from deadwood.engine.legality import legal_actions, plausible_actions
from deadwood.engine.notation import format_action
from deadwood.engine.odds import needed_die

from ..strategies import positions


def test_before_the_first_move():
    state = Game.new(["Ada", "Bo"], Options(first="Ada")).state
    assert plausible_actions(state) == (
        Act(),
        Rehearse(),
        *(Move(area.id) for area in state.table.areas),
        *(Upgrade(rank, "dollars") for rank in range(2, 7)),
        *(Upgrade(rank, "credits") for rank in range(2, 7)),
        EndTurn(),
    )


def test_all_roles_of_a_set_are_plausible_whatever_their_rank():
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    game.play("move saloon = card 4")
    takes = [format_action(action) for action in plausible_actions(game.state)[2:7]]
    assert takes == ["take star 1", "take star 2", "take star 3", "take extra 1", "take extra 2"]


def test_nothing_is_plausible_when_the_game_is_over():
    state = Game.new(["Ada", "Bo"]).state
    assert plausible_actions(replace(state, over=True)) == ()


@given(positions())
def test_every_legal_action_is_plausible_and_none_comes_twice(state):
    plausible = plausible_actions(state)
    assert set(legal_actions(state)) <= set(plausible)
    assert len(set(plausible)) == len(plausible)


def test_as_many_chips_as_may_be_taken_make_the_lowest_die_enough():
    assert [most_chips(budget) for budget in BUDGETS] == [1, 2, 3, 4, 5]
    for budget in BUDGETS:
        assert needed_die(budget, most_chips(budget)) == 1 < needed_die(budget, most_chips(budget) - 1)
