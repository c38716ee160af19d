"""`deadwood serve --processes`: people notice a reconnect at most, whatever happens to the processes."""

import asyncio
import contextlib
import copy
import select
import signal
import subprocess
import sys
import tempfile

import psutil
from click.testing import CliRunner

from deadwood.cli import main

from .load import Table, check_logs, play_on
from .people import PATIENCE, Server, together, until
from .ports import free_ports
from .run_server import ROOT


class Supervised(Server):
    """Several processes behind one address, started as an administrator would."""

    def __init__(self, database, processes, *more):
        self.headers = {}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with it
        options = ["--port", "0", "--bot-pause", "0", "--no-limits", "--log-requests", "--database", database, *more]
        command = [sys.executable, "-m", "deadwood", "serve", "--processes", str(processes), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=ROOT)
        self.url = ""
        while "served at" not in self.url:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            self.url = self.process.stdout.readline() if ready else ""
            assert self.url, f"the server did not start: {self.log()}"
        self.url = self.url.split("served at ")[1].split()[0]

    @property
    def processes(self):
        """The serving processes: children of the one that was started."""
        return {child.pid for child in psutil.Process(self.process.pid).children() if _serves(child)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self._reap()
        self.errors.close()


def _serves(child):
    with contextlib.suppress(psutil.Error):  # it may end at any moment
        return "spawn_main" in " ".join(child.cmdline())


@together
async def test_people_notice_a_reconnect_at_most(postgres_url):
    """A process is killed, then all are replaced one by one, then all end: the same tables play on throughout."""
    with Supervised(postgres_url, 2) as server:
        first = server.processes
        assert len(first) == 2
        tables = [Table(server, seed) for seed in range(4)]
        await play_on(tables, 5, server)
        psutil.Process(min(first)).kill()
        await play_on(tables, 10, server)
        await until(lambda: len(server.processes - {min(first)}) == 2)
        second = server.processes
        server.process.send_signal(signal.SIGHUP)
        await play_on(tables, 10, server)
        await until(lambda: len(server.processes) == 2 and not server.processes & second)
        await play_on(tables, 5, server)
        third = [psutil.Process(pid) for pid in server.processes]
        server.process.terminate()
        assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
        assert not any(process.is_running() for process in third)
        assert "traceback" not in server.log()
        assert '"path":"/api/tables"' in server.log()  # requests are logged, as in a single process
    await check_logs(postgres_url, tables)


@together
async def test_every_place_has_a_port_for_its_metrics(postgres_url):
    """A process that is killed or renewed is followed by another there, which counts from 0; the rest count on."""
    ports = free_ports(2)
    with Supervised(postgres_url, 2, "--metrics-port", str(ports[0])) as server:

        async def counted(port):
            there = copy.copy(server)
            there.url = f"http://127.0.0.1:{port}"
            return await asyncio.to_thread(there.metric, "request_seconds_count")

        async def all_counted():
            return [await counted(port) for port in ports]

        assert [await counted(ports[0]) for _ in range(4)] == [0, 1, 2, 3]
        assert await all_counted() == [4, 0]
        killed = min(server.processes)
        psutil.Process(killed).kill()
        await until(lambda: len(server.processes - {killed}) == 2)
        assert sorted(await all_counted()) in ([0, 1], [0, 5])  # one of them is new
        before = server.processes
        server.process.send_signal(signal.SIGHUP)
        await until(lambda: len(server.processes) == 2 and not server.processes & before)
        assert await all_counted() == [0, 0]


@together
async def test_processes_end_with_a_parent_that_is_killed(postgres_url):
    with Supervised(postgres_url, 2) as server:
        children = psutil.Process(server.process.pid).children(recursive=True)
        server.process.kill()
        _, alive = await asyncio.to_thread(psutil.wait_procs, children, PATIENCE)
        assert not alive


def test_sqlite_serves_one_process_and_says_so(sqlite_url):
    result = CliRunner().invoke(main, ["serve", "--processes", "2", "--database", sqlite_url])
    assert result.exit_code == 1
    assert "SQLite serves one process" in result.output
    assert "postgresql://" in result.output


def test_a_database_that_does_not_answer_is_named_once():
    result = CliRunner().invoke(main, ["serve", "--processes", "2", "--database", "postgresql://127.0.0.1:1/x"])
    assert result.exit_code == 1
    assert result.output.count("The database cannot be used") == 1
