"""Tables are made, played by bots and finished: memory, tasks, files and threads end where they started."""

import argparse
import tempfile
import time

import psutil

from .people import FOR_EVER, bots_alone, serving

MEGABYTE = 2**20
AT_ONCE = 20
PATIENCE = 120  # seconds without a finished game
POLL = 0.05  # seconds from one look at the metrics to the next
FORGETFUL = {"asleep": 0.0, "unwatched": FOR_EVER}  # bots must not pause, even if nobody watches
POOLED = 5  # connections that a store keeps open, with a thread and three files each


def play_tables(server, count):
    """Let bots play `count` whole games, twenty at a time."""
    goal = server.metric("games_finished_total") + count
    made = finished = 0
    latest = time.monotonic()
    while finished < count:
        while made < min(count, finished + AT_ONCE):
            server.post("/api/tables", bots_alone(2, days=1), status=201)
            made += 1
        now = count - (goal - server.metric("games_finished_total"))
        latest = time.monotonic() if now > finished else latest
        assert time.monotonic() - latest < PATIENCE, "no game ends any more"
        finished = now
        time.sleep(POLL)


def at_rest(server):
    """Memory, open files and threads, once there is nothing left to do."""
    deadline = time.monotonic() + PATIENCE
    while server.metric("tables") or server.metric("tasks"):
        assert time.monotonic() < deadline, "tables or tasks stay for ever"
        time.sleep(POLL)
    process = psutil.Process(server.process.pid)
    return process.memory_info().rss / MEGABYTE, process.num_fds(), process.num_threads()


def soak(server, tables):
    """Play a tenth as many games, measure, play them all, and measure again."""
    play_tables(server, max(4, tables // 10))
    memory, files, threads = at_rest(server)
    play_tables(server, tables)
    memory_then, files_then, threads_then = at_rest(server)
    assert files_then <= files + 3 * POOLED
    assert threads_then <= threads + POOLED
    return memory, memory_then


def test_finished_tables_leave_nothing_behind(sqlite_url):
    with serving(sqlite_url, **FORGETFUL) as server:
        memory, memory_then = soak(server, 8)
        assert server.metric("errors_total") == 0
        assert server.metric("bot_failures_total") == 0
    assert memory_then < memory + 8


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/soak.sqlite3", **FORGETFUL) as running:
        before, after = soak(running, arguments.tables)
    print(f"{arguments.tables} tables, all finished; memory {before:.0f} MB after a tenth, {after:.0f} MB at the end")
    assert after < before * 1.1 + 8
