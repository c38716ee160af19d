"""A proxy on loopback that cuts connections in mid-message, delays and doubles messages, and swallows answers."""

import asyncio
import contextlib
import random


class BadProxy:
    """Passes bytes on to a server, until it breaks the line."""

    def __init__(self, port, seed):
        self._port = port
        self._chance = random.Random(seed)
        self._lines = set()
        self._writers = set()
        self.faults = {"cut": 0, "swallowed": 0, "doubled": 0}

    async def __aenter__(self):
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._listening.close()
        for writer in tuple(self._writers):
            writer.transport.abort()
        await asyncio.gather(*self._lines)

    async def _accept(self, reader, writer):
        line = asyncio.current_task()
        self._lines.add(line)
        self._writers.add(writer)
        try:
            await self._carry(reader, writer)
        finally:
            self._lines.discard(line)
            self._writers.discard(writer)

    async def _carry(self, reader, writer):
        """Some connections are duplicated: a second one to the server gets the same bytes."""
        doubled = self._chance.random() < 0.3
        self.faults["doubled"] += doubled
        servers = [await asyncio.open_connection("127.0.0.1", self._port) for _ in range(1 + doubled)]
        writers = [writer, *(one for _, one in servers)]
        ways = [self._pass(reader, [one for _, one in servers], 1_500), self._pass(servers[0][0], [writer], 60_000)]
        ways += [self._pass(other, [], None) for other, _ in servers[1:]]
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for one in writers:
                one.transport.abort()

    async def _pass(self, source, sinks, usual):
        """Pass bytes on up to a random limit; then cut the line, or first lose some."""
        left = None if usual is None else self._chance.expovariate(1 / usual)
        with contextlib.suppress(OSError):
            while data := await source.read(1024):
                if left is not None:
                    data, left = data[: int(left)], left - len(data)
                for sink in sinks:
                    sink.write(data)
                if left is not None and left <= 0:
                    await self._give_up(source)
                    return
                await asyncio.sleep(0)

    async def _give_up(self, source):
        swallows = self._chance.random() < 0.3
        self.faults["swallowed" if swallows else "cut"] += 1
        if swallows:  # only what comes soon: a silent line would cost the client's whole patience
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(source.read(1024), 0.05)
