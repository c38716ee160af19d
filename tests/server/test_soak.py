"""Tables that are made, played by bots and finished: memory and task counts end where they started."""

import argparse
import tempfile
import time

import psutil

from .people import serving

MEGABYTE = 2**20
AT_ONCE = 20
PATIENCE = 120  # seconds without a finished game


def play_tables(server, count):
    """Bots play so many whole games, twenty at a time."""
    goal = server.metric("games_finished_total") + count
    made = finished = 0
    latest = time.monotonic()
    while finished < count:
        while made < min(count, finished + AT_ONCE):
            server.post("/api/tables", {"bots": [{"bot": "random"}] * 2, "options": {"days": 1}}, status=201)
            made += 1
        now = count - (goal - server.metric("games_finished_total"))
        latest = time.monotonic() if now > finished else latest
        assert time.monotonic() - latest < PATIENCE, "no game ends any more"
        finished = now


def at_rest(server):
    """Memory, and how much is going on, once nothing is to be done any more."""
    deadline = time.monotonic() + PATIENCE
    while server.metric("tables") or server.metric("tasks"):
        assert time.monotonic() < deadline, "tables or tasks stay for ever"
        time.sleep(0.05)
    process = psutil.Process(server.process.pid)
    return process.memory_info().rss / MEGABYTE, process.num_fds(), process.num_threads()


def soak(server, tables):
    """Play a tenth, look, play the rest, and look again."""
    play_tables(server, max(10, tables // 10))
    memory, files, threads = at_rest(server)
    play_tables(server, tables)
    memory_then, files_then, threads_then = at_rest(server)
    assert (files_then, threads_then) <= (files + 2, threads + 2)
    return memory, memory_then


def test_nothing_is_left_of_tables_that_are_over(sqlite_url):
    with serving(sqlite_url, asleep=0.0) as server:
        memory, memory_then = soak(server, 12)
        assert server.metric("errors_total") == 0
        assert server.metric("bot_failures_total") == 0
    assert memory_then < memory + 8


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/soak.sqlite3", asleep=0.0) as running:
        before, after = soak(running, arguments.tables)
    print(f"{arguments.tables} tables, all finished; memory {before:.0f} MB after a tenth, {after:.0f} MB at the end")
    assert after < before * 1.1 + 8
