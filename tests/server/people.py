"""People at a served table: a small client over real sockets, for tests."""

import asyncio
import copy
import functools
import itertools
import json
import random
import secrets
import select
import socket
import tempfile
import urllib.error
import urllib.request
from contextlib import asynccontextmanager, contextmanager

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from deadwood.server.settings import UNLIMITED, Settings

from .run_server import ForkedServer, fresh_server

FOR_EVER = 3600.0  # seconds, for a setting that must have no effect
PATIENCE = 60  # seconds after which a test gives up; no test that passes waits that long


class Server:
    """A real server process on loopback."""

    def __init__(self, settings, *, mutant=False, environment=None):
        self.settings = settings
        self.headers = {}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `serving`
        if environment:
            self.process = fresh_server(settings, self.errors, environment)
        else:
            self.process = ForkedServer(settings, self.errors, mutant=mutant)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        self.url = self.process.stdout.readline().strip() if ready else ""
        if not self.url:
            self.kill()
            errors = self.log()
            self.errors.close()
            raise AssertionError(f"the server did not start: {errors}")

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])

    def socket_url(self, code):
        return f"{self.url.replace('http', 'ws')}/api/tables/{code}/socket"

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def kill(self):
        self.process.kill()
        self._reap()

    def end(self):
        """Stop the server as an administrator would."""
        self.process.terminate()
        self._reap()

    def _reap(self):
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def at(self, address):
        """The same server as seen from another address, through a proxy on this machine."""
        elsewhere = copy.copy(self)
        elsewhere.headers = {"x-forwarded-for": address}
        return elsewhere

    def request(self, method, path, body=None, *, token=None, headers=None):
        """Status, headers and body of a response; JSON is decoded."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        who = {"authorization": f"Bearer {token}"} if token else {}
        sent = {"content-type": "application/json", **who, **self.headers, **(headers or {})}
        asked = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as response:
                return response.status, dict(response.headers), _read(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), _read(error)

    def get(self, path):
        status, _, body = self.request("GET", path)
        assert status == 200, body
        return body

    def post(self, path, body, token=None, status=200):
        answered, _, answer = self.request("POST", path, body, token=token)
        assert answered == status, answer
        return answer

    def make(self, name="Ada", token=None, **table):
        """A new table and its host's token."""
        token = token or secrets.token_hex(32)
        made = self.post("/api/tables", new_table(name, token, **table), status=201)
        return made["table"]["code"], token

    def metric(self, name):
        lines = self.get("/metrics").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"deadwood_{name} "))


def _read(response):
    data = response.read()
    return json.loads(data) if response.headers.get_content_type() == "application/json" else data.decode()


def new_table(name, token, *, bots=(), **table):
    """The body that opens a table: a host, bots and options."""
    chairs = [{"type": "person", "name": name, "token": token}, *({"type": "bot", **bot} for bot in bots)]
    return {"chairs": chairs, **table}


def bots_alone(count, **options):
    """The body that opens a table for bots alone."""
    return {"chairs": [{"type": "bot", "bot": "random"}] * count, "options": options}


def token():
    """A new token or salt."""
    return secrets.token_hex(32)


def settings_for(database, **more):
    """Bots act at once, and bots and database may take for ever: no test depends on the speed of the machine."""
    patient = {"thinking": FOR_EVER, "database_patience": FOR_EVER, "limits": UNLIMITED}
    usual = {"port": 0, "bot_pause": 0.0, "correction_pause": 0.0, **patient}
    return Settings(**{"database": database, **usual, **more})


@contextmanager
def serving(database, *, mutant=False, environment=None, **more):
    server = Server(settings_for(database, **more), mutant=mutant, environment=environment)
    try:
        yield server
    finally:
        server.end()
        server.errors.close()


@contextmanager
def quietly_serving(folder, **more):
    """A server with a database in this folder. Its log must have no traceback at the end."""
    with serving(f"sqlite:///{folder}/games.sqlite3", **more) as server:
        yield server
        assert "traceback" not in server.log()


