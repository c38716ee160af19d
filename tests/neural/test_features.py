"""What the net sees is the same in the vector engine and in the bot."""

import random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood import encoding, vector
from deadwood.engine import rules
from deadwood.engine.board import UPGRADE_RANKS
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import BUDGETS, MOST_STARS, most_chips
from deadwood.engine.legality import affordable, open_roles, role_number
from deadwood.engine.odds import act_odds, expected_bonus, success_chance
from deadwood.engine.options import PLAYERS
from deadwood.engine.scoring import scores
from deadwood.neural.features import POINT_SCALE, _View, features, sizes
from deadwood.vector.state import NO_ROLE, Player, pack, state_of_words

from ..random_games import random_options
from ..vector.lockstep import biased_policy

POSITIONS = 400  # for every number of players


def positions(players, wanted):
    """Positions from random games at random tables, far apart."""
    rng = random.Random(players)
    names = [str(seat) for seat in range(players)]
    found = []
    while len(found) < wanted:
        dice, choose = FastDice(rng.getrandbits(32)), biased_policy(rng)
        state, _ = rules.start(names, random_options(rng, names), dice)
        while not state.over and len(found) < wanted:
            if rng.random() < 0.1:
                found.append(state)
            state, _ = rules.apply(state, choose(rules.legal_actions(state)), dice)
    return found


def seen_by_bot(states):
    observations = np.stack([encoding.observe(state) for state in states])
    masks = np.stack([encoding.action_mask(state) for state in states])
    return features(np, observations, masks)


@jax.jit
@jax.vmap
def seen_by_vector(table, words):
    state = state_of_words(table, words)
    return features(jnp, vector.observe(state), vector.legal_mask(state))


def words_of(state):
    """A state's words with room for eight players, so that one compiled program fits every table."""
    words, count = pack(state), len(state.players)
    empty = [Player.pack(area=state.table.trailers, rank=1, role=NO_ROLE)] * (PLAYERS[-1] - count)
    return words[:count] + empty + words[count:]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_vector_engine_and_the_bot_see_the_same(players):
    """With all layouts, decks and options."""
    states = positions(players, POSITIONS)
    tables = jax.tree.map(lambda *rows: np.stack(rows), *(vector.table_of(state.table) for state in states))
    words = np.array([words_of(state) for state in states], np.uint32)
    by_bot, by_vector = seen_by_bot(states), seen_by_vector(tables, words)
    for name in by_bot._fields:
        assert np.allclose(getattr(by_bot, name), getattr(by_vector, name), atol=1e-6), name


@pytest.fixture(scope="module")
def some():
    return positions(4, 200)


def test_rows_are_aligned_and_tame(some):
    seen = seen_by_bot(some)
    assert all(size % 8 == 0 for size in sizes())
    for rows in (seen.areas, seen.seats, seen.rest):
        assert np.isfinite(rows).all()
        assert np.abs(rows).max() <= 5


def test_points_are_the_scores(some):
    seen = seen_by_bot(some)
    assert np.allclose(POINT_SCALE * seen.points[:, 0], [scores(state)[state.active] for state in some], atol=1e-4)
    assert (seen.present.sum(-1) == 4).all()


def test_the_bonus_of_a_role_is_the_expected_one(some):
    """For every working player, with the present cast (R7.2 to R7.4)."""
    observations = np.stack([encoding.observe(state) for state in some])
    bonuses = _View(np, observations)._bonus
    checked = 0
    for state, rows in zip(some, bonuses, strict=True):
        for player in state.players:
            if player.role is not None:
                expected = float(expected_bonus(state, player.area, player.role))
                assert rows[player.area, player.role] == pytest.approx(expected, abs=1e-4)
                checked += 1
    assert checked > 50


def test_the_chance_of_an_act_is_the_exact_one_for_all_budgets_and_practice_chips():
    """R6.1"""
    view = _View(np, np.zeros(encoding.SIZE, encoding.DTYPE))
    for budget in BUDGETS:
        for chips in range(most_chips(budget) + 1):
            view._chips = np.full(encoding.SEATS, chips, np.float32)
            chances = view._chances(np.full(encoding.SEATS, budget, np.float32))
            assert (chances == np.float32(success_chance(budget, chips))).all()


def test_the_chance_of_every_players_next_act_is_seen(some):
    seen = _View(np, np.stack([encoding.observe(state) for state in some]))._work_columns()[..., 7]
    for state, row in zip(some, seen, strict=True):
        odds = [act_odds(state, (state.active + seat) % 4) for seat in range(4)]
        assert np.allclose(row[:4], [float(one.chance) if one else 0 for one in odds], atol=1e-6)


@pytest.fixture(scope="module", params=[2, 5, 8])
def crowd(request):
    """Positions of games with few, some and as many players as there can be."""
    return positions(request.param, 120)


def roles_seen_open(state, area, rank):
    """By role number, whether the engine would let a player of that rank take the role there (R5.3)."""
    takes = open_roles(state, area, rank) if state.card(area) else ()
    found = np.zeros(encoding.ROLES, np.bool_)
    found[[role_number(take) for take in takes]] = True
    return found


def test_the_roles_that_are_open_are_those_of_the_engine(crowd):
    view = _View(np, np.stack([encoding.observe(state) for state in crowd]))
    opened = 0
    for at, state in enumerate(crowd):
        players = state.players[state.active :] + state.players[: state.active]  # as the observer counts them
        for area in range(encoding.AREAS):
            expected = [roles_seen_open(state, area, one.rank) for one in players]
            assert (view._open_to_me[at, area] == expected[0]).all()
            for seat, roles in enumerate(expected):
                assert view._star_open[at, seat, area] == roles[:MOST_STARS].any()
                assert view._extra_open[at, seat, area] == roles[MOST_STARS:].any()
                opened += roles.sum()
        assert not view._star_open[at, len(players) :].any()
        assert not view._extra_open[at, len(players) :].any()
    assert opened > 300


def test_the_ranks_that_players_can_pay_for_are_those_of_the_engine(crowd):
    """R8.2, wherever they stand."""
    paid = _View(np, np.stack([encoding.observe(state) for state in crowd]))._rank_columns()
    found = 0
    for state, rows in zip(crowd, paid, strict=True):
        for seat, player in enumerate(state.players[state.active :] + state.players[: state.active]):
            ranks = {upgrade.rank for upgrade in affordable(state, player)}
            assert [rank for rank, can in zip(UPGRADE_RANKS, rows[seat], strict=True) if can] == sorted(ranks)
            found += len(ranks)
    assert found > 100
