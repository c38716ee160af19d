"""A server over HTTP: opening tables, looking at them, and joining them."""

import secrets
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from ..engine.board import Board
from ..engine.deck import Deck
from ..engine.options import Options
from ..engine.refusal import Refused
from ..server.protocol.answers import About, CheckedBoard, Made, OptionList
from ..server.protocol.commands import NewBot, NewPerson, NewTable
from ..server.protocol.messages import Done, Problem
from ..server.protocol.views import TableView
from .addresses import server_address
from .connection import PATIENCE
from .errors import NotAServer, ServerRefused, ServerUnreachable
from .files import FileKind
from .sockets import open_websocket
from .table import Keeper, Listener, ServedTable

T = TypeVar("T")
_MOST_BYTES = 16 * 2**20  # of an answer
_JSON = {"content-type": "application/json"}
_DECODING = (msgspec.MsgspecError, ValueError, RecursionError, Refused)


class Server:
    """A Deadwood server. Use it as an async context manager."""

    def __init__(self, url: str, *, language: str = "en") -> None:
        self.url = server_address(url)
        self.language = language
        self._http = httpx.AsyncClient(
            base_url=self.url, timeout=PATIENCE, headers={"accept-language": language, "accept": "application/json"}
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def about(self) -> About:
        """Bots, colours, options and house rules."""
        return await self._ask("GET", "/api/about", About)

    async def table(self, code: str) -> TableView:
        """A table as it is now."""
        return await self._ask("GET", f"/api/tables/{quote(code, safe='')}", TableView)

    async def open_table(self, new: NewTable) -> Made:
        """Open a table. If the answer is lost, there may be a table that nobody knows of; nothing else has happened."""
        return await self._ask("POST", "/api/tables", Made, new)

    async def deck(self, code: str, key: str | None = None) -> Deck:
        """The deck of a table; with a key, only if it still has that key."""
        return await self._ask("GET", f"/api/tables/{quote(code, safe='')}/deck{_with_key(key)}", Deck)

    async def board(self, code: str, key: str | None = None) -> Board:
        """The board of a table; with a key, only if it still has that key."""
        path = f"/api/tables/{quote(code, safe='')}/board/file{_with_key(key)}"
        return (await self._ask("GET", path, CheckedBoard)).board

    async def options(self, code: str) -> OptionList:
        """The options of a table; a custom board has its own layouts."""
        return await self._ask("GET", f"/api/tables/{quote(code, safe='')}/options", OptionList)

    async def use_file(self, code: str, kind: FileKind, text: str | None, token: str | None) -> Done:
        """Bring the TOML of a deck or a board to a table, or return to the built-in one; for the host."""
        method = "DELETE" if text is None else "PUT"
        content = None if text is None else text.encode()
        who = {"authorization": f"Bearer {token}"} if token else {}
        headers = {"content-type": "application/toml", **who}
        data = await self._fetch(method, f"/api/tables/{quote(code, safe='')}/{kind}", content, headers)
        return self._decoded(data, Done)

    async def record(self, code: str, game: int) -> str:
        """The record of a finished game."""
        return (await self._fetch("GET", f"/api/tables/{quote(code, safe='')}/games/{game}/record")).decode()

    def join(
        self, code: str, tokens: Iterable[str] = (), *, listener: Listener | None = None, keeper: Keeper | None = None
    ) -> ServedTable:
        """A table to connect to, with the tokens of chairs that we hold; without one we watch."""
        url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{quote(code, safe='')}/socket"
        return ServedTable(
            code,
            lambda: open_websocket(url),
            self,
            tokens=tokens,
            language=self.language,
            listener=listener,
            keeper=keeper,
        )

    async def host(self, name: str, *, bots: Iterable[str] = (), options: Options | None = None) -> ServedTable:
        """A new table with bots to connect to; we are its host."""
        token = secrets.token_hex(32)
        chairs: list[NewPerson | NewBot] = [NewPerson(name=name, token=token), *(NewBot(bot=bot) for bot in bots)]
        made = await self.open_table(NewTable(chairs=tuple(chairs), options=options or Options()))
        return self.join(made.table.code, [token])

    async def _ask(self, method: str, path: str, kind: type[T], body: msgspec.Struct | None = None) -> T:
        return self._decoded(await self._fetch(method, path, None if body is None else msgspec.json.encode(body)), kind)

    def _decoded(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except _DECODING as error:
            raise NotAServer(self.url) from error

    async def _fetch(
        self, method: str, path: str, content: bytes | None = None, headers: Mapping[str, str] = _JSON
    ) -> bytes:
        try:
            async with self._http.stream(method, path, content=content, headers=headers) as response:
                data = await self._read(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServerUnreachable(self.url) from error
        if not response.is_success:
            raise self._refusal(data)
        return data

    async def _read(self, response: httpx.Response) -> bytes:
        data = bytearray()
        async for part in response.aiter_bytes():
            data += part
            if len(data) > _MOST_BYTES:
                raise NotAServer(self.url)
        return bytes(data)

    def _refusal(self, data: bytes) -> ServerRefused | NotAServer:
        try:
            return ServerRefused(msgspec.json.decode(data, type=Problem))
        except _DECODING:
            return NotAServer(self.url)


def _with_key(key: str | None) -> str:
    return "" if key is None else f"?key={quote(key, safe='')}"
