"""Processes and their PostgreSQL die, freeze and lose each other while people play. See `chaos.py`."""

import asyncio

import pytest
from sqlalchemy import make_url

from .chaos import Cluster, havoc
from .people import together, until
from .postgres import Line, running_postgres


@pytest.fixture(scope="module")
def own_postgres():
    """A separate PostgreSQL, not the shared one: this one is killed."""
    with running_postgres() as server:
        yield server


def test_every_table_plays_on_whatever_breaks(own_postgres):
    """While a process is still gone, the others have its leases, and acknowledge actions at every table."""
    broken = []

    def report(_number, name, _seconds):
        broken.append(name)

    played = asyncio.run(havoc(own_postgres, processes=2, tables=2, rounds=len(Cluster.EVENTS), report=report))
    assert broken == [event.__name__ for event in Cluster.EVENTS]
    assert played > 2 * 3 * len(Cluster.EVENTS)


@together
async def test_a_line_that_has_ended_is_let_go(own_postgres):
    """A killed database ends hundreds of lines. With thousands, no process could be started in a long soak."""
    with Line(own_postgres.get_uri("postgres")) as line:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", make_url(line.url).port)
            writer.close()
        await until(lambda: not line._lines)
