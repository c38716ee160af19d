"""Deadwood's server: one process on SQLite, or two on PostgreSQL. An action is acknowledged once it is durable."""

import asyncio
import http.client
import json
import random
import secrets
import sys
from contextlib import ExitStack

import msgspec
import psutil

from tests.server.postgres import running_postgres

from .contestant import SEATS, Contestant, Table
from .wire import Line


class _Active(msgspec.Struct):
    active: int | None


class _Action(msgspec.Struct):
    action: str


class _Position(msgspec.Struct):
    state: _Active
    offers: list[_Action]


class _Table(msgspec.Struct):
    status: str
    position: _Position | None = None


class _Message(msgspec.Struct):
    seq: int = 0
    position: _Position | None = None
    table: _Table | None = None


_decode = msgspec.json.Decoder(_Message).decode


class DeadwoodTable(Table):
    """A real game: a random choice among the offers."""

    _new = False  # whether the host has seen a position in which nobody has acted yet

    async def sit_down(self) -> None:
        loop = asyncio.get_running_loop()
        self._done: asyncio.Future[int] = loop.create_future()
        self._started: asyncio.Future[None] = loop.create_future()
        self._seen = asyncio.Event()  # set once the host, who may be at another process, has seen a change
        self._seq, self._active, self._offers = 0, 0, list[_Action]()
        token = secrets.token_hex(32)
        code = self._open(token)
        for place in range(SEATS):
            line = await Line.connect(place, f"/api/tables/{code}/socket", self.port, self._heard)
            self.lines.append(line)
            self._welcomed: asyncio.Future[None] = loop.create_future()
            _say(line, type="hello", tokens=[token] if place == 0 else [])
            await self._welcomed
            if place:
                await self._perform(line, type="sit", name=f"P{place}", token=secrets.token_hex(32))
        for place, line in enumerate(self.lines):
            await self._perform(line, type="ready", chair=place + 1, salt=secrets.token_hex(32))
        await self._perform(self.lines[0], type="start")
        await self._started

    def _open(self, token: str) -> str:
        server = http.client.HTTPConnection("127.0.0.1", self.port)
        host = {"type": "person", "name": "P0", "token": token}
        server.request("POST", "/api/tables", json.dumps({"chairs": [host]}))
        code: str = json.load(server.getresponse())["table"]["code"]
        server.close()
        return code

    async def _perform(self, line: Line, **command: object) -> None:
        self._done = asyncio.get_running_loop().create_future()
        self._seen.clear()
        _say(line, id=str(command["type"]), **command)
        await self._done
        await self._seen.wait()

    def _heard(self, line: Line, payload: bytes) -> None:
        if payload.startswith(b'{"type":"done"'):
            if self._due is None:
                self._done.set_result(_decode(payload).seq)
            else:
                self.acknowledge()
            self._go_on()
        elif line.place == 0 and payload.startswith(b'{"type":"update"'):
            self._updated(_decode(payload))
        elif payload.startswith(b'{"type":"welcome"'):
            self._welcomed.set_result(None)
        elif payload.startswith(b'{"type":"refused"'):
            raise SystemExit(payload.decode())

    def _updated(self, message: _Message) -> None:
        self._seq = message.seq
        self._new = True
        position = message.position
        if message.table is not None:
            position = message.table.position
            self.over = message.table.status == "finished"
        if position is not None:
            self._active, self._offers = position.state.active or 0, position.offers
            if not self._started.done():
                self._started.set_result(None)
        self._go_on()

    def _go_on(self) -> None:
        """Go on once the sender has an answer and the host has seen it; with two processes, either may come first."""
        if self._done.done() and self._seq >= self._done.result():
            self._seen.set()
        if self._due is None and self._new and self._offers:
            self._new = False
            self._free(self)

    def send_action(self) -> None:
        action = random.choice(self._offers).action
        _say(self.lines[self._active], type="play", id=f"a{self._seq}", seq=self._seq + 1, action=action)


def _say(line: Line, **message: object) -> None:
    line.say(json.dumps(message))


class OnSQLite(Contestant):
    """One process, as most people run it: WAL, synchronous=FULL."""

    name = "Deadwood, one process, SQLite"
    table = DeadwoodTable

    def command(self) -> list[str]:
        return _serve(f"sqlite:///{self.folder}/bench.sqlite3")


class OnPostgres(Contestant):
    """Two processes; people of one table may be at different ones. The database's processes count, too."""

    name = "Deadwood, two processes, PostgreSQL"
    table = DeadwoodTable
    spread = True

    def command(self) -> list[str]:
        self._closing = ExitStack()
        self._postgres = self._closing.enter_context(running_postgres())
        self._postgres.psql("CREATE DATABASE bench;")
        return [*_serve(self._postgres.get_uri("bench")), "--processes", "2"]

    def processes(self) -> list[psutil.Process]:
        database = psutil.Process(self._postgres.get_pid())
        return [*super().processes(), database, *database.children()]

    def stop(self) -> None:
        for process in reversed(super().processes()):
            process.kill()
        self.server.wait()
        self._closing.close()


def _serve(database: str) -> list[str]:
    return [sys.executable, "-m", "deadwood", "serve", "--port", "0", "--no-limits", "--database", database]
