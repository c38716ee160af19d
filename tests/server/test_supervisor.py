"""`deadwood serve --processes`: people notice a reconnect at most, whatever happens to the processes."""

import asyncio
import contextlib
import copy
import errno
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager

import psutil
import pytest
from click.testing import CliRunner

from deadwood.cli import main
from deadwood.server import supervisor
from deadwood.server.settings import Settings

from ..processes import has_ended
from .load import Table, check_logs, play_on
from .people import PATIENCE, Server, together, until
from .ports import free_ports
from .run_server import ROOT

GONE = "postgresql://127.0.0.1:1/x"


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
async def test_every_slot_has_a_port_for_its_metrics(postgres_url):
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
        await until(lambda: all(has_ended(child.pid) for child in children))


# --- processes that cannot be started, or that take too long


class FakeProcess(supervisor.Child):
    """A fake process."""

    def __init__(self):
        self.serving, self.ended = asyncio.Event(), asyncio.Event()
        self.started, self.exit_code, self.patience = supervisor._now(), 1, None

    @property
    def pid(self):
        return id(self)

    async def end(self, patience=supervisor.END):
        self.patience = patience
        self.ended.set()


class Machine:
    """Starts fake processes; can simulate running out of memory."""

    def __init__(self):
        self.made = []
        self.failures = 0

    def make(self, _number=0):
        if self.failures:
            self.failures -= 1
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        self.made.append(FakeProcess())
        return self.made[-1]


@pytest.fixture
def machine(monkeypatch):
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.0)
    return Machine()


@together
async def test_a_slot_is_filled_again_once_there_is_memory(machine, caplog):
    slot = supervisor.Slot(machine.make)
    keeping = asyncio.create_task(slot.keep())
    machine.failures = 3
    machine.made[0].ended.set()
    await until(lambda: len(machine.made) == 2)
    assert slot.child is machine.made[1]
    assert caplog.text.count("a process cannot be started") == 3
    assert "Cannot allocate memory" in caplog.text
    machine.made[1].ended.set()
    await until(lambda: len(machine.made) == 3)
    await slot.end()
    await keeping


@together
async def test_a_process_that_never_serves_is_replaced_as_one_that_dies(machine, caplog, monkeypatch):
    """It may wait for a lock in the database, and no statement of a migration has a limit."""
    monkeypatch.setattr(supervisor, "START", 0.0)
    slot = supervisor.Slot(machine.make)
    keeping = asyncio.create_task(slot.keep())
    machine.made[0].ended.set()
    await until(lambda: len(machine.made) > 2)
    await slot.end()
    await keeping
    assert machine.made[1].patience == 0.0
    assert f"process {machine.made[1].pid} does not serve after 0 s, and is killed" in caplog.text


@together
async def test_a_slot_is_renewed_once_there_is_memory(machine, caplog):
    slot = supervisor.Slot(machine.make)
    machine.failures = 3
    renewing = asyncio.create_task(slot.renew())
    await until(lambda: len(machine.made) == 2)
    assert slot.child is machine.made[0]
    machine.made[1].serving.set()
    await renewing
    assert slot.child is machine.made[1]
    assert machine.made[0].patience == supervisor.END
    assert caplog.text.count("a process cannot be started") == 3


@asynccontextmanager
async def supervising(monkeypatch, machine):
    """A supervisor of one process, which serves."""
    monkeypatch.setattr(supervisor.Supervisor, "_make", lambda _self, number: machine.make(number))
    parent, announced = supervisor.Supervisor(Settings(database=""), None, [], 1), asyncio.Event()
    running = asyncio.create_task(parent.run(lambda _url: announced.set()))
    await until(lambda: machine.made)
    machine.made[0].serving.set()
    await announced.wait()
    yield parent, running


@together
async def test_stopping_the_server_does_not_wait_for_a_process_that_is_starting(monkeypatch, machine, caplog):
    async with supervising(monkeypatch, machine) as (parent, running):
        parent._renew.set()
        await until(lambda: len(machine.made) == 2)
        parent._stop.set()
        await running
        assert [child.patience for child in machine.made] == [supervisor.END, 0.0]
        assert caplog.text == ""


@together
async def test_a_server_without_memory_for_a_renewal_goes_on_and_ends(monkeypatch, machine):
    async with supervising(monkeypatch, machine) as (parent, running):
        machine.failures = 10**9
        parent._renew.set()
        await until(lambda: machine.failures < 10**9)
        assert not running.done()
        parent._stop.set()
        await running
        assert [child.patience for child in machine.made] == [supervisor.END]


def test_sqlite_serves_one_process_and_says_so(sqlite_url):
    result = CliRunner().invoke(main, ["serve", "--processes", "2", "--database", sqlite_url])
    assert result.exit_code == 1
    assert "SQLite serves one process" in result.output
    assert "postgresql://" in result.output


def test_a_port_that_is_taken_is_named_before_the_database_is_touched():
    """An older server may still use both, and a newer one would migrate the database."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        for words in (["--port", taken], ["--port", "0", "--metrics-port", taken]):
            done = CliRunner().invoke(main, ["serve", "--processes", "2", "--database", GONE, *words])
            assert done.exit_code == 1
            assert f"cannot listen at 127.0.0.1, port {taken}: Address already in use." in done.output


def test_a_database_that_does_not_answer_is_named_once():
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--processes", "2", "--database", GONE])
    assert result.exit_code == 1
    assert result.output.count("The database cannot be used") == 1
