"""The plain mode when somebody is away: news, votes, stand-ins, and handovers."""

from ..client import ServerRefused, link_with
from ..engine.refusal import DeadwoodError
from ..server.protocol.commands import Agreement
from .absence import AGREEMENTS, absence_lines, awaited, clock_text, missing, proposed, undecided
from .plain_desk import Desk, Handler
from .wording import phrase, words


class PlainAbsence:
    """News of absence, each announced once, and the commands for it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._awaited: int | None = None  # the chair that everybody waits for, if we have said so
        self._asked: tuple[Agreement, ...] = ()  # what we asked to vote on
        self._seated = False
        self._paused = False
        self.commands: dict[str, Handler] = {
            "away": self._away,
            "vote": self._vote,
            "resume": self._resume,
            "stand-in": self._stand_in,
            "handover": self._hand_over,
        }

    # --- what is said unasked

    def tell(self) -> None:
        """Say what is new since the last time."""
        table = self._desk.table
        if table.status != "open":
            return
        if self._seated and not table.held:
            self._desk.say(phrase("served.watch"))
        self._seated = bool(table.held)
        self._tell_wait()
        self._tell_votes()
        self._tell_pause()

    def _tell_wait(self) -> None:
        """Say that the active player is away, or back before a stand-in came: the log says neither."""
        table, gone = self._desk.table, missing(self._desk.table)
        comes_later = table.view.house.stands_in_after is not None and awaited(table) is None
        if gone is not None and comes_later:
            return  # the server will say next how long that takes
        before, self._awaited = self._awaited, gone.id if gone else None
        if gone is not None and gone.id != before:
            self._desk.show(absence_lines(table))
        elif gone is None and before in table.present and (back := table.chair(before)):
            self._desk.say(phrase("absence.is_back", player=back.name))

    def _tell_votes(self) -> None:
        """Say how to answer a proposal; the log says who made it."""
        table = self._desk.table
        asked = tuple(to for to in proposed(table) if table.held and undecided(table, to))
        for to in asked:
            if to not in self._asked:
                self._desk.say(phrase(f"absence.how_to_{to}"))
        self._asked = asked

    def _tell_pause(self) -> None:
        """Say how to go on; the log says that the game is paused."""
        table, before = self._desk.table, self._paused
        self._paused = table.position is not None and table.position.paused
        if self._paused and not before and table.held:
            self._desk.say(phrase("absence.how_to_resume"))

    # --- what people type

    async def _away(self, _rest: str) -> None:
        lines = [*absence_lines(self._desk.table)]
        self._desk.show(lines or [phrase("absence.nobody_away")])

    async def _vote(self, rest: str) -> None:
        """Vote for a pause or the end, or against everything that is proposed."""
        table, wanted = self._desk.table, rest.casefold()
        for to in AGREEMENTS:
            if wanted in (to, phrase(f"absence.word_{to}")):
                await self._desk.send(table.vote(to))
                return
        if wanted not in words("words.no"):
            raise DeadwoodError(phrase("absence.vote_what"))
        for to in proposed(table):
            await self._desk.send(table.vote(to, False))

    async def _resume(self, _rest: str) -> None:
        await self._desk.send(self._desk.table.resume())

    async def _stand_in(self, name: str) -> None:
        await self._desk.send(self._desk.table.stand_in(self._desk.chair_of(name).id))

    async def _hand_over(self, name: str) -> None:
        """Hand over our own seats or, as the host, the seat of somebody who is away."""
        table = self._desk.table
        if not name:
            self._desk.demand_seat()
        chairs = (self._desk.chair_of(name).id,) if name else table.held
        secret = await self._desk.send(table.hand_over(chairs))
        found = await self._desk.send(table.find_handover(secret))
        ours = set(chairs) <= set(table.held)
        players = tuple(chair.name for chair in table.view.chairs if chair.id in chairs)
        key = "absence.move_link" if ours else "absence.offer_link"
        self._desk.say(phrase(key, players=players, time=clock_text(found.seconds)))
        self._desk.say(f"  deadwood join {link_with(self._desk.visit.link, 'seat', secret)}")

    # --- a link that hands seats over

    async def take_over(self, secret: str) -> None:
        """Take over the seats that a link offers, after asking: a link can be opened by mistake."""
        table = self._desk.table
        try:
            chairs = (await self._desk.send(table.find_handover(secret))).chairs
            names = tuple(chair.name for chair in table.view.chairs if chair.id in chairs)
            if set(chairs) <= set(table.held):
                self._desk.say(phrase("absence.seat_is_here", players=names))
            elif await self._desk.confirms(phrase("absence.take_question", players=names)):
                await self._desk.send(table.take_over(secret))
        except ServerRefused as error:
            self._desk.say(str(error))
