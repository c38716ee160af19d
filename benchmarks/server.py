"""Load on one server process: open connections, durable actions per second, and how long an acknowledgement takes.

The server runs on one core, this client on another. Tables of four people play legal actions. The time of an action
runs from handing its bytes to the socket until its acknowledgement arrives; the server acknowledges an action only once
it is durable (SQLite, WAL, synchronous=FULL).
"""

import argparse
import asyncio
import gc
import http.client
import json
import os
import random
import re
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

import msgspec
import uvloop

SEATS = 4
CONNECTING_AT_ONCE = 100


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


class _Message(msgspec.Struct, tag_field=None):
    type: str
    seq: int = 0
    id: str = ""
    sentence: str = ""
    position: _Position | None = None
    table: _Table | None = None


decode = msgspec.json.Decoder(_Message).decode


class Line(asyncio.Protocol):
    """A WebSocket with as little code as possible around the bytes."""

    def __init__(self, room: "Room", place: int) -> None:
        self.room = room
        self.place = place
        self.buffer = b""
        self.open = asyncio.get_running_loop().create_future()
        self.sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.transport.write(
            f"GET /api/tables/{self.room.code}/socket HTTP/1.1\r\nHost: {self.room.host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open.done():
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.buffer = rest
            self.open.set_result(None)
        self._frames()

    def _frames(self) -> None:
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            self._frame(buffer[at], buffer[start : start + size])
            at = start + size
        self.buffer = buffer[at:]

    def _frame(self, head: int, payload: bytes) -> None:
        if head == 0x81:
            self.room.heard(self, payload)
        elif head == 0x89:
            self.transport.write(bytes([0x8A, 0x80 | len(payload)]) + bytes(4) + payload)
        elif head == 0x88:
            raise SystemExit(f"the server closed a connection: {payload!r}")

    def connection_lost(self, error: Exception | None) -> None:
        if not self.room.load.ending:
            raise SystemExit(f"a connection was lost: {error!r}")

    def say(self, message: dict[str, object]) -> None:
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        self.transport.write(b"\x81" + size + bytes(4) + data)  # a mask of zeros changes nothing


class Room:
    """Four people at a table."""

    def __init__(self, load: "Load", code: str, host: str, token: str) -> None:
        self.load, self.code, self.host, self.token = load, code, host, token
        self.lines: list[Line] = []
        self.seats: list[Line] = []
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seq, self.active, self.offers = 0, 0, list[_Action]()
        self.ready = 0
        self.busy = False
        self.over = False

    async def sit_down(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        for place in range(SEATS):
            _, line = await loop.create_connection(lambda place=place: Line(self, place), "127.0.0.1", port)
            await line.open
            self.lines.append(line)
            line.say({"type": "hello", "tokens": [self.token] if place == 0 else []})
            if place:
                line.say({"type": "sit", "id": "sit", "name": f"P{place}", "token": secrets.token_hex(32)})
                await self.seated
                self.seated = loop.create_future()
        for place, line in enumerate(self.lines):
            line.say({"type": "ready", "id": "ready", "chair": place + 1, "salt": secrets.token_hex(32)})
        await self.started

    def heard(self, line: Line, payload: bytes) -> None:
        if payload.startswith(b'{"type":"done"'):
            if line.sent:
                self.load.acknowledged(time.perf_counter() - line.sent)
                line.sent = 0.0
            elif b'"sit"' in payload:
                self.seated.set_result(None)
            elif b'"ready"' in payload:
                self.ready += 1
                if self.ready == SEATS:
                    self.lines[0].say({"type": "start", "id": "start"})
            return
        if line.place == 0 and payload.startswith(b'{"type":"update"'):
            self._updated(decode(payload))
        elif payload.startswith(b'{"type":"refused"'):
            raise SystemExit(payload.decode())

    def _updated(self, message: _Message) -> None:
        self.seq = message.seq
        position = message.position
        if message.table is not None:
            position = message.table.position
            self.over = message.table.status == "finished"
        if position is None:
            return
        self.active, self.offers, self.busy = position.state.active or 0, position.offers, False
        if not self.started.done():
            self.started.set_result(None)
        self.load.free(self)

    def play(self) -> None:
        self.busy = True
        line = self.lines[self.active]
        message = {
            "type": "play",
            "id": f"a{self.seq}",
            "seq": self.seq + 1,
            "action": random.choice(self.offers).action,
        }
        line.sent = time.perf_counter()
        line.say(message)


def cpu_seconds(process: int | str) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Others:
    """How busy other programs keep the machine from now on."""

    def __init__(self, server: int) -> None:
        self._ours = (server, "self")
        self._before = self._now()

    def _now(self) -> tuple[float, float]:
        """Seconds that processors spent on other programs, and all seconds."""
        ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        every, idle = sum(ticks), ticks[3] + ticks[4]
        busy = (every - idle) / os.sysconf("SC_CLK_TCK")
        return busy - sum(map(cpu_seconds, self._ours)), every / os.sysconf("SC_CLK_TCK")

    def share(self) -> float:
        busy, every = self._now()
        return max(0.0, (busy - self._before[0]) / (every - self._before[1]))


async def wait_for_quiet(server: int, share: float) -> None:
    """Wait until other programs have used little of the machine for two seconds."""
    while True:
        others = Others(server)
        await asyncio.sleep(2)
        if others.share() <= share:
            return


class Load:
    """All tables, and what was measured."""

    def __init__(self, port: int, server: int) -> None:
        self.port = port
        self.server = server
        self.rooms: list[Room] = []
        self.waiting: deque[Room] = deque()
        self.times: list[float] = []
        self.saturated = False
        self.ending = False

    async def fill(self, count: int) -> None:
        begun = time.perf_counter()
        http_line = http.client.HTTPConnection("127.0.0.1", self.port)
        for _ in range(count):
            token = secrets.token_hex(32)
            host = {"type": "person", "name": "P0", "token": token}
            http_line.request("POST", "/api/tables", json.dumps({"chairs": [host]}))
            answer = json.load(http_line.getresponse())
            self.rooms.append(Room(self, answer["table"]["code"], f"127.0.0.1:{self.port}", token))
        slots = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def settle(room: Room) -> None:
            async with slots:
                await room.sit_down(self.port)

        await asyncio.gather(*map(settle, self.rooms))
        random.shuffle(self.waiting)
        print(f"{count * SEATS} connections at {count} tables, after {time.perf_counter() - begun:.0f} s", flush=True)

    def free(self, room: Room) -> None:
        if room.over:
            return
        if self.saturated:
            room.play()
        else:
            self.waiting.append(room)

    def acknowledged(self, seconds: float) -> None:
        self.times.append(seconds)

    async def steady(self, rate: int, seconds: float) -> None:
        """An open loop: actions are sent when they are due, however slow the answers are."""
        self._begin()
        begun = time.perf_counter()
        sent = short = 0
        while (elapsed := time.perf_counter() - begun) < seconds:
            while sent < elapsed * rate:
                if self.waiting:
                    self.waiting.popleft().play()
                else:
                    short += 1
                sent += 1
            await asyncio.sleep(0.0005)
        await asyncio.sleep(1)
        self._report(f"{rate} actions/s sent", seconds)
        if short:
            print(f"  {short} actions were not sent: every table was waiting for an answer")

    async def saturate(self, players: int, seconds: float) -> None:
        """A closed loop: these tables play as fast as they can."""
        self._begin()
        self.saturated = True
        for _ in range(min(players, len(self.waiting))):
            self.waiting.popleft().play()
        await asyncio.sleep(seconds)
        self.saturated = False
        self._report(f"saturated, {players} tables at once", seconds)
        await asyncio.sleep(1)

    def _begin(self) -> None:
        self.times = []
        self.used = cpu_seconds(self.server)
        self.others = Others(self.server)

    def _report(self, what: str, seconds: float) -> None:
        times = sorted(self.times)
        each = (cpu_seconds(self.server) - self.used) / len(times) * 1e6
        cut = [times[int(len(times) * share)] * 1000 for share in (0.5, 0.9, 0.99, 0.999)]
        print(
            f"{what}: {len(times) / seconds:,.0f} durable actions/s; "
            f"p50 {cut[0]:.1f}, p90 {cut[1]:.1f}, p99 {cut[2]:.1f}, p99.9 {cut[3]:.1f} ms; "
            f"{each:.0f} us of the server's processor time per action; other programs used {self.others.share():.0%}",
            flush=True,
        )


def start_server(folder: str, core: int | None) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0", "--no-limits"]
    command += ["--database", f"sqlite:///{folder}/bench.sqlite3"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if core is not None:
        os.sched_setaffinity(server.pid, {core})
    assert server.stdout
    found = re.search(r":(\d+) ", server.stdout.readline())
    assert found
    return server, int(found[1])


def probe_disk(folder: str, times: int = 300) -> None:
    """How long the disk alone takes to make 8 KiB durable: no action can be acknowledged sooner."""
    taken = []
    with open(f"{folder}/probe", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(8192))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append((time.perf_counter() - begun) * 1000)
    taken.sort()
    print(f"the disk alone: p50 {taken[times // 2]:.1f}, p99 {taken[times * 99 // 100]:.1f} ms", flush=True)


async def measure(port: int, arguments: argparse.Namespace, server: int, folder: str) -> None:
    load = Load(port, server)
    await load.fill(arguments.connections // SEATS)
    gc.collect()
    gc.disable()  # this client's own pauses are not the server's
    for _ in range(arguments.rounds):
        await wait_for_quiet(server, arguments.quiet)
        probe_disk(folder)
        await load.steady(arguments.rate, arguments.seconds)
        await wait_for_quiet(server, arguments.quiet)
        await load.saturate(arguments.players, arguments.seconds)
    status = Path(f"/proc/{server}/status").read_text()
    print("server memory:", re.search(r"VmRSS:\s+(.*)", status)[1])  # type: ignore[index]
    load.ending = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--players", type=int, default=200, help="tables that play at once when saturated")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--quiet", type=float, default=1.0, help="wait until other programs use at most this share, 0 to 1"
    )
    parser.add_argument("--folder", help="where to put the database; by default in the temporary folder")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        server, port = start_server(folder, cores[0] if len(cores) > 1 else None)
        os.sched_setaffinity(0, {cores[-1]})
        try:
            uvloop.run(measure(port, arguments, server.pid, folder))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
