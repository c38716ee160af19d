"""Clients over a bad network in simulated time: all games end, and all clients agree. See `simulation.py`."""

import pytest

from deadwood.server.tables import shared_peers

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


@pytest.mark.parametrize("servers", [2, 4])
@pytest.mark.parametrize("first", range(0, 9, 3))
def test_games_on_several_servers_end_as_well(first, servers):
    """Each may die or lose the disk at any moment. Unless the disk is slow, no table is left alone for five seconds."""
    for seed in range(first, first + 3):
        simulate(seed, servers)


def test_tables_move_from_server_to_server():
    worlds = [simulate(seed, 3) for seed in range(2000, 2004)]
    assert sum(world.deaths for world in worlds) > 10
    assert sum(world.cuts for world in worlds) > 10
    assert sum(world.takeovers for world in worlds) > 10


def test_a_table_that_is_left_alone_is_noticed(monkeypatch):
    monkeypatch.setattr(shared_peers, "LIFE", 60.0)
    with pytest.raises(AssertionError, match="nobody looked after"):
        simulate(0, 3)