class Person:
    """One connection: it sends commands and receives messages."""

    def __init__(self, socket):
        self.socket = socket
        self.table = {}
        self.seq = 0
        self.held = []
        self.updates = []
        self.pending = None
        self._ids = itertools.count(1)
        self._name = secrets.token_hex(4)

    async def hear(self):
        async with asyncio.timeout(PATIENCE):
            message = json.loads(await self.socket.recv())
        self._understand(message)
        return message

    def _understand(self, message):
        match message["type"]:
            case "welcome":
                self.table, self.held = message["table"], message["held"]
                self.present = message["present"]
                self.seq = self.table["seq"]
            case "present":
                self.present = message["chairs"]
            case "pending":
                self.pending = message["pending"]
            case "update":
                self.pending = None
                self.updates.append(message)
                self.seq = message["seq"]
                self.table = message.get("table") or {
                    **self.table,
                    "seq": message["seq"],
                    "position": message["position"],
                }

    async def hear_until(self, wanted):
        while True:
            message = await self.hear()
            if wanted(message):
                return message

    async def hear_update(self, seq):
        while self.seq < seq:
            await self.hear()

    async def send(self, message):
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def ask(self, type, **more):
        """Send a command and return its answer."""
        id = more.pop("id", f"{self._name}-{next(self._ids)}")
        await self.send({"type": type, "id": id, **more})
        answer = await self.hear_until(lambda message: message.get("id") == id)
        if answer["type"] == "done" and type == "sit":
            self.held.append(answer["chair"])
        return answer

    async def do(self, type, **more):
        """Send a command that must succeed."""
        answer = await self.ask(type, **more)
        assert answer["type"] == "done", answer
        await self.hear_update(answer["seq"])
        return answer

    async def be_ready(self, chair=None):
        return await self.do("ready", chair=chair or self.held[0], salt=secrets.token_hex(32))

    async def act(self, action=None, **more):
        action = action or self.offers[0]["action"]
        return await self.do("play", seq=self.seq + 1, action=action, **more)

    @property
    def up(self):
        """Whether it is the turn of a chair that this connection holds."""
        state = self.state
        if state is None or state["active"] is None:
            return False
        return self.table["chairs"][state["active"]]["id"] in self.held

    @property
    def state(self):
        return self.table["position"]["state"] if self.table["position"] else None

    @property
    def offers(self):
        return self.table["position"]["offers"]

    @property
    def status(self):
        return self.table["status"]


@asynccontextmanager
async def person(server, code, *tokens, since=None, headers=None, language="en"):
    """Connect and say hello. The queue is unbounded, so that closing never waits for unread messages."""
    sent = {**server.headers, **(headers or {})}
    async with connect(server.socket_url(code), additional_headers=sent, max_queue=None, ping_interval=None) as socket:
        one = Person(socket)
        hello = {"type": "hello", "tokens": list(tokens), "explain": True, "language": language}
        await one.send(hello if since is None else {**hello, "since": since})
        one.welcome = await one.hear()
        yield one


@asynccontextmanager
async def started(server, names=("Ada", "Bo"), **table):
    """A running game; one connection holds all chairs."""
    code, token = server.make(names[0], **table)
    tokens = [token]
    async with person(server, code, token) as host:
        for name in names[1:]:
            tokens.append(secrets.token_hex(32))
            await host.do("sit", name=name, token=tokens[-1])
        for chair in tuple(host.held):
            await host.be_ready(chair)
        await host.do("start")
        host.code, host.tokens = code, tokens
        yield host


async def play_to_the_end(one, seed=1):
    """Play to the end of the game; another tab with the same chair may be quicker."""
    choose = random.Random(seed).choice
    while one.status == "running":
        if not one.up:
            await one.hear()
            continue
        answer = await one.ask("play", seq=one.seq + 1, action=choose(one.offers)["action"])
        assert answer["type"] == "done" or answer["code"] == "stale", answer
        await one.hear_update(answer["seq"] if answer["type"] == "done" else answer["table"]["seq"])


async def play_some(one, count):
    """Play that many actions, whenever it is their turn."""
    while count:
        if one.up:
            await one.act()
            count -= 1
        else:
            await one.hear()


def together(test):
    """Run an async test without a plugin."""

    @functools.wraps(test)
    def run(*args, **kwargs):
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 3 * PATIENCE))

    return run


async def the_end(one):
    """How a connection was closed."""
    try:
        while True:
            await one.hear()
    except ConnectionClosed as closed:
        return closed


async def until(condition):
    """Poll a condition until it holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


def knock(server, data=b"", address="127.0.0.2"):
    """A plain TCP connection to a server, with its first bytes sent."""
    line = socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0))
    line.sendall(data)
    return line
