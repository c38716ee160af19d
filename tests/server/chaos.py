"""Several server processes on one PostgreSQL, with people spread over them, while many things break.

No acknowledged action may be lost or doubled, and every table plays on: two people at different processes, and a bot.
"""

import argparse
import asyncio
import itertools
import random
import signal
import time
from contextlib import ExitStack, suppress

import psutil
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from deadwood.server.store.opening import PATIENCE as DATABASE_PATIENCE

from . import postgres
from .load import Table, check_logs
from .people import PATIENCE, Server, person, settings_for, until

MORE = 3  # actions of people at each table while something is broken
BACKOFF = 0.1  # seconds until a client tries again


class SpreadTable(Table):
    """Two people, each connected to any process, and a bot. The people act when `act` lets them."""

    def __init__(self, cluster, seed):
        self._chance = random.Random(seed)
        super().__init__(self._chance.choice(cluster.servers), seed, bots=[{"bot": "random"}])
        self._cluster = cluster
        self._may = asyncio.Semaphore(0)
        self._owes = 0
        self._people = ()
        self._news = asyncio.Event()
        self._living = asyncio.create_task(self._live())

    async def act(self, count):
        """Let people act `count` times, and wait until all is acknowledged."""
        goal = len(self.acknowledged) + count
        for _ in range(count):
            self._may.release()
        while not self.over and len(self.acknowledged) < goal:
            self._news.clear()
            acted = asyncio.create_task(self._news.wait())
            await asyncio.wait([acted, self._living], return_when=asyncio.FIRST_COMPLETED)
            acted.cancel()
            if self._living.done():
                self._living.result()

    async def end(self):
        self._living.cancel()
        await asyncio.gather(self._living, return_exceptions=True)

    async def _live(self):
        """Connect again whenever a connection breaks."""
        while not self.over:
            playing = asyncio.create_task(self._play(self._cluster.reachable))
            moving = asyncio.create_task(self._cluster.moved.wait())
            await asyncio.wait([playing, moving], return_when=asyncio.FIRST_COMPLETED)
            moving.cancel()
            self._hang_up()
            playing.cancel()
            for result in await asyncio.gather(playing, return_exceptions=True):
                if isinstance(result, Exception):
                    raise result
            await asyncio.sleep(BACKOFF)

    async def _play(self, servers):
        one, other = self._chance.choices(servers, k=2)
        try:
            async with person(one, self.code, self.tokens[0]) as ada, person(other, self.code, self.tokens[1]) as bo:
                self._people = (ada, bo)
                for host in self._people:
                    self.check_snapshot(host)
                while ada.status == "running":
                    await self._turn(ada, bo)
                self.over = True
                self._news.set()
        except TimeoutError:
            raise AssertionError(f"a client at {self.code} heard nothing for a minute: {self._state()}") from None
        except (OSError, ConnectionClosed, InvalidHandshake, KeyError):  # KeyError: no welcome, but a refusal
            pass

    def _state(self):
        numbers = [(host.seq, host.up, host.table["position"]["state"]["active"]) for host in self._people]
        return f"entries seen, whose turn: {numbers}, unanswered: {self.unanswered}, owed: {self._owes}"

    def _hang_up(self):
        """Hang up at once: a frozen process does not say goodbye."""
        for host in self._people:
            host.socket.transport.abort()

    async def _turn(self, ada, bo):
        """Both people see everything. The bot acts when it likes, in the process that has the lease."""
        if not self._owes:
            await self._may.acquire()
            self._owes = 1
        await ada.hear_update(bo.seq)
        await bo.hear_update(ada.seq)
        if ada.seq == bo.seq:
            active = next((host for host in (ada, bo) if host.up), None)
            await (self._act(active) if active else ada.hear())

    async def _act(self, host):
        before = len(self.acknowledged)
        await super()._act(host)
        if len(self.acknowledged) > before:
            self._owes = 0
            self._news.set()
        elif self.unanswered is not None:  # not stored: the client sends it again
            await asyncio.sleep(BACKOFF)


