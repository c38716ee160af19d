"""All bots together: they decide reproducibly, and each level is stronger than the one below.

Holds `bots.hopeful`, `bots.random_bot` and `bots.regular`.
"""

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given

from deadwood import bots
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.options import Options
from deadwood.engine.scoring import standings

from ..strategies import positions

BOTS = ("random", "extra", "hopeful", "regular", "star", "champion")


def test_the_bots_are_listed_by_their_levels():
    assert bots.names() == BOTS
    assert [bots.level(name) for name in BOTS] == [0, 1, 2, 3, 4, 5]


@given(positions())
def test_bots_choose_legal_actions_and_the_same_ones_again(state):
    actions = rules.legal_actions(state)
    for name in BOTS:
        chosen = bots.make(name, 5).decide(state, actions)
        assert chosen in actions
        assert chosen == bots.make(name, 5).decide(state, actions)


def wins(stronger, weaker, games):
    """How many two-player games the stronger bot wins, with seats swapped."""
    won = 0
    for seed in range(games):
        seats = (stronger, weaker) if seed % 2 else (weaker, stronger)
        dice = FastDice(seed)
        state, _ = rules.start(["0", "1"], Options(first="0"), dice)
        players = [bots.make(name, seed) for name in seats]
        while not state.over:
            state, _ = rules.apply(state, players[state.active].decide(state, rules.legal_actions(state)), dice)
        won += seats[int(standings(state)[0].name)] == stronger
    return won


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(BOTS)))
def test_each_level_beats_the_one_below(weaker, stronger):
    """The seeds are fixed, so this cannot fail by chance; `deadwood arena --ladder` plays many more."""
    games = 20 if stronger == "champion" else 60  # it thinks longest, and wins most
    assert wins(stronger, weaker, games) >= 0.6 * games


FINGERPRINTS = """
import hashlib, sys
from deadwood import Game, bots
for name in bots.names():
    game = Game.new(["Ada", "Bo", "Cy"], seed=4)
    players = [bots.make(name, seed) for seed in range(3)]
    while not game.over and len(game.steps) < 300:
        game.play(players[game.state.active].decide(game.state, game.legal_actions()))
    print(name, hashlib.sha256(game.record().encode()).hexdigest())
"""


def fingerprints(hash_seed):
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, "-c", FINGERPRINTS], env=environment, capture_output=True, check=True, encoding="utf-8"
    ).stdout


def test_the_same_seed_makes_the_same_game_in_any_process():
    games = fingerprints("1")
    assert games == fingerprints("2")
    assert len(set(games.split())) == 2 * len(BOTS)


@pytest.mark.parametrize("seed", [35, 50])
def test_two_champions_do_not_wait_for_each_other(seed):
    """In these games, each once waited for ever for the other one to work in the last scene."""
    dice = FastDice(seed)
    state, _ = rules.start(["0", "1"], Options(first="0"), dice)
    players = [bots.make("champion", 1_000 * seed + seat) for seat in range(2)]
    for _ in range(1_000):
        if state.over:
            return
        state, _ = rules.apply(state, players[state.active].decide(state, rules.legal_actions(state)), dice)
    pytest.fail("the game does not end")
