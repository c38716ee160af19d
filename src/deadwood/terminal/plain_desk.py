"""What the parts of the plain mode share at a served table: a console, the table, and ways to ask and to send."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Protocol, TypeVar

from ..client import ServedTable
from ..engine.refusal import DeadwoodError
from ..server.protocol.views import ChairView
from .console import yes_and_no
from .live_console import LiveConsole
from .visit import Visit
from .wording import phrase, words

T = TypeVar("T")
Handler = Callable[[str], Awaitable[None]]


class Sending(Protocol):
    """Sends something, and lets the person who typed it stop waiting."""

    async def __call__(self, doing: Coroutine[Any, Any, T]) -> T:
        """The result."""


class Prompting(Protocol):
    """Asks a question, with completion of the offered answers."""

    async def __call__(self, question: str, offered: Iterable[str] = ()) -> str:
        """The answer."""


class Desk:
    """The place of the person who types; `table` is set once we are connected."""

    table: ServedTable

    def __init__(self, console: LiveConsole, visit: Visit, send: Sending, ask: Prompting) -> None:
        self.visit = visit
        self.send = send
        self.ask = ask
        self.say = console.say
        self.show = console.show

    def demand_seat(self) -> None:
        """Refuse what only players may do."""
        if not self.table.held:
            raise DeadwoodError(phrase("served.no_seat"))

    def chair_of(self, name: str) -> ChairView:
        """Somebody at the table, by name."""
        for chair in self.table.view.chairs:
            if chair.name.casefold() == name.casefold():
                return chair
        names = tuple(chair.name for chair in self.table.view.chairs)
        raise DeadwoodError(phrase("hosting.nobody", choices=names))

    async def confirms(self, question: str) -> bool:
        """Whether somebody says yes; anything else is no."""
        return (await self.ask(question, yes_and_no())).casefold() in words("words.yes")
