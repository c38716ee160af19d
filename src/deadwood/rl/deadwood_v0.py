"""PettingZoo's AEC environment: every player is an agent.

>>> from deadwood.rl import deadwood_v0
>>> env = deadwood_v0.env(players=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from typing import Any

import numpy as np
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..engine.game import Game
from ..engine.options import Options
from . import common

SEED_RANGE = 2**31


def env(**settings: Any) -> AECEnv[str, Any, Any]:
    """The environment in PettingZoo's usual wrappers: an illegal action loses the game, with a reward of -1."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, Any, Any], EzPickle):  # noqa: N801 - the name PettingZoo looks for
    """The bare environment: an illegal action changes nothing, and `infos` say why it was refused.

    `shaping` is a reward for every point by which an agent's margin over the mean of the others grows.
    """

    metadata = {  # noqa: RUF012 - as PettingZoo's classes are written
        "name": "deadwood_v0",
        "render_modes": list(common.RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        players: int = 4,
        options: Options | None = None,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, players, options, shaping, render_mode)
        super().__init__()
        self.render_mode = common.check_render_mode(render_mode)
        self.possible_agents = common.agent_names(players)
        self.observation_spaces = {agent: common.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: common.action_space() for agent in self.possible_agents}
        self._options = options or Options()
        self._shaping = common.check_shaping(shaping)
        self._begun = False
        self._random: np.random.Generator | None = None
        self.game: Game = common.new_game(players, self._options, seed=0)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        if seed is None:
            seed = self._drawn_seed()
        else:
            self._random, _ = seeding.np_random(seed)
        self.game = common.new_game(len(self.possible_agents), self._options, seed)
        self._begun = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[self.game.state.active]
        self._inform(None)

    def _drawn_seed(self) -> int:
        """Resets without a seed continue the sequence of the last reset with one."""
        if self._random is None:
            self._random, _ = seeding.np_random()
        return int(self._random.integers(SEED_RANGE))

    def _inform(self, refusal: str | None) -> None:
        state, seats = self.game.state, enumerate(self.possible_agents)
        self.infos = {agent: {"action_mask": common.mask_of(state, seat)} for seat, agent in seats}
        if refusal is not None:
            self.infos[self.agent_selection]["refusal"] = refusal

    def observe(self, agent: str) -> Any:
        return common.seen_from(self.game.state, self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        common.check_begun(self._begun)
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        before = self.game.state
        self._cumulative_rewards[self.agent_selection] = 0.0
        refusal = common.try_action(self.game, action)
        after = self.game.state
        earned = common.rewards(before, after, self._shaping)
        self.rewards = dict(zip(self.possible_agents, earned, strict=True))
        if after.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[after.active]
        self._inform(refusal)
        self._accumulate_rewards()
        if after.over:
            self._deads_step_first()

    def render(self) -> Any:
        return common.render(self.game.state, self.render_mode)

    def close(self) -> None:
        """Nothing needs closing."""
