"""Gymnasium's environment: one learner against bots."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from .. import bots
from ..engine.game import Game
from ..engine.options import Options
from . import common
from .deadwood_v0 import SEED_RANGE

Seen = dict[str, Any]


class LearnerEnv(gymnasium.Env[Seen, Any]):
    """`Deadwood-v0`: the learner, and one bot for every name in `opponents`.

    The learner's seat is drawn at every reset, unless `seat` is given. A step is the learner's action and those of
    the bots until the learner is active again. An illegal action changes nothing and gives no reward; `info["refusal"]`
    says why. `shaping` is a reward for every point by which the learner's margin over the mean of the others grows.
    """

    metadata = {"render_modes": list(common.RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - as Gymnasium's are written

    def __init__(
        self,
        opponents: Sequence[str] = ("hopeful",),
        options: Options | None = None,
        seat: int | None = None,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = common.check_render_mode(render_mode)
        self.observation_space = common.observation_space()
        self.action_space = common.action_space()
        self._opponents = common.check_opponents(opponents)
        self._options = options or Options()
        self._given_seat = common.check_seat(seat, 1 + len(self._opponents))
        self._shaping = common.check_shaping(shaping)
        self._begun = False
        self.seat = self._given_seat or 0
        self.game: Game = common.new_game(1 + len(self._opponents), self._options, seed=0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, Seen]:
        super().reset(seed=seed, options=options)
        players = 1 + len(self._opponents)
        game_seed = seed if seed is not None else int(self.np_random.integers(SEED_RANGE))
        drawn = int(self.np_random.integers(players))
        self.seat = drawn if self._given_seat is None else self._given_seat
        seats = [seat for seat in range(players) if seat != self.seat]
        made = [(name, bots.make(name, int(self.np_random.integers(SEED_RANGE)))) for name in self._opponents]
        self._bots = dict(zip(seats, made, strict=True))
        self.game = common.new_game(players, self._options, game_seed)
        self._begun = True
        self._let_bots_play()
        return self._seen(), self._info(None)

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, Seen]:
        common.check_begun(self._begun)
        before = self.game.state
        refusal = common.try_action(self.game, action)
        if refusal is not None:
            return self._seen(), 0.0, before.over, False, self._info(refusal)
        self._let_bots_play()
        after = self.game.state
        reward = common.rewards(before, after, self._shaping)[self.seat]
        return self._seen(), reward, after.over, False, self._info(None)

    def _let_bots_play(self) -> None:
        while not self.game.over and self.game.state.active != self.seat:
            name, bot = self._bots[self.game.state.active]
            self.game.play(bots.decision(bot, name, self.game.state))

    def _seen(self) -> Seen:
        return common.seen_from(self.game.state, self.seat)

    def _info(self, refusal: str | None) -> Seen:
        info: Seen = {"action_mask": common.mask_of(self.game.state, self.seat), "seat": self.seat}
        return info if refusal is None else info | {"refusal": refusal}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are legal, for libraries that ask the environment itself."""
        return np.asarray(common.mask_of(self.game.state, self.seat), np.bool_)

    def render(self) -> Any:
        return common.render(self.game.state, self.render_mode)
