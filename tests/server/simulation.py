"""Whole games over a bad network in simulated time. The same seed gives the same game, to the last message.

The server's own rooms, conversations, group commit and peers run here. Only the clock, the network between clients
and servers, the disk, and the deaths of servers are simulated. Messages are lost, doubled, delayed and reordered,
connections break, and a server may be killed between any two steps of a commit. With several servers on one disk, one
may also be cut off from it for a while; then another has to take over within five seconds.
"""

import argparse
import asyncio
import heapq
import itertools
import json
import logging
import random
import sys

from deadwood.engine import rules
from deadwood.engine.notation import format_action
from deadwood.narration import narrate
from deadwood.server.admission import Admission
from deadwood.server.metrics import Counters
from deadwood.server.protocol.commands import NewBot, NewPerson, NewTable
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.settings import UNLIMITED, Settings
from deadwood.server.socket.connection import Stalled
from deadwood.server.socket.conversation import Conversation
from deadwood.server.store.writer import Writer
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.heartbeat import Heartbeat
from deadwood.server.tables.local_peers import LocalPeers
from deadwood.server.tables.log import Opened
from deadwood.server.tables.services import Services
from deadwood.server.tables.shared_peers import SharedPeers
from deadwood.server.tables.sitting import sitting_of

from .memory import MemoryExchange, MemoryStore

