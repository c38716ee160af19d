"""What both environments share: games, observations and rewards."""

from collections.abc import Sequence
from math import isfinite
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from .. import bots
from ..encoding import ACTIONS, DTYPE, HIGHEST, SIZE, action_mask, action_of, observe
from ..engine.chance import FastDice
from ..engine.game import Game
from ..engine.options import Options
from ..engine.scoring import score, win_shares
from ..engine.state import State
from ..narration import narrate
from .rendering import picture, text

RENDER_MODES = ("ansi", "rgb_array")
MASK_TYPE = np.int8


def action_space() -> spaces.Discrete[Any]:
    """The 32 numbers of `deadwood.encoding`."""
    return spaces.Discrete(ACTIONS)


def observation_space() -> spaces.Dict:
    """The encoding's observation, and a mask of the legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(SIZE, DTYPE), HIGHEST, dtype=DTYPE),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), MASK_TYPE),
        }
    )


def agent_names(players: int) -> list[str]:
    """The names of the players, in seat order."""
    return [f"player_{seat}" for seat in range(players)]


def new_game(players: int, options: Options, seed: int) -> Game:
    """A new game whose dice are `FastDice(seed)`, the same in every environment."""
    return Game.new(agent_names(players), options, dice=FastDice(seed))


def mask_of(state: State, seat: int) -> Any:
    """The legal actions of a seat; only the active player has any."""
    return action_mask(state).view(MASK_TYPE) if state.active == seat else np.zeros(ACTIONS, MASK_TYPE)


def seen_from(state: State, seat: int) -> dict[str, Any]:
    """The observation of a seat."""
    return {"observation": observe(state, seat), "action_mask": mask_of(state, seat)}


def margins(state: State) -> list[float]:
    """By seat, the player's lead over the mean of the others, in points."""
    scores = [score(one) for one in state.players]
    others = len(scores) - 1
    return [points - (sum(scores) - points) / others for points in scores]


def rewards(before: State, after: State, shaping: float) -> list[float]:
    """By seat: the share of the win at the end, and `shaping` for every point by which the margin grew."""
    shares = list(win_shares(after))
    if not shaping:
        return shares
    growth = zip(margins(before), margins(after), strict=True)
    return [share + shaping * (new - old) for share, (old, new) in zip(shares, growth, strict=True)]


def try_action(game: Game, number: Any) -> str | None:
    """Play an action by its number. If it is refused, nothing changes (R3.6) and the result says why."""
    action = action_of(_whole(number), game.state.table)
    refusal = game.refusal(action)
    if refusal is not None:
        return narrate(refusal)
    game.play(action)
    return None


def _whole(number: Any) -> int:
    """An action's number as an int, from numpy too. Floats are refused: rounding could change the action."""
    try:
        return index(number)
    except TypeError:
        raise TypeError(f"an action is a whole number from 0 to {ACTIONS - 1}, not {number!r}") from None


def render(state: State, mode: str | None) -> Any:
    """The table as text or as a picture."""
    match mode:
        case "ansi":
            return text(state)
        case "rgb_array":
            return picture(state)
        case _:
            return None


def check_render_mode(mode: str | None) -> str | None:
    """The mode, or a ValueError."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {RENDER_MODES} or None, not {mode!r}")
    return mode


def check_shaping(shaping: float) -> float:
    """The shaping, or a ValueError."""
    if not isinstance(shaping, int | float) or not isfinite(shaping):
        raise ValueError(f"shaping must be a finite number, not {shaping!r}")
    return float(shaping)


def check_seat(seat: int | None, players: int) -> int | None:
    """The seat, or a ValueError."""
    if seat is not None and (not isinstance(seat, int | np.integer) or seat not in range(players)):
        raise ValueError(f"seat must be from 0 to {players - 1}, or None to draw one, not {seat!r}")
    return None if seat is None else int(seat)


def check_opponents(opponents: Sequence[str]) -> tuple[str, ...]:
    """The opponents' names, or a ValueError or BotUnknown."""
    if isinstance(opponents, str):
        raise ValueError(f"opponents must be a sequence of names, such as [{opponents!r}], not one string")
    for name in opponents:
        bots.factory(name)  # raises a BotUnknown
    return tuple(opponents)


def check_begun(begun: bool) -> None:
    """Raise a ResetNeeded if no game has begun."""
    if not begun:
        raise ResetNeeded("call reset() before step(): no game has begun")
