"""Talk in the plain mode: players speak as themselves, and spectators are asked for a name."""

from .plain_desk import Desk, Handler
from .talking import Speaker, find_reaction
from .wording import phrase


class PlainTalk:
    """What people type to talk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._speaker = Speaker(desk.visit.name)
        self.commands: dict[str, Handler] = {"say": self._say, "react": self._react}

    async def _say(self, text: str) -> None:
        if await self._has_name():
            await self._desk.send(self._speaker.say(self._desk.table, text))

    async def _react(self, typed: str) -> None:
        reaction = find_reaction(typed)
        if await self._has_name():
            await self._desk.send(self._speaker.react(self._desk.table, reaction))

    async def _has_name(self) -> bool:
        """Whether we can speak: players always can."""
        if self._speaker.needs_name(self._desk.table):
            self._speaker.name = await self._desk.ask(phrase("talking.name")) or None
        return not self._speaker.needs_name(self._desk.table)
