"""What people can do at a served table besides the game: votes, seats, people who are away, talk."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from msgspec import Struct
from textual.screen import Screen

from ...client import ServedTable, link_with
from ...engine.refusal import DeadwoodError
from ...server.protocol.commands import Agreement
from ...server.protocol.views import ChairView
from ..absence import AGREEMENTS, absence_lines, clock_text, invitation_text, proposed, undecided
from ..new_game import suggested_name
from ..sentences import clean, error_sentence
from ..talking import REACTIONS, Speaker, reaction_text
from ..visit import Visit
from ..wording import phrase
from .asking import LineDialog, LinkPopup, ListDialog
from .dialogs import ChoiceDialog


class Deed(Struct, frozen=True):
    """Something to do."""

    label: str
    do: Callable[[], Awaitable[None]]


class TableMenu:
    """Everything that we may do now, as far as the table shows; the server has the last word."""

    def __init__(self, screen: Screen[Any], table: ServedTable, visit: Visit, speaker: Speaker) -> None:
        self._screen = screen
        self._app = screen.app
        self._table = table
        self._visit = visit
        self._speaker = speaker

    async def show(self) -> None:
        """Ask what to do, and do it."""
        deeds = [*self._deeds()]
        in_lobby = self._table.view.status == "waiting"
        lines = [*absence_lines(self._table), *([] if self._table.held else [phrase("served.watch")])]
        heading = phrase("hosting.more_heading" if in_lobby else "absence.heading")
        dialog = ListDialog(heading, [clean(deed.label) for deed in deeds], [*map(clean, lines)])
        place = await self._app.push_screen_wait(dialog)
        if place is not None:
            await self._tried(deeds[place].do())

    async def talk(self) -> None:
        """Say something to everybody."""
        if not await self._has_name():
            return
        text = await self._app.push_screen_wait(LineDialog(phrase("served.say_heading")))
        if text:
            await self._tried(self._speaker.say(self._table, text))

    async def _tried(self, doing: Awaitable[None]) -> None:
        try:
            await doing
        except (DeadwoodError, OSError) as error:
            self._screen.notify(clean(error_sentence(error)), severity="warning", markup=False)

    # --- the entries of the menu

    def _deeds(self) -> Iterator[Deed]:
        match self._table.view.status:
            case "waiting":
                yield from self._lobby_deeds()
            case "running" if self._table.held:
                yield from self._vote_deeds()
                yield from self._absence_deeds()
                yield Deed(phrase("absence.hand_over"), lambda: self._hand_over(self._table.held))
        yield from self._talk_deeds()

    def _lobby_deeds(self) -> Iterator[Deed]:
        table = self._table
        if table.hosts:
            yield Deed(phrase("hosting.invite"), self._invite)
            if kept := table.view.kept:
                yield Deed(phrase("hosting.no_invitations", kept=kept), table.withdraw_invitations)
        yield Deed(phrase("hosting.sit"), self._sit)
        for chair in table.view.chairs if table.hosts else ():
            if chair.id not in table.held:
                yield Deed(phrase("hosting.remove", player=chair.name), partial(table.remove, chair.id))
        if table.held:
            yield Deed(phrase("absence.hand_over"), lambda: self._hand_over(table.held))

    def _vote_deeds(self) -> Iterator[Deed]:
        table, position = self._table, self._table.position
        if position is not None and position.paused:
            yield Deed(phrase("absence.resume"), table.resume)
        open_questions = proposed(table)
        for to in open_questions:
            if undecided(table, to):
                yield self._vote("agree", to, True)
            yield self._vote("refuse", to, False)
        for to in AGREEMENTS:
            if to not in open_questions and not (to == "pause" and position and position.paused):
                yield self._vote("propose", to, True)

    def _vote(self, way: str, to: Agreement, agrees: bool) -> Deed:
        return Deed(phrase(f"absence.{way}_{to}"), lambda: self._table.vote(to, agrees))

    def _absence_deeds(self) -> Iterator[Deed]:
        """What the host may do about people who are away."""
        for chair in self._table.absent if self._table.hosts else ():
            yield from self._deeds_about(chair)

    def _deeds_about(self, chair: ChairView) -> Iterator[Deed]:
        if chair.stand_in is None:
            yield Deed(phrase("absence.stand_in", player=chair.name), lambda: self._table.stand_in(chair.id))
        if chair.bot is None:
            yield Deed(phrase("absence.offer", player=chair.name), lambda: self._hand_over((chair.id,)))

    def _talk_deeds(self) -> Iterator[Deed]:
        table, view = self._table, self._table.view
        if view.talk:
            yield Deed(phrase("talking.react"), self._react)
        if table.hosts and view.talk and table.talk:
            yield Deed(phrase("talking.clear"), table.clear_talk)
        if table.hosts and (view.talk or not view.house.talk):
            label = phrase("talking.talk_off" if view.house.talk else "talking.talk_on")
            yield Deed(label, lambda: table.set_house(talk=not view.house.talk))

    # --- what takes more than a command

    async def _hand_over(self, chairs: tuple[int, ...]) -> None:
        """Hand over our own seats, or the seat of somebody who is away."""
        table = self._table
        secret = await table.hand_over(chairs)
        found = await table.find_handover(secret)
        players = tuple(chair.name for chair in table.view.chairs if chair.id in chairs)
        key = "absence.move_link" if set(chairs) <= set(table.held) else "absence.offer_link"
        text = clean(phrase(key, players=players, time=clock_text(found.seconds)))
        link = link_with(self._visit.link, "seat", secret)
        await self._app.push_screen_wait(LinkPopup(phrase("absence.link_heading"), text, link, "deadwood join "))

    async def take_over(self, secret: str) -> None:
        """Take over the seats that a link offers, after asking: a link can be opened by mistake."""
        await self._tried(self._taken_over(secret))

    async def _taken_over(self, secret: str) -> None:
        table = self._table
        chairs = (await table.find_handover(secret)).chairs
        players = tuple(chair.name for chair in table.view.chairs if chair.id in chairs)
        if set(chairs) <= set(table.held):
            self._screen.notify(clean(phrase("absence.seat_is_here", players=players)), markup=False)
            return
        answers = [(phrase("absence.take_button"), True), (phrase("absence.watch_button"), False)]
        lines = [clean(phrase("absence.take_lines", players=players))]
        dialog = ChoiceDialog(phrase("absence.take_heading"), answers, lines, escape=False)
        if await self._app.push_screen_wait(dialog):
            await table.take_over(secret)

    async def _invite(self) -> None:
        offered = await self._table.offers()
        link = link_with(self._visit.link, "invitation", await self._table.invite())
        text = invitation_text(offered.invitation_seconds)
        await self._app.push_screen_wait(LinkPopup(phrase("hosting.invite"), text, link))

    async def _sit(self) -> None:
        suggestion = suggested_name([chair.name for chair in self._table.view.chairs])
        name = await self._app.push_screen_wait(LineDialog(phrase("served.name_heading"), suggestion))
        if name is not None:
            await self._table.sit(name, invitation=self._visit.address.invitation)

    async def _react(self) -> None:
        texts = [reaction_text(one) for one in REACTIONS]
        place = await self._app.push_screen_wait(ListDialog(phrase("talking.react_heading"), texts))
        if place is not None and await self._has_name():
            await self._speaker.react(self._table, REACTIONS[place])

    async def _has_name(self) -> bool:
        """Whether we can speak: players always can, and spectators are asked for a name."""
        if self._speaker.needs_name(self._table):
            self._speaker.name = await self._app.push_screen_wait(LineDialog(phrase("talking.name_heading")))
        return not self._speaker.needs_name(self._table)