HOURS = 3600.0
LONGEST = 24 * HOURS  # of simulated time: the most that a game may take
TAKEOVER = 5.0  # seconds: the most that a table may be left alone
SETTINGS = Settings(database="", url="http://simulated", bot_pause=1.0, asleep=20.0, limits=UNLIMITED)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next timer when nothing is left to do."""

    def __init__(self):
        super().__init__()
        self._now = 0.0

    def time(self):
        return self._now

    def _run_once(self):
        if not self._ready:
            while self._scheduled and self._scheduled[0]._cancelled:  # or the loop would really wait for them
                heapq.heappop(self._scheduled)._scheduled = False
                self._timer_cancelled_count -= 1
            if not self._scheduled:
                raise AssertionError("deadlock: every task waits for another")
            self._now = max(self._now, self._scheduled[0]._when)
        super()._run_once()


class Disk(MemoryStore):
    """A disk that survives its servers; a dead server can no longer write to it."""

    def mounted(self, chance):
        return _Mounted(self, chance)


class _Mounted:
    """A disk as one server sees it; it may be cut off."""

    def __init__(self, disk, chance):
        self._disk = disk
        self._chance = chance
        self.dead = False
        self.cut = False
        self.talk = _Part(self, disk.talk)

    def __getattr__(self, name):
        return self.reach(self._disk, name)

    def reach(self, store, name):
        if self.dead:
            raise AssertionError("a dead server touches the disk")
        return _out_of_reach if self.cut and name != "outbox" else getattr(store, name)

    async def commit(self, changes):
        await asyncio.sleep(self._chance.expovariate(200))
        if self.dead or self.cut:
            raise StoreFailed("the disk is out of reach")
        kept = [self._disk._commit(change) for change in changes]
        await asyncio.sleep(self._chance.expovariate(200))
        if self.cut or self._chance.random() < 0.01:
            raise StoreFailed("the disk did not say what became of it")  # stored, but nobody knows
        return kept

    async def close(self):
        pass


class _Part:
    """A part of a disk as one server sees it."""

    def __init__(self, mounted, part):
        self._mounted = mounted
        self._part = part

    def __getattr__(self, name):
        return self._mounted.reach(self._part, name)


async def _out_of_reach(*_args, **_more):
    raise StoreFailed("the disk is out of reach")


class _Exchange(MemoryExchange):
    """An exchange that takes a moment to deliver."""

    def __init__(self, mounted, chance, slowness):
        super().__init__(mounted._disk)
        self._mounted = mounted
        self._chance = chance
        self._slowness = slowness

    def _demand(self):
        if self._mounted.dead or self._mounted.cut:
            self._store.ears.pop(self, None)
        super()._demand()

    async def open(self, receive):
        await super().open(
            lambda text: asyncio.get_running_loop().call_later(self._moment(), self._hear, receive, text)
        )
        self._demand()

    def _hear(self, receive, text):
        if self in self._store.ears:
            receive(text)

    async def send(self, texts):
        await asyncio.sleep(self._moment())
        await super().send(texts)

    async def renew(self, server, seconds):
        """The database is slow at times, so nobody knows whether a server still counts as alive."""
        slow = self._chance.random() < 0.2
        await asyncio.sleep(self._chance.uniform(0, self._slowness) if slow else self._moment())
        return await super().renew(server, seconds)

    def _moment(self):
        return self._chance.expovariate(100)


class QuickThinker:
    """Bots that take a moment of simulated time."""

    def __init__(self, chance):
        self._chance = chance

    async def decide(self, level, state, patient=False, address=""):
        await asyncio.sleep(self._chance.expovariate(10))
        return sensible(rules.legal_actions(state), format_action, self._chance)

    def close(self):
        pass


def sensible(actions, name, chance):
    """Mostly an action that brings the game closer to its end; `name` gives its notation."""
    wanted = [action for action in actions if name(action) == "act" or name(action).startswith("take")]
    return chance.choice(wanted if wanted and chance.random() < 0.8 else actions)


class Line:
    """One connection between a client and a server that may die. Messages get lost, doubled, delayed and reordered."""

    def __init__(self, chance, badness):
        self._chance = chance
        self._badness = badness
        self.open = True
        self._to_client = asyncio.Queue()
        self._to_server = asyncio.Queue()
        if chance.random() < badness:
            asyncio.get_running_loop().call_later(chance.expovariate(1 / 20), self.cut)

    def cut(self):
        if self.open:
            self.open = False
            self._to_client.put_nowait(None)
            self._to_server.put_nowait(None)

    def _carry(self, message, queue):
        if self._chance.random() < self._badness:
            return  # lost
        copies = 2 if self._chance.random() < self._badness else 1
        for _ in range(copies):
            delay = self._chance.expovariate(20) if self._chance.random() < 0.7 else self._chance.uniform(0, 3)
            asyncio.get_running_loop().call_later(delay, self._arrive, message, queue)

    def _arrive(self, message, queue):
        if self.open:
            queue.put_nowait(message)

    # the server's end

    async def receive(self):
        return await self._to_server.get()

    def ready(self):
        return not self._to_server.empty()

    def send_now(self, text):
        willing = self._chance.random() < 0.5
        if willing:
            self._carry(text, self._to_client)
        return willing

    async def send(self, text):
        self._carry(text, self._to_client)

    async def close(self, code, reason):
        self.cut()

    def abort(self):
        self.cut()

    # the client's end

    def say(self, message):
        self._carry(json.dumps(message), self._to_server)

    async def hear(self, patience):
        """The next message; None if none arrives in time or the line is dead."""
        try:
            message = await asyncio.wait_for(self._to_client.get(), patience)
        except TimeoutError:
            return None
        return None if message is None else json.loads(message)


class SimulatedServer:
    """One process, from its start to its violent end."""

    def __init__(self, world):
        self._world = world
        self.lines = {}
        self.mounted = world.disk.mounted(world.chance)

    async def start(self):
        world, loop = self._world, asyncio.get_running_loop()
        self.stalled = Stalled()
        self._writer = Writer(self.mounted)
        exchange = _Exchange(self.mounted, world.chance, world.slowness)
        services = Services(
            self.mounted,
            self._writer.append,
            QuickThinker(world.chance),
            SETTINGS,
            peers=SharedPeers(exchange, world.chance.randbytes, Counters()) if world.count > 1 else LocalPeers(),
            now=loop.time,
            random_bytes=world.chance.randbytes,
        )
        self.hall = Hall(services)
        heartbeat = Heartbeat(services, self.hall)
        await heartbeat.start()
        self._chores = [
            asyncio.create_task(self._sweep()),
            asyncio.create_task(heartbeat.live()),
            asyncio.create_task(services.peers.live(self.hall.wake)),
        ]
        return self

    async def _sweep(self):
        while True:
            await asyncio.sleep(5)
            self.hall.put_to_sleep()
            self.hall.send_to_others()
            self.stalled.drop(SETTINGS.stalled)

    @property
    def peers(self):
        return self.hall.services.peers

    async def kill(self):
        """Kill the server at any moment: nothing is flushed, no goodbye is sent."""
        hall = self.hall
        self.mounted.dead = hall.services.closing = True  # so that nothing new begins
        for room in hall.rooms.values():
            room.rest()  # its timer dies with it
        for line in self.lines:
            line.cut()
        doomed = [*self.lines.values(), *self._chores, self._writer._task]
        self.lines = {}
        await _cancel(doomed)
        while hall.services._tasks:  # one that is interrupted may start another
            await _cancel(tuple(hall.services._tasks))


class World:
    """A disk that survives, and servers on it. Each is killed or cut off after `lifetime` seconds on average."""

    def __init__(self, seed, badness, lifetime=60, servers=1):
        self.chance = random.Random(seed)
        self.badness = badness
        self.lifetime = lifetime
        self.count = servers
        self.slowness = self.chance.choice((0.0, 2.0)) if servers > 1 else 0.0  # seconds, of the database
        self.disk = Disk()
        self.servers = []
        self.deaths = self.cuts = self.takeovers = 0

    @property
    def hall(self):
        """The hall of a random server."""
        return self.chance.choice(self.servers).hall

    async def start(self):
        while len(self.servers) < self.count:
            self.servers.append(await SimulatedServer(self).start())

    async def kill(self, server):
        self.deaths += 1
        self.servers.remove(server)
        await server.kill()

    async def live(self):
        """Kill, cut off and restart servers until the game ends."""
        while True:
            await asyncio.sleep(self.chance.expovariate(self.count / self.lifetime))
            server = self.chance.choice(self.servers)
            if self.count > 1 and self.chance.random() < 0.5:
                await self._cut_off(server)
            else:
                await self.kill(server)
            await asyncio.sleep(self.chance.expovariate(1))
            await self.start()

    async def _cut_off(self, server):
        self.cuts += 1
        server.mounted.cut = True
        await asyncio.sleep(self.chance.uniform(0, 20))
        server.mounted.cut = False

    async def watch_over(self, code):
        """Assert that a table in memory is never without a lease for long while a server could hold it."""
        alone, owner = 0.0, None
        while True:
            await asyncio.sleep(0.25)
            well = [server for server in self.servers if not server.mounted.cut]
            lead = [server for server in well if server.peers.fence(code) is not None]
            wanted = any(code in server.hall.rooms for server in well)
            alone = alone + 0.25 if wanted and not lead else 0.0
            assert alone <= TAKEOVER + 2 * self.slowness, f"nobody looked after {code} for {alone} seconds"
            if lead and lead[0] is not owner:
                owner, self.takeovers = lead[0], self.takeovers + 1

    async def end(self, *tasks):
        """Stop everything."""
        await _cancel(tasks)
        for server in tuple(self.servers):
            await self.kill(server)

    def connect(self, code):
        line = Line(self.chance, self.badness)
        server = self.chance.choice(self.servers) if self.servers else None
        if server is None or server.peers.cut_off:
            line.cut()
            return line
        server.lines[line] = asyncio.create_task(conversation(server, line, code).run())
        return line


async def _cancel(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def conversation(server, line, code):
    """The server's side of a line."""
    admission = Admission(SETTINGS.limits, asyncio.get_running_loop().time)
    return Conversation(line, server.hall, admission, server.stalled, code, "client")


