"""The plain mode for the host of a served table: options, house rules, files, invitations."""

import os
from pathlib import Path

from ..client import FileKind, link_with
from ..engine.loading import read_text
from ..engine.refusal import DeadwoodError
from .absence import invitation_text
from .plain_desk import Desk, Handler
from .table_settings import Setting, choose, find_setting, read_value, settings_of, typed_form
from .wording import phrase, words

KINDS: tuple[FileKind, ...] = ("deck", "board")


class PlainHosting:
    """What the host types; the server refuses it to anybody else."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.commands: dict[str, Handler] = {
            "bot": self._add_bot,
            "remove": self._remove,
            "start": self._start,
            "options": self._options,
            "set": self._set,
            "use": self._use,
            "invite": self._invite,
            "lobby": self._lobby,
            "clear": self._clear,
        }

    async def _start(self, _rest: str) -> None:
        await self._desk.send(self._desk.table.start())

    async def _add_bot(self, bot: str) -> None:
        """Add a bot, or say which there are."""
        if bot:
            await self._desk.send(self._desk.table.add_bot(bot))
            return
        for one in (await self._desk.send(self._desk.table.offers())).bots:
            self._desk.say(phrase("plain.bot_explained", bot=one.name, label=one.label, style=one.style))

    async def _remove(self, name: str) -> None:
        await self._desk.send(self._desk.table.remove(self._desk.chair_of(name).id))

    async def _settings(self) -> list[Setting]:
        table = self._desk.table
        return settings_of(table.view, await self._desk.send(table.offers()))

    async def _options(self, name: str) -> None:
        """Show all options and house rules with their values, or one of them with all that can be chosen."""
        settings = await self._settings()
        if name:
            self._explain(find_setting(settings, name))
            return
        for one in settings:
            self._desk.say(f"  {one.name:10} {one.label}: {one.present}")
        self._desk.say(phrase("hosting.how_to_set"))

    def _explain(self, setting: Setting) -> None:
        self._desk.say(f"{setting.label}: {setting.present}. {setting.explanation}")
        for value, label in setting.values:
            typed = typed_form(value)
            self._desk.say(f"  {typed}" if typed == label else f"  {typed:10} {label}")
        if setting.examples:
            self._desk.say(phrase("hosting.spelled_out", examples=setting.examples))

    async def _set(self, rest: str) -> None:
        name, _, typed = rest.partition(" ")
        setting = find_setting(await self._settings(), name)
        await self._desk.send(choose(self._desk.table, setting, read_value(setting, typed.strip())))
        self._desk.say(f"{setting.label}: {find_setting(await self._settings(), setting.name).present}.")

    async def _use(self, rest: str) -> None:
        """Use a deck or a board from a file, or the built-in one again."""
        word, _, name = rest.partition(" ")
        for kind in KINDS:
            if word.casefold() in (kind, phrase(f"hosting.{kind}")):
                text = read_text(Path(os.path.expanduser(name.strip()))) if name.strip() else None
                await self._desk.send(self._desk.table.use_file(kind, text))
                return
        raise DeadwoodError(phrase("hosting.use_what"))

    async def _invite(self, rest: str) -> None:
        """Keep a seat for the person with the link, or stop keeping seats."""
        table = self._desk.table
        if rest.casefold() in (*words("words.no"), phrase("hosting.none")):
            await self._desk.send(table.withdraw_invitations())
            return
        offered = await self._desk.send(table.offers())
        secret = await self._desk.send(table.invite())
        self._desk.say(invitation_text(offered.invitation_seconds))
        self._desk.say(f"  {link_with(self._desk.visit.link, 'invitation', secret)}")

    async def _lobby(self, _rest: str) -> None:
        """After a game: go back to the lobby, to change something before the next one."""
        await self._desk.send(self._desk.table.rematch())

    async def _clear(self, _rest: str) -> None:
        if await self._desk.confirms(phrase("talking.clear_question")):
            await self._desk.send(self._desk.table.clear_talk())
