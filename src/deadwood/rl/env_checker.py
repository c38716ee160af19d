"""`check_env`: plays an environment in lockstep with the engine. For your environments and wrappers, and for ours."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gymnasium
import numpy as np
from msgspec.structs import replace

from ..encoding import action_of
from ..engine.chance import FastDice
from ..engine.game import Game
from ..engine.options import RANDOM
from ..engine.state import State
from .common import mask_of, rewards, seen_from

STEP_LIMIT = 50_000


def check_env(make: Callable[[], Any], games: int = 5, shaping: float = 0.0) -> list[str]:
    """Problems with the environment that `make()` returns, one sentence each; an empty list if it works.

    Works for PettingZoo (AEC) and Gymnasium, with random legal actions. The environment must keep its game as
    `unwrapped.game`, a `deadwood.Game` whose dice are `FastDice(seed)` after `reset(seed=seed)`. The engine plays the
    same game. After every step, states, observations, masks (including those in the infos), rewards and the end of the
    game must be equal, and no game may be truncated.
    """
    if not callable(make):
        raise TypeError("check_env needs a function that makes environments, such as a class, not an environment")
    problems = []
    for seed in range(games):
        env = make()
        check = _check_gymnasium if isinstance(env, gymnasium.Env) else _check_pettingzoo
        found = next(check(env, seed, shaping), None)
        if found is not None:
            problems.append(f"in the game with seed {seed}: {found}")
    return problems


class _Beside:
    """The engine's copy of an environment's game."""

    def __init__(self, env: Any, seed: int, shaping: float) -> None:
        self._env, self._shaping = env, shaping
        table = self._theirs.state.table
        options = replace(table.options, **dict.fromkeys(table.drawn, RANDOM))
        self._game = Game.new(table.names, options, dice=FastDice(seed), board=table.board, deck=table.deck)
        self._random = np.random.default_rng(seed)
        self._before = self.state

    @property
    def _theirs(self) -> Game:
        game = getattr(self._env.unwrapped, "game", None)
        if not isinstance(game, Game):
            raise TypeError("an environment must have a deadwood.Game as `unwrapped.game`")
        return game

    @property
    def state(self) -> State:
        return self._game.state

    def choose(self, mask: Any) -> int:
        """A random legal action."""
        return int(self._random.choice(np.flatnonzero(mask)))

    def follow(self, number: int | None) -> Iterator[str]:
        """Play the actions that the environment played; the first must have this number."""
        self._before = self.state
        steps = self._theirs.steps[len(self._game.steps) :]
        if number is not None and (not steps or steps[0].action != action_of(number, self.state.table)):
            yield f"action {number} was given, but {steps[0].action if steps else 'nothing'} was played"
        for step in steps:
            self._game.play(step.action)
        if self._theirs.state != self.state:
            yield "the state is not the engine's state with the same dice"

    def differences(self, seat: int, seen: Any, info: Mapping[str, Any]) -> Iterator[str]:
        """How an observation, or the mask in its info, differs from the encoding."""
        for name, expected in seen_from(self.state, seat).items():
            if not np.array_equal(seen[name], expected):
                yield f"the {name} of seat {seat} is not the encoding's"
        if not np.array_equal(info.get("action_mask", ()), mask_of(self.state, seat)):
            yield f"the action_mask in the info of seat {seat} is not the encoding's"

    def outcomes(self, given: Mapping[int, float], over: bool, truncated: bool) -> Iterator[str]:
        """Problems with the rewards of the last step, or with the end of the game."""
        if truncated:
            yield "the game is truncated"
        earned = rewards(self._before, self.state, self._shaping)
        for seat, reward in given.items():
            if not np.isclose(reward, earned[seat]):
                yield f"the reward of seat {seat} is {reward} instead of {earned[seat]}"
        if over != self.state.over:
            yield f"the environment says that the game is {'over' if over else 'not over'}; the engine disagrees"


def _check_gymnasium(env: Any, seed: int, shaping: float) -> Iterator[str]:
    seen, info = env.reset(seed=seed)
    beside = _Beside(env, seed, shaping)
    yield from _dated(0, beside.follow(None), beside.differences(env.unwrapped.seat, seen, info))
    for step in range(1, STEP_LIMIT):
        if beside.state.over:
            return
        number = beside.choose(seen["action_mask"])
        seen, reward, over, truncated, info = env.step(number)
        seat = env.unwrapped.seat
        yield from _dated(step, beside.follow(number), beside.differences(seat, seen, info))
        yield from _dated(step, beside.outcomes({seat: reward}, over, truncated))
    yield f"the game did not end within {STEP_LIMIT} steps"


def _check_pettingzoo(env: Any, seed: int, shaping: float) -> Iterator[str]:
    env.reset(seed=seed)
    beside, agents = _Beside(env, seed, shaping), list(env.possible_agents)
    number = None
    for step in range(STEP_LIMIT):
        yield from _dated(step, beside.follow(number))
        for seat, agent in enumerate(agents):
            yield from _dated(step, beside.differences(seat, env.observe(agent), env.infos[agent]))
        given = {seat: env.rewards[agent] for seat, agent in enumerate(agents)}
        over, truncated = all(env.terminations.values()), any(env.truncations.values())
        yield from _dated(step, beside.outcomes(given, over, truncated))
        if beside.state.over:
            return
        if env.agent_selection != agents[beside.state.active]:
            yield f"after {step} steps {env.agent_selection} is selected instead of {agents[beside.state.active]}"
        number = beside.choose(env.observe(env.agent_selection)["action_mask"])
        env.step(number)
    yield f"the game did not end within {STEP_LIMIT} steps"


def _dated(step: int, *problems: Iterator[str]) -> Iterator[str]:
    return (f"after {step} steps {problem}" for some in problems for problem in some)
