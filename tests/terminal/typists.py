"""Somebody who types at the plain mode of a served table, in this process, which is cheaper than a terminal."""

import asyncio
import re
from contextlib import asynccontextmanager, suppress

from deadwood.client import table_address
from deadwood.terminal.console import Stopped
from deadwood.terminal.live_console import LiveConsole
from deadwood.terminal.plain_served import PlainServedTable
from deadwood.terminal.visit import Visit

from ..server.people import PATIENCE


class Typist:
    """What somebody types, and what appears on their screen."""

    def __init__(self):
        self.screen = ""
        self._read = 0
        self._lines = asyncio.Queue()
        self._written = asyncio.Event()

    async def next(self):
        return await self._lines.get()

    def type(self, text):
        self._lines.put_nowait(text)

    def write(self, text, newline):
        self.screen += text + "\n" * newline
        self._written.set()

    async def until(self, wanted):
        """Wait until a text appears after what was found before; returns everything up to it."""
        async with asyncio.timeout(PATIENCE):
            while (found := re.search(wanted, self.screen[self._read :])) is None:
                self._written.clear()
                await self._written.wait()
        shown = self.screen[self._read : self._read + found.end()]
        self._read += found.end()
        return shown

    async def does(self, text, wanted):
        """Type something, and wait for the result."""
        self.type(text)
        return await self.until(wanted)


@asynccontextmanager
async def typing(server, link, name=None):
    """Somebody who types at a table, given its code or a link, until the end of the block."""
    typist = Typist()
    visit = Visit(table_address(link, server.url), name)
    table = PlainServedTable(LiveConsole(typist.write, typist), visit)
    playing = asyncio.create_task(table.run())
    try:
        yield typist
    except TimeoutError as error:
        raise AssertionError(f"it never came:\n{typist.screen}") from error
    finally:
        typist.type(None)
        with suppress(Stopped):
            await playing
