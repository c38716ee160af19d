"""How the bots decide, and that each level is stronger than the one below."""

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood import bots
from deadwood.bots.role_value import Work, acting, duration, rehearsing, worth
from deadwood.engine import rules
from deadwood.engine.actions import TakeRole, Upgrade
from deadwood.engine.chance import FastDice
from deadwood.engine.odds import success_chance
from deadwood.engine.options import Options
from deadwood.engine.scoring import standings

from ..strategies import positions

LEVELS = ("random", "extra", "hopeful", "regular", "star")


def test_the_levels_in_their_order():
    assert bots.names() == LEVELS
    made = [bots.make(name) for name in LEVELS]
    assert [(bot.name, bot.level) for bot in made] == [(name, level) for level, name in enumerate(LEVELS)]


@pytest.mark.parametrize("name", LEVELS)
def test_our_bots_can_sit_at_any_table(name):
    assert bots.check_bot(name) == []


def test_what_is_wrong_with_a_bot_is_told():
    class Cheat:
        def decide(self, state, actions):
            return Upgrade(6, "dollars")

    class Broken:
        def decide(self, state, actions):
            raise ZeroDivisionError

    class Moody:
        made = 0

        def __init__(self):
            Moody.made += 1
            self._mood = Moody.made

        def decide(self, state, actions):
            return actions[(self._mood * len(state.unseen)) % len(actions)]

    assert all("none of its" in problem for problem in bots.check_bot(lambda seed: Cheat()))
    assert all("ZeroDivisionError" in problem for problem in bots.check_bot(Broken()))
    assert any("decided differently" in problem for problem in bots.check_bot(lambda seed: Moody()))


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("genius", "no bot could be made with a seed: BotUnknown"),
        (lambda: None, "no bot could be made with a seed: TypeError"),
        (lambda seed: 7, "7 has no decide"),
    ],
)
def test_a_bot_that_cannot_be_made_is_told(bot, problem):
    assert bots.check_bot(bot)[0].startswith(problem)


def test_levels_and_explanations_are_checked_too():
    class Boaster(type(bots.make("random"))):
        level = "high"

        def explain(self, state, actions):
            return super().explain(state, actions[:1])

    class Moot(type(bots.make("random"))):
        def explain(self, state, actions):
            raise LookupError("no idea")

    problems = bots.check_bot(Boaster)
    assert problems[0] == "its level is not a whole number"
    assert "the bot explained 1 actions where" in problems[1]
    assert "LookupError" in bots.check_bot(Moot)[0]


@given(positions())
def test_bots_choose_legal_actions_and_the_same_ones_again(state):
    actions = rules.legal_actions(state)
    for name in LEVELS:
        chosen = bots.make(name, 5).decide(state, actions)
        assert chosen in actions
        assert chosen == bots.make(name, 5).decide(state, actions)


@given(positions())
def test_an_extra_never_passes_when_it_can_work(state):
    actions = rules.legal_actions(state)
    if any(isinstance(action, TakeRole) for action in actions):
        assert isinstance(bots.make("extra", 1).decide(state, actions), TakeRole)


def wins(stronger, weaker, games):
    """How many games of two, seats swapped, the stronger bot wins."""
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


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(LEVELS)))
def test_each_level_beats_the_one_below(weaker, stronger):
    """The seeds are fixed, so this cannot fail by chance; `deadwood arena --ladder` plays many more."""
    assert wins(stronger, weaker, 60) >= 36


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
    assert len(set(games.split())) == 2 * len(LEVELS)


@pytest.mark.parametrize("starring", [True, False])
@pytest.mark.parametrize("budget", range(2, 7))
@pytest.mark.parametrize("shots", [1, 2, 3])
def test_act_or_rehearse_is_solved_exactly(starring, budget, shots):
    """Against iteration of the values of all positions until nothing changes any more."""
    bonus, turn = 4.0, 1.1
    good, bad = (2, 0) if starring else (2, 1)
    places = [(left, chips) for left in range(1, shots + 1) for chips in range(budget)]
    values = dict.fromkeys(places, 0.0)
    for _ in range(2_000):
        for left, chips in places:
            chance = float(success_chance(budget, chips))
            after = values[left - 1, chips] if left > 1 else bonus
            act = chance * (good + after) + (1 - chance) * (bad + values[left, chips]) - turn
            more = values[left, chips + 1] - turn if chips + 1 < budget else float("-inf")
            values[left, chips] = max(act, more)
    for left, chips in places:
        work = Work(starring, budget, left, chips, bonus)
        assert worth(work, turn) == pytest.approx(values[left, chips])
        assert max(acting(work, turn), rehearsing(work, turn)) == worth(work, turn)


@given(st.booleans(), st.integers(2, 6), st.integers(1, 3), st.integers(0, 5), st.floats(0, 12), st.floats(0.5, 2))
def test_a_role_takes_as_long_as_its_worth_says(starring, budget, shots, chips, bonus, turn):
    """One more point a turn costs as many points as there are turns: the slope of the worth is the duration."""
    work = Work(starring, budget, shots, min(chips, budget - 1), bonus)
    step = 1e-7
    slope = (worth(work, turn) - worth(work, turn + step)) / step
    if duration(work, turn) == pytest.approx(duration(work, turn + step)):  # the policy did not change in between
        assert slope == pytest.approx(duration(work, turn), rel=1e-3)
