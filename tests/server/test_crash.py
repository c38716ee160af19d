"""After `kill -9` in the middle of play no acknowledged action is lost or doubled, and the log has no gaps."""

import argparse
import asyncio
import itertools
import random
import tempfile
from contextlib import contextmanager

import pytest

from .load import ActionLost, Table, check_logs, play_and_kill
from .people import Server, settings_for
from .postgres import running_postgres


def crash_again_and_again(url, kills, tables, *, mutant=False, seed=1, actions=0, report=lambda _kills, _actions: None):
    """Kill a server under load at least `kills` times, until that many `actions` are acknowledged; returns how many."""
    chance, seeds = random.Random(seed), itertools.count(seed)
    most = max(120, 2 * actions // kills)  # actions from one kill to the next
    everybody, killed = [], 0
    while killed < kills or acknowledged_by(everybody) < actions:
        server = Server(settings_for(url), mutant=mutant)
        try:
            playing = [table for table in everybody if not table.over]
            new = [Table(server, next(seeds)) for _ in range(tables - len(playing))]
            everybody += new
            playing += new
            asyncio.run(play_and_kill(server, playing, chance.randint(20, most)))
        finally:
            server.kill() if server.process.poll() is None else None
            server.errors.close()
        asyncio.run(check_logs(url, playing))
        killed += 1
        report(killed, acknowledged_by(everybody))
    asyncio.run(check_logs(url, everybody))  # also of games that were over long before the last kill
    return acknowledged_by(everybody)


def acknowledged_by(tables):
    """How many actions were acknowledged at all these tables."""
    return sum(len(table.acknowledged) for table in tables)


def test_nothing_is_lost_when_the_server_is_killed(sqlite_url):
    assert crash_again_and_again(sqlite_url, kills=5, tables=12) > 200


def test_nothing_is_lost_on_postgresql_either(postgres_url):
    assert crash_again_and_again(postgres_url, kills=2, tables=12) > 50


def test_a_server_that_acknowledges_before_the_commit_is_caught(sqlite_url):
    with pytest.raises(ActionLost):
        crash_again_and_again(sqlite_url, kills=1, tables=12, mutant=True)


@contextmanager
def a_database(postgres):
    """The URL of a new database."""
    if postgres:
        with running_postgres() as database:
            yield database.get_uri("postgres")
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/crash.sqlite3"


def show(kills, actions):
    if kills % 50 == 0:
        print(f"{kills} kills, {actions} acknowledged actions", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--actions", type=int, default=500_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL, instead of SQLite")
    arguments = parser.parse_args()
    with a_database(arguments.postgres) as url:
        kept = crash_again_and_again(url, arguments.kills, arguments.tables, actions=arguments.actions, report=show)
    print(f"{kept} acknowledged actions, at least {arguments.kills} kills: none lost, none doubled, none missing")