class Cluster:
    """Processes, each with its own line to the database."""

    def __init__(self, stack, database, count):
        self._stack = stack
        self.database = database
        self.url = database.get_uri("postgres")
        self.lines = [stack.enter_context(postgres.Line(self.url)) for _ in range(count)]
        self.servers = [self._start(line) for line in self.lines]
        self.reachable = list(self.servers)  # those that clients try
        self.seconds = 0.0  # how long it took until all tables had played on
        self.moved = asyncio.Event()  # tells clients, who would otherwise notice a frozen process only by its silence

    def _start(self, line):
        # without the patience of a real server it would wait for a frozen database
        server = Server(settings_for(line.url, database_patience=DATABASE_PATIENCE))
        self._stack.callback(_end, server)
        return server

    async def kill_process(self, at, tables):
        """`kill -9` in the middle of play, then start another process in its place."""
        playing = asyncio.create_task(act(tables))
        await asyncio.to_thread(self.servers[at].kill)
        await self._measure(playing)
        await self._taken_over(at, tables)
        self.servers[at] = await asyncio.to_thread(self._start, self.lines[at])
        self.reachable = list(self.servers)

    async def freeze_process(self, at, tables):
        """The process wakes up with old leases, and does not know that others have taken over."""
        process = psutil.Process(self.servers[at].process.pid)
        process.suspend()
        self._try([server for server in self.servers if server is not self.servers[at]])
        await self._measure(act(tables))
        await self._taken_over(at, tables)
        process.resume()
        self._try(self.servers)
        await act(tables)

    def _try(self, servers):
        self.reachable = list(servers)
        self.moved.set()
        self.moved = asyncio.Event()

    async def cut_off_process(self, at, tables):
        """The database answers all processes but this one, which sends its people to the others."""
        self.lines[at].swallow()
        await self._measure(act(tables))
        await self._taken_over(at, tables)
        await asyncio.to_thread(self._until_ready, at, 503)
        self.lines[at].mend()
        await asyncio.to_thread(self._until_ready, at, 200)

    async def kill_database(self, _at, tables):
        """Kill the database in the middle of play; it recovers what was committed."""
        playing = asyncio.create_task(act(tables))
        await asyncio.to_thread(postgres.kill, self.database)
        await asyncio.to_thread(postgres.restart, self.database)
        await self._measure(playing)

    async def freeze_database(self, at, tables):
        """Freeze the database until a process reports that it does not answer."""
        playing = asyncio.create_task(act(tables))
        postgres.freeze(self.database)
        await asyncio.to_thread(self._until_ready, at, 503)
        postgres.thaw(self.database)
        await self._measure(playing)

    EVENTS = (kill_process, freeze_process, cut_off_process, kill_database, freeze_database)

    async def _measure(self, playing):
        started = time.monotonic()
        await playing
        self.seconds = time.monotonic() - started

    async def _taken_over(self, at, tables):
        """The others look after all tables while this process is still gone, also where no bot has had to act."""
        others = [server for server in self.servers if server is not self.servers[at]]
        await until(lambda: sum(server.metric("leases") for server in others) >= len(tables))

    def leader(self):
        """The process with the most leases."""
        return max(range(len(self.servers)), key=lambda at: self.servers[at].metric("leases"))

    def _until_ready(self, at, status):
        """Ask again and again, with a limit: a process that never gets there fails the test."""
        giving_up = time.monotonic() + PATIENCE
        while (found := self.servers[at].request("GET", "/readyz")[0]) != status:
            assert time.monotonic() < giving_up, f"process {at} still answers {found} and not {status}"
            time.sleep(BACKOFF)


def _end(server):
    with suppress(psutil.NoSuchProcess):
        psutil.Process(server.process.pid).send_signal(signal.SIGCONT)
    if server.process.poll() is None:
        server.end()
    server.errors.close()


async def act(tables):
    """Let people act at all tables, until everything is acknowledged."""
    await asyncio.gather(*(table.act(MORE) for table in tables))


async def havoc(database, processes, tables, rounds, seed=1, report=lambda *_: None):
    """Break things while people play, then run all checks. Returns the number of acknowledged actions."""
    chance = random.Random(seed)
    seeds = itertools.count(seed)
    everybody = []
    with ExitStack() as stack:
        cluster = Cluster(stack, database, processes)
        await until(lambda: all(one.metric("peers") == processes - 1 for one in cluster.servers))
        for number, event in zip(range(rounds), itertools.cycle(Cluster.EVENTS), strict=False):
            playing = [table for table in everybody if not table.over]
            new = [SpreadTable(cluster, next(seeds)) for _ in range(tables - len(playing))]
            everybody += new
            playing += new
            await act(playing)
            at = cluster.leader() if number < len(Cluster.EVENTS) else chance.randrange(processes)
            await event(cluster, at, playing)
            report(number, event.__name__, cluster.seconds)
        for table in everybody:
            await table.end()
        await check_logs(cluster.url, everybody)
        assert not any("traceback" in server.log() for server in cluster.servers)
    return sum(len(table.acknowledged) for table in everybody)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", type=float, help="seconds until all tables must have played on")
    arguments = parser.parse_args()

    def show(number, name, seconds):
        late = arguments.within is not None and seconds > arguments.within
        assert not late, f"{name}: it took {seconds:.1f} s until all tables had played on"
        print(f"{number + 1}. {name}: all tables have played on after {seconds:.1f} s", flush=True)

    with postgres.running_postgres() as running:
        kept = asyncio.run(
            havoc(running, arguments.processes, arguments.tables, arguments.rounds, arguments.seed, show)
        )
    print(f"{kept} acknowledged actions: none lost, none doubled, none missing")
