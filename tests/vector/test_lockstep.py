"""The vector engine is the engine: word for word, after every decision, at every table.

Holds `vector.legality`, `vector.rules`, `vector.scoring`, `vector.state`, `vector.table` and `vector.wrap`.
"""

from collections import Counter

import jax.numpy as jnp
import pytest

from deadwood import encoding
from deadwood.engine.deck import MOST_STARS
from deadwood.engine.options import PLAYERS
from deadwood.vector import rules, wrap
from deadwood.vector.state import NO_ROLE
from deadwood.vector.table import RANK_BITS

from .lockstep import Differs, make_tick, play_side_by_side, words_alone

GAMES = 504
ROOMS = (2, 8)  # seats of the compiled programs; compiling takes longer than playing


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_games_are_equal_after_every_decision(players):
    """All options, custom boards and decks, and policies that prefer some kinds of action to others.

    One program plays tables of any size: seats that stay empty change nothing in turns, observations and places.
    `make soak` compiles one for every size.
    """
    room = next(seats for seats in ROOMS if seats >= players)
    actions = play_side_by_side(players, -(-GAMES // len(PLAYERS)), room=room)
    upgrades = range(encoding.FIRST_DOLLAR_UPGRADE, encoding.END_NUMBER)
    if players > 6:  # everybody begins with rank 2 (R2.3)
        assert not actions[encoding.FIRST_DOLLAR_UPGRADE]
        upgrades = [number for number in upgrades if number != encoding.FIRST_DOLLAR_UPGRADE]
        upgrades.remove(encoding.FIRST_CREDIT_UPGRADE)
    assert all(actions[number] >= 10 for number in range(encoding.FIRST_DOLLAR_UPGRADE)), rare(actions)
    assert all(actions[number] >= 5 for number in upgrades), rare(actions)


def rare(actions: Counter[int]) -> list[tuple[int, int]]:
    return [(number, actions[number]) for number in range(encoding.ACTIONS) if actions[number] < 10]


def keep_chips(player, **others):
    return player.replace(role=jnp.uint32(NO_ROLE), **others)


def deal_lowest_first(dice, budget, highest_first=wrap.highest_first):
    return highest_first(dice, budget)[::-1]


def pay_extras_without_stars(card, area, stars, bonus_actors, dice, all_bonuses=wrap.all_bonuses):
    return all_bonuses(card, area, stars, bonus_actors, dice)._replace(
        extras=area.extra_ranks << RANK_BITS * MOST_STARS
    )


@pytest.mark.parametrize(
    ("module", "name", "mutant"),
    [
        (wrap, "highest_first", deal_lowest_first),
        (rules, "_freed", keep_chips),
        (rules, "all_bonuses", pay_extras_without_stars),
    ],
    ids=["dice dealt the wrong way round", "chips kept over a wrap", "extras paid though nobody is on the card"],
)
def test_planted_errors_are_caught(monkeypatch, module, name, mutant):
    monkeypatch.setattr(module, name, mutant)
    with pytest.raises(Differs, match="the state differs after action 19"):
        play_side_by_side(3, 16, tick=make_tick(words_alone))
