"""Random-play speed of other game engines, in decisions per second.

Each measurement plays whole games, one after another in the calling thread,
until the time asked for is up, and divides the decisions made by the wall time
taken. Importing the engine is not timed; setting up each game is. A forced action
(the only legal one) counts as a decision. Pin the process to a core (for
example with ``taskset -c 1``) to measure that core alone.
"""

import random
import time
from collections.abc import Callable
from importlib import import_module
from itertools import count
from types import ModuleType

EXTRA = "bench"


class PeerNotInstalledError(ImportError):
    """A peer engine is missing; the message names the extra that installs it."""


def _import_peer(module: str, distribution: str) -> ModuleType:
    """Import a peer's module, naming the extra to install if it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise PeerNotInstalledError(
            f"{distribution} is not installed: install the '{EXTRA}' extra (pip install '.[{EXTRA}]')",
            name=module,
        ) from error


def rate(play: Callable[[], int], seconds: float) -> float:
    """What `play` counts, per second: it is called until `seconds` have passed, at least once.

    The last call is completed; its count and its time are included.
    """
    counted = 0
    start = time.perf_counter()
    while True:
        counted += play()
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return counted / elapsed


def _sample(outcomes: list[tuple[int, float]], point: float) -> int:
    """The outcome whose share of [0, 1) holds `point`; shares are probabilities."""
    for outcome, probability in outcomes:
        point -= probability
        if point < 0:
            return outcome
    return outcomes[-1][0]


def catanatron_games() -> Callable[[], int]:
    """Plays a game of catanatron with four of its `RandomPlayer`s at every call; returns its decisions.

    Counts one decision per game tick, that is per action a player chose, dice
    rolls and ends of turn included. Games run through `Game.play()` with no
    accumulators, to a win or to catanatron's own turn limit. Game n is seeded
    with n, from 1; catanatron does so by reseeding the global `random`.
    """
    peer = _import_peer("catanatron", "catanatron")
    seeds = count(1)

    def play_game() -> int:
        players = [peer.RandomPlayer(color) for color in peer.Color]
        game = peer.Game(players, seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return play_game


def catanatron(seconds: float) -> float:
    """Decisions per second of catanatron."""
    return rate(catanatron_games(), seconds)


def openspiel(game_name: str, seconds: float) -> float:
    """Decisions per second of an OpenSpiel game driven from Python by pyspiel.

    Counts one decision per action a player chose, uniformly among
    `legal_actions()`. Chance nodes (dice, deals) are sampled from
    `chance_outcomes()`: their time is counted, but they are not decisions.
    `game_name` is a game of alternating turns, such as "backgammon" or
    "hearts", with its default parameters. The draws are written to be cheap:
    with `random.choices` they would cost more than hearts itself.
    """
    pyspiel = _import_peer("pyspiel", "open_spiel")
    game = pyspiel.load_game(game_name)
    rng = random.Random(1)

    def play_game() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action = _sample(state.chance_outcomes(), rng.random())
            else:
                legal = state.legal_actions()
                action = legal[int(rng.random() * len(legal))]
                decisions += 1
            state.apply_action(action)
        return decisions

    return rate(play_game, seconds)
