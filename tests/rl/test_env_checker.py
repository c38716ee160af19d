"""`check_env` finds what is wrong with an environment; ours pass it in `test_environments`."""

import gymnasium
import numpy as np
import pytest

from deadwood import Options, encoding
from deadwood.rl import LearnerEnv, check_env, deadwood_v0


class Cheating(LearnerEnv):
    def step(self, action):
        seen, reward, over, truncated, info = super().step(action)
        return seen, reward + 0.01, over, truncated, info


class Blind(LearnerEnv):
    def _seen(self):
        return super()._seen() | {"observation": np.zeros(encoding.SIZE, encoding.DTYPE)}


class Stubborn(LearnerEnv):
    def step(self, action):
        legal = np.flatnonzero(self.action_masks())
        return super().step(int(legal[0]))


class Loaded(LearnerEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None, options=options)


class Misinformed(LearnerEnv):
    def _info(self, refusal):
        return super()._info(refusal) | {"action_mask": np.ones(encoding.ACTIONS, np.int8)}


class Impatient(LearnerEnv):
    def step(self, action):
        seen, reward, over, _, info = super().step(action)
        return seen, reward, over, len(self.game.steps) > 20, info


class MisinformedAgents(deadwood_v0.raw_env):
    def _inform(self, refusal):
        super()._inform(refusal)
        self.infos["player_1"] = {"action_mask": np.ones(encoding.ACTIONS, np.int8)}


class ImpatientAgents(deadwood_v0.raw_env):
    def step(self, action):
        super().step(action)
        self.truncations = dict.fromkeys(self.agents, len(self.game.steps) > 20)


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (Cheating, "the reward of seat"),
        (Blind, "not the encoding's"),
        (Stubborn, "was given, but"),
        (Loaded, "not the engine's"),
        (Misinformed, "the action_mask in the info of seat"),
        (Impatient, "the game is truncated"),
        (MisinformedAgents, "the action_mask in the info of seat 1"),
        (ImpatientAgents, "the game is truncated"),
    ],
)
def test_problems_of_an_environment_are_reported(broken, problem):
    found = check_env(lambda: broken(options=Options(days=1)))
    assert found
    assert all(problem in one for one in found)


def test_an_environment_without_a_game_cannot_be_checked():
    with pytest.raises(TypeError, match=r"unwrapped\.game"):
        check_env(lambda: gymnasium.make("CartPole-v1"))


def test_an_environment_instead_of_a_function_is_refused():
    for env in (LearnerEnv(), deadwood_v0.env(), deadwood_v0.raw_env()):
        with pytest.raises(TypeError, match="a function that makes environments"):
            check_env(env)
