"""Clients over a bad network in simulated time: all games end, and all clients agree. See `simulation.py`."""

import pytest

from .simulation import simulate

SEEDS = 60


@pytest.mark.parametrize("first", range(0, SEEDS, 5))
def test_every_game_ends_and_all_clients_agree(first):
    for seed in range(first, first + 5):
        simulate(seed)


def test_the_same_seed_gives_the_same_log():
    logs = [simulate(77).disk.log for _ in range(2)]
    assert logs[0] == logs[1]
    assert len(logs[0]) > 50


def test_the_network_is_bad_enough():
    """Servers die in the middle of games, and with them the answers to their last commits."""
    worlds = [simulate(seed) for seed in range(1000, 1005)]
    assert sum(world.deaths for world in worlds) > 10
