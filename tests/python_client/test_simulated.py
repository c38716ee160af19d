"""The client over a bad network in simulated time: all games end, nothing is lost, and nothing is done twice."""

import pytest

from .simulated import simulate


@pytest.mark.parametrize("first", range(0, 10, 5))
def test_every_game_ends_and_everybody_heard_everything_once(first):
    for seed in range(first, first + 5):
        simulate(seed)


def test_the_network_is_bad_enough():
    """Servers die in the middle of games, and with them the answers to their last commits."""
    worlds = [simulate(seed)[0] for seed in range(1000, 1002)]
    assert sum(world.deaths for world in worlds) > 3
