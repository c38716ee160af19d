"""Actions and observations as numbers."""

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood import Game, Options, encoding
from deadwood.encoding import ACTIONS, BLOCKS, HIGHEST, NOBODY_ACTIVE, SIZE, part
from deadwood.engine import rules
from deadwood.engine.board import Prices, built_in_board
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import Deck, built_in_deck
from deadwood.engine.notation import format_action

from .random_games import random_options
from .strategies import positions


def field(observation, block, column, row=0):
    return int(part(observation, block)[row, BLOCKS[block].column(column)])


def test_the_numbers_are_fixed():
    """Trained weights depend on these numbers; VERSION must change with them."""
    assert encoding.VERSION == 1
    assert (ACTIONS, SIZE) == (32, 548)
    assert {name: block.slice.start for name, block in BLOCKS.items()} == {
        "game": 0,
        "players": 11,
        "areas": 75,
        "unseen": 327,
        "unseen_budgets": 389,
        "prices": 394,
        "distances": 404,
    }
    state = Game.new(["Ada", "Bo"], seed=1).state
    texts = ["train-station", "star 1", "extra 1", "act", "rehearse", "2 dollars", "2 credits", "end"]
    numbers = [0, 12, 15, 19, 20, 21, 26, 31]
    for text, number in zip(texts, numbers, strict=True):
        action = encoding.action_of(number, state.table)
        assert text in format_action(action)


@given(positions())
def test_actions_map_both_ways_and_the_mask_holds_the_legal_ones(state):
    for number in range(ACTIONS):
        assert encoding.number_of(encoding.action_of(number, state.table), state.table) == number
    legal = {encoding.number_of(action, state.table) for action in rules.legal_actions(state)}
    assert set(np.flatnonzero(encoding.action_mask(state)).tolist()) == legal


@given(positions(), st.integers(0, 7))
def test_everybody_sees_the_same_game_from_their_own_seat(state, seat):
    seat %= len(state.players)
    own, active = encoding.observe(state, seat), encoding.observe(state)
    for seen in (own, active):
        assert seen.dtype == encoding.DTYPE
        assert (seen >= 0).all()
        assert (seen <= HIGHEST).all()
    count = len(state.players)
    turn = (state.active - seat) % count
    assert field(own, "game", "active") == turn
    assert field(active, "game", "active") == 0
    rotated = np.roll(part(own, "players")[:count], -turn, axis=0)
    assert (rotated == part(active, "players")[:count]).all()
    assert (part(own, "players")[count:] == 0).all()
    for name in ("unseen", "unseen_budgets", "prices", "distances"):
        assert (part(own, name) == part(active, name)).all()


def test_a_position_is_encoded_field_by_field():
    game = Game.new(["Ada", "Bo", "Cy"], Options(first="Bo", days=2, bonus="actors"), seed=7)
    game.play("move saloon")
    game.play("end")
    seen, state = encoding.observe(game.state), game.state
    assert [field(seen, "game", name) for name in ("players", "day", "days", "scenes_left", "moved")] == [
        3,
        1,
        2,
        10,
        0,
    ]
    assert [field(seen, "game", name) for name in ("bonus_actors", "ties_shared", "deck", "cards")] == [1, 0, 0, 40]
    assert field(seen, "game", "unseen_cards") == 39 == part(seen, "unseen").sum() == part(seen, "unseen_budgets").sum()
    assert [field(seen, "players", "turn", row) for row in range(3)] == [1, 2, 0]
    saloon = state.table.area_numbers["saloon"]
    card = state.card(saloon)
    assert field(seen, "players", "area", 2) == saloon
    assert field(seen, "areas", "scene", saloon) == encoding.TURNED_UP
    assert field(seen, "areas", "card", saloon) == state.scenes[saloon] + 1
    assert field(seen, "areas", "budget", saloon) == card.budget
    assert field(seen, "areas", "star_1_rank", saloon) == card.roles[0].rank
    assert field(seen, "areas", "distance", saloon) == 1
    assert field(seen, "prices", "rank_6", 1) == 25


def test_roles_say_whose_they_are_by_turn_order():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=1)
    state = game.state
    turned = replace(state, scenes=(0, *state.scenes[1:]))
    worker = replace(state.players[1], area=0, role=3, chips=2, rank=4, dollars=5_000)
    seen = encoding.observe(replace(turned, players=(state.players[0], worker)))
    assert field(seen, "areas", "extra_1_by", 0) == 2
    assert [field(seen, "players", name, 1) for name in ("role", "chips", "rank")] == [4, 2, 4]
    assert field(seen, "players", "dollars", 1) == encoding.MOST_DOLLARS


def test_after_the_end_nobody_moves_and_the_first_player_looks():
    rng = random.Random(3)
    dice = FastDice(3)
    state, _ = rules.start(["0", "1", "2"], random_options(rng, ["0"]), dice)
    while not state.over:
        state, _ = rules.apply(state, rng.choice(rules.legal_actions(state)), dice)
    seen = encoding.observe(state)
    assert field(seen, "game", "active") == NOBODY_ACTIVE
    assert field(seen, "players", "turn") == 0
    assert not encoding.action_mask(state).any()


def renumbered(card, number):
    roles = tuple(replace(role, name=f"{number} {role.name}") for role in card.roles)
    return replace(card, number=number, title=str(number), roles=roles)


def test_positions_that_do_not_fit_the_encoding_are_refused():
    state = Game.new(["Ada", "Bo"], seed=1).state
    with pytest.raises(encoding.EncodingError, match="0 to 31; there is no 32"):
        encoding.action_of(32, state.table)
    cards = built_in_deck("studio").cards
    many = tuple(renumbered(card, number) for number, card in enumerate((*cards, *cards[:3]), 1))
    large = Game.new(["Ada", "Bo"], deck=Deck("large", many), seed=1)
    with pytest.raises(encoding.EncodingError, match="at most 62 cards can be encoded, not of 63"):
        encoding.observe(large.state)
    dear = replace(built_in_board(), prices=Prices((1, 2, 3, 4, 5), (1, 2, 3, 4, 2048)))
    with pytest.raises(encoding.EncodingError, match="at most 2047 can be encoded, not 2048"):
        encoding.observe(Game.new(["Ada", "Bo"], board=dear, seed=1).state)
    own = Game.new(["Ada", "Bo"], deck=Deck("own", many[:61]), seed=1)
    assert field(encoding.observe(own.state), "game", "deck") == 2


def test_each_way_to_learn_imports_only_what_it_needs():
    for module, unwanted in (
        ("encoding", {"jax", "gymnasium", "pettingzoo"}),
        ("rl", {"jax"}),
        ("vector", {"gymnasium"}),
    ):
        code = f"import sys, deadwood.{module}; print(sorted({unwanted} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"