class Client:
    """A person's client: it repeats commands until they are answered, and asks for updates that it missed."""

    patience = 5  # seconds of silence until it asks

    def __init__(self, world, code, name, token, *, host=False, seated=False):
        self.world, self.code, self.name, self.token = world, code, name, token
        self.host, self.seated = host, seated
        self.seq = 0
        self.table = None
        self.held = []
        self.heard = {}  # seq -> sentences
        self.acknowledged = {}  # id -> seq
        self._ids = itertools.count(1)
        self._line = None

    async def live(self):
        while self.table is None or self.table["status"] != "finished":
            if await self._connect():
                await self._take_part()
            await asyncio.sleep(self.world.chance.expovariate(1))
        return self.table

    async def _connect(self):
        self._line = self.world.connect(self.code)
        if not self._line.open:
            return False
        since = self.world.chance.choice([None, self.seq])
        hello = {"type": "hello", "tokens": self._tokens()}
        self._line.say(hello if since is None else {**hello, "since": since})
        welcome = await self._hear(5)
        while welcome is not None and welcome["type"] != "welcome":
            welcome = await self._hear(5)
        return welcome is not None

    def _tokens(self):
        return [self.token] if self.seated else []

    async def _take_part(self):
        while self._line.open and self.table["status"] != "finished":
            wish = self._wish()
            if wish is not None:
                await self._ask(wish)
            elif await self._hear(self.patience) is None and self._line.open:
                await self._ask({"type": "sync", "since": self.seq})

    def _wish(self):
        table = self.table
        if not self.seated:
            return {"type": "sit", "name": self.name, "token": self.token}
        mine = next((seat for seat in table["chairs"] if seat["id"] in self.held), None)
        if mine is None:
            return None
        if table["status"] == "waiting":
            return self._wish_before_the_game(mine)
        return self._wish_in_the_game(mine)

    def _wish_before_the_game(self, mine):
        if not mine["ready"]:
            return {"type": "ready", "chair": mine["id"], "salt": self.world.chance.randbytes(32).hex()}
        if self.host and len(self.table["chairs"]) >= 3 and all(seat["ready"] for seat in self.table["chairs"]):
            return {"type": "start"}
        return None

    def _wish_in_the_game(self, mine):
        position = self.table["position"]
        if self.table["chairs"][position["state"]["active"]]["id"] == mine["id"]:
            actions = [offer["action"] for offer in position["offers"]]
            return {"type": "play", "seq": self.seq + 1, "action": sensible(actions, str, self.world.chance)}
        if self.world.chance.random() < 0.02:
            return {"type": "undo", "seq": self.seq + 1}
        return None

    async def _ask(self, wish):
        """Repeat a command with the same id, even over a new line, until it is answered."""
        id = f"{self.name}-{next(self._ids)}"
        while self._line.open or await self._connect_again():
            self._line.say({**wish, "id": id})
            for _ in range(8):
                answer = await self._hear(2)
                if answer is None:
                    break
                if answer.get("id") == id:
                    self._answered(wish, id, answer)
                    return

    async def _connect_again(self):
        await asyncio.sleep(self.world.chance.expovariate(1))
        return self.world.chance.random() < 0.5 and await self._connect()

    def _answered(self, wish, id, answer):
        if answer["type"] == "done":
            if wish["type"] != "sit":  # a sit is recognised by its token, not by its id
                self.acknowledged[id] = answer["seq"]
            else:
                self.seated = True
                self.held = [answer["chair"]]
        elif answer.get("table"):
            self._see(answer["table"])

    async def _hear(self, patience):
        message = await self._line.hear(patience)
        if message is None:
            return None
        if message["type"] == "welcome":
            self.held = message["held"] or self.held
            for missed in message["missed"]:
                self._note(missed)
            self._see(message["table"])
        elif message["type"] == "update":
            self._note(message)
            if message["seq"] == self.seq + 1:
                self._see(message.get("table") or self._later(message))
        return message

    def _later(self, update):
        return {**self.table, **{name: update[name] for name in ("seq", "position")}}

    def _note(self, update):
        """Assert that every message about an entry has the same sentences."""
        first = self.heard.setdefault(update["seq"], update["sentences"])
        assert first == update["sentences"], (update["seq"], first, update["sentences"])

    def _see(self, table):
        """An older table never replaces a newer one."""
        if table["seq"] >= self.seq:
            self.table, self.seq = table, table["seq"]


