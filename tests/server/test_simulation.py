"""Clients over a bad network, in simulated time: all converge, all games end. `simulation.py` says how."""

import pytest

from .simulation import simulate

SEEDS = 60


@pytest.mark.parametrize("first", range(0, SEEDS, 5))
def test_every_evening_ends_well(first):
    for seed in range(first, first + 5):
        simulate(seed)


def test_the_same_seed_gives_the_same_evening():
    logs = [simulate(77).disk.log for _ in range(2)]
    assert logs[0] == logs[1]
    assert len(logs[0]) > 50


def test_evenings_are_bad_enough():
    """Servers die in the middle of games, and nobody knows whether the last commits were kept."""
    worlds = [simulate(seed) for seed in range(1000, 1005)]
    assert sum(world.deaths for world in worlds) > 10
