"""Processes and their PostgreSQL die, freeze and lose each other while people play. See `chaos.py`."""

import asyncio

import pytest

from .chaos import Cluster, havoc
from .postgres import running_postgres


@pytest.fixture(scope="module")
def own_postgres():
    """A separate PostgreSQL, not the shared one: this one is killed."""
    with running_postgres() as server:
        yield server


def test_every_table_plays_on_whatever_breaks(own_postgres):
    played = asyncio.run(havoc(own_postgres, processes=2, tables=2, rounds=len(Cluster.EVENTS)))
    assert played > 2 * 3 * len(Cluster.EVENTS)