async def play(seed, badness, servers=1):
    """One game from opening the table to its end, then all checks."""
    world = World(seed, badness, servers=servers)
    await world.start()
    tokens = [world.chance.randbytes(32).hex() for _ in range(2)]
    host = NewPerson(name="Ada", token=tokens[0])
    options = {"days": 1}
    room = await make(world, host, options)
    code = room.sitting.code
    clients = [
        Client(world, code, "Ada", tokens[0], host=True, seated=True),
        Client(world, code, "Bo", tokens[1]),
    ]
    dying, watching = asyncio.create_task(world.live()), asyncio.create_task(world.watch_over(code))
    try:
        tables = await asyncio.wait_for(asyncio.gather(*(client.live() for client in clients)), LONGEST)
        assert not watching.done(), watching.exception()
    finally:
        await world.end(dying, watching)
    await check(world, code, clients, tables)
    return world


async def make(world, host, options):
    from deadwood import Options

    while True:
        try:
            new = NewTable(chairs=(host, NewBot(bot="random")), options=Options(**options))
            return await world.hall.open(new)
        except StoreFailed:
            await asyncio.sleep(1)


async def check(world, code, clients, tables):
    entries = await world.disk.entries(code, 1)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert sum(isinstance(entry.body, Opened) for entry in entries) == 1
    sitting = sitting_of(entries)
    assert sitting.status == "finished"
    sentences = {one.seq: [narrate(event) for event in one.events] for one in sitting.events}
    final = sitting.game.state.snapshot()
    for client, table in zip(clients, tables, strict=True):
        assert table["seq"] == sitting.seq
        assert [player["dollars"] for player in table["position"]["state"]["players"]] == [
            one.dollars for one in final.players
        ]
        assert all(sentences[seq] == heard for seq, heard in client.heard.items())
        kept = {entry.command: entry.seq for entry in entries}
        assert client.acknowledged.items() <= kept.items()
    commands = [(entry.by, entry.command) for entry in entries if entry.command]
    assert len(commands) == len(set(commands))


def simulate(seed, servers=1):
    """Play one game over a network that is perfect, bad or very bad."""
    return run(play(seed, random.Random(seed).choice([0.0, 0.02, 0.1, 0.2]), servers))


def run(work):
    """Do something in simulated time."""
    loop = SimulatedLoop()
    logging.disable()  # disks fail on purpose here
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()
        logging.disable(logging.NOTSET)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--servers", type=int, default=1)
    arguments = parser.parse_args()
    for number in range(arguments.first, arguments.first + arguments.seeds):
        try:
            simulate(number, arguments.servers)
        except BaseException:
            print(f"seed {number}", file=sys.stderr)
            raise
    print(f"{arguments.seeds} games, all to their end")
