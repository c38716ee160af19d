"""The environments conform to PettingZoo and Gymnasium, and play the engine's games.

Holds `rl.common`, `rl.deadwood_v0` and `rl.learner`.
"""

import doctest
import pickle
import random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as check_gymnasium
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from deadwood import Options, bots, encoding
from deadwood.bots import registry
from deadwood.engine.deck import BUILT_IN_DECKS
from deadwood.engine.options import PLAYERS
from deadwood.rl import LearnerEnv, check_env, deadwood_v0

TABLES = [
    {},
    {"players": 2, "options": Options(deck="studio", layout="random", days=1)},
    {"players": 8, "options": Options(bonus="actors", ties="shared", layout="GMCH", days=1)},
]


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should")  # a mask makes it a dictionary,
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")  # as it does in PettingZoo's own card games
@pytest.mark.parametrize("settings", TABLES, ids=["usual", "two", "eight"])
def test_pettingzoos_own_tests(settings, capsys):
    api_test(deadwood_v0.env(**settings), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: deadwood_v0.env(**settings), num_cycles=100)


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_pettingzoos_own_tests_would_find_a_mistake(monkeypatch):
    monkeypatch.setattr(deadwood_v0.raw_env, "observe", lambda self, agent: {"observation": None})
    with pytest.raises(AssertionError):
        api_test(deadwood_v0.env(), num_cycles=10)


@pytest.mark.parametrize("settings", TABLES, ids=["usual", "two", "eight"])
def test_environments_are_in_lockstep_with_the_engine(settings):
    assert check_env(lambda: deadwood_v0.env(**settings), games=2) == []
    assert check_env(lambda: deadwood_v0.raw_env(shaping=0.1, **settings), games=2, shaping=0.1) == []


@pytest.mark.parametrize("opponents", [("hopeful",), ("random", "regular"), ("extra",) * 7], ids="-".join)
def test_gymnasiums_own_test(opponents):
    env = gymnasium.make("Deadwood-v0", opponents=opponents, options=Options(days=1))
    check_gymnasium(env.unwrapped, skip_render_check=False)
    assert check_env(lambda: LearnerEnv(opponents, shaping=0.5), games=3, shaping=0.5) == []


def test_random_games_at_every_table():
    """Most games last one day, because those are short."""
    rng, ahead, played = random.Random(1), 0.0, 0
    for players in PLAYERS:
        for deck in BUILT_IN_DECKS:
            for days, games in ((1, 12), (2, 1), (3, 1), (4, 1)):
                env = deadwood_v0.raw_env(players=players, options=Options(days=days, layout="random", deck=deck))
                env.reset(seed=players)
                for _ in range(games):
                    ahead += play_at_random(env, rng) - 1 / players
                    played += 1
                    env.reset()
    assert abs(ahead) < 5 * (played / 4) ** 0.5  # no seat is better than another if the first player is drawn


def play_at_random(env, rng):
    """Play to the end of the game; returns the first agent's share of the win."""
    while not env.game.over:
        mask = env.infos[env.agent_selection]["action_mask"]
        env.step(rng.choice(mask.nonzero()[0]))
    assert sum(env.rewards.values()) == 1
    return env.rewards["player_0"]


def test_it_can_be_played_in_parallel_where_only_the_selected_action_counts():
    parallel = turn_based_aec_to_parallel(deadwood_v0.raw_env(players=2, options=Options(days=1)))
    observations, _ = parallel.reset(seed=3)
    rng = np.random.default_rng(3)
    while parallel.agents:
        actions = {}
        for agent, seen in observations.items():
            legal = np.flatnonzero(seen["action_mask"])
            actions[agent] = int(rng.choice(legal)) if len(legal) else None
        observations, rewards, *_ = parallel.step(actions)
    assert sum(rewards.values()) == 1


def test_refused_actions_cost_nothing_and_say_why():
    env = deadwood_v0.raw_env(players=2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(encoding.ACT_NUMBER)
    assert env.agent_selection == agent
    assert "not working" in env.infos[agent]["refusal"]
    learner = LearnerEnv()
    learner.reset(seed=1)
    before = learner.game.state
    _, reward, over, _, info = learner.step(encoding.ACT_NUMBER)
    assert (learner.game.state, reward, over) == (before, 0.0, False)
    assert "not working" in info["refusal"]
    assert not learner.action_masks()[encoding.ACT_NUMBER]


def test_an_illegal_action_loses_under_the_usual_wrappers(caplog):
    env = deadwood_v0.env(players=2)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(encoding.ACT_NUMBER)
    assert "Illegal move" in caplog.text
    assert env.rewards[loser] == -1
    assert all(env.terminations.values())


def test_seats_and_seeds():
    env = LearnerEnv(("random", "random"), seat=2)
    one, info = env.reset(seed=7)
    assert info["seat"] == 2
    other, _ = env.reset(seed=7)
    assert all(np.array_equal(one[name], other[name]) for name in one)
    seats = {LearnerEnv(("random", "random")).reset(seed=seed)[1]["seat"] for seed in range(20)}
    assert seats == {0, 1, 2}


def test_the_example_of_the_module_runs():
    assert doctest.testmod(deadwood_v0).failed == 0


def test_an_environment_can_be_pickled():
    env = pickle.loads(pickle.dumps(deadwood_v0.raw_env(players=3)))
    assert env.possible_agents == ["player_0", "player_1", "player_2"]


@pytest.mark.parametrize(
    ("settings", "error", "problem"),
    [
        ({"opponents": "hopeful"}, ValueError, r"a sequence of names, such as \['hopeful'\], not one string"),
        ({"opponents": ["nobody"]}, bots.BotUnknown, "no bot called 'nobody'"),
        ({"seat": 2}, ValueError, "seat must be from 0 to 1, or None to draw one, not 2"),
        ({"seat": -1}, ValueError, "seat must be"),
        ({"seat": 1.0}, ValueError, "seat must be"),
        ({"shaping": float("nan")}, ValueError, "shaping must be a finite number, not nan"),
        ({"shaping": "much"}, ValueError, "shaping must be a finite number"),
    ],
)
def test_settings_are_checked_when_an_environment_is_made(settings, error, problem):
    with pytest.raises(error, match=problem):
        LearnerEnv(**settings)


def test_the_agents_shaping_is_checked_too():
    with pytest.raises(ValueError, match="shaping must be a finite number"):
        deadwood_v0.raw_env(shaping=float("inf"))


@pytest.mark.parametrize("make", [LearnerEnv, deadwood_v0.raw_env])
def test_a_step_before_the_reset_is_refused(make):
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step\(\)"):
        make().step(encoding.END_NUMBER)


@pytest.mark.parametrize("make", [LearnerEnv, deadwood_v0.raw_env])
@pytest.mark.parametrize("action", [31.0, "31", None, np.zeros(32)], ids=["float", "text", "none", "array"])
def test_an_action_that_is_not_a_whole_number_is_refused(make, action):
    env = make()
    env.reset(seed=1)
    with pytest.raises(TypeError, match="an action is a whole number from 0 to 31"):
        env.step(action)
    env.step(np.array(encoding.END_NUMBER))


class Broken:
    def __init__(self, seed=None):
        pass

    def decide(self, state, actions):
        raise ZeroDivisionError


def test_an_opponent_that_fails_is_named(monkeypatch):
    found = {**registry._found(), "broken": Broken}
    monkeypatch.setattr(registry, "_found", lambda: found)
    env = LearnerEnv(["broken"], options=Options(first="player_0"), seat=1)
    with pytest.raises(bots.BotFailed, match="The bot 'broken' raised ZeroDivisionError"):
        env.reset(seed=1)
