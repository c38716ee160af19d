"""The table on a server: the same screen as for a local game, with friends anywhere."""

import asyncio
from collections.abc import Sequence

from textual import work
from textual.binding import Binding

from ...client import ServedTable, ServerRefused, TableLeft
from ...engine.actions import Action
from ...engine.chance import OutcomeNeeded
from ...engine.events import Events
from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.refusal import DeadwoodError, OutcomeError, Refusal
from ...engine.seats import Seat
from ...engine.state import State
from ...server.protocol.views import PendingOutcome
from ..absence import absence_note, ticks, why_not_now
from ..new_game import suggested_name
from ..sentences import clean, error_sentence
from ..served_game import ServedGame, ShownUpdate
from ..served_views import seats_of, served_hint_lines
from ..settings import load_settings
from ..talking import Speaker
from ..visit import CLOSED, Visit, visiting
from ..widgets import ActionList, TopLine, WholeTable
from ..wording import phrase
from .after_game import ending, go_on
from .asking import LineDialog
from .dialogs import ChoiceDialog, HelpScreen, HintPopup
from .lobby import LobbyScreen
from .playing import PlayingScreen
from .sending import ask, send
from .table_menu import TableMenu


class ServedScreen(PlayingScreen):
    """Plays at a served table; the answer is `replay` or `menu`."""

    BINDINGS = [
        Binding("t", "talk", "keys.talk"),
        Binding("v", "seat", "keys.seat"),
        Binding("d", "enter", show=False),
        Binding("i", "look", show=False),  # only the help shows these two; all others fit into 80 columns
        Binding("R", "rules", show=False),
    ]

    def __init__(self, visit: Visit, pace: float) -> None:
        super().__init__()
        self.pace = pace
        self.replayed: Game | None = None
        self._visit = visit
        self._game = ServedGame()
        self._table: ServedTable | None = None
        self._lobby: LobbyScreen | None = None
        self._wishes: asyncio.Queue[Action] = asyncio.Queue(1)  # two quick key presses are one action
        self._busy = False  # an action is on its way
        self._telling = False  # people are looking at dice
        self._done_with = 0  # the last game whose end was shown
        self._declined: PendingOutcome | None = None
        self._looks: object = None  # what was drawn last
        self._wanted: str | None = None  # the answer, once there is one
        self._uncovered = asyncio.Event()
        self._speaker = Speaker(visit.name)

    # --- what is shown

    @property
    def shown(self) -> State | None:
        return self._game.state

    @property
    def seats(self) -> Sequence[Seat]:
        return () if self._table is None else seats_of(self._table.view)

    @property
    def decides_here(self) -> bool:
        table = self._table
        return table is not None and table.my_turn and not self._busy and self._game.seq == table.view.seq

    @property
    def can_correct(self) -> bool:
        return False  # only `c` corrects here, and the server says who may

    def is_ours(self, name: str) -> bool:
        return self._table is not None and name in {chair.name for chair in self._table.own_chairs}

    def note(self) -> str:
        table = self._table
        if table is None or table.status != "open":
            return f"· {phrase('served.reconnecting')}"
        if table.view.status == "finished":
            return f"· {phrase('served.waiting_others')}"
        if urgent := absence_note(table):
            return f"· {urgent}"
        if table.view.pending is not None and table.held:
            return f"· {phrase('served.enters')}"
        waits = phrase("served.waiting" if table.held else "served.watches")
        return self.pace_note if table.my_turn else f"· {waits}{self.pace_note}"

    # --- the game

    def on_mount(self) -> None:
        self.query_one(TopLine).update(clean(phrase("served.connecting", link=self._visit.link)))
        self._game.on_change = self._refresh
        self.set_interval(1.0, self._tick)
        self._play()

    def _tick(self) -> None:
        """Count down in the top line."""
        table, state = self._table, self.shown
        if table is None or state is None or not self._is_whole or not ticks(table):
            return
        if len(self.seats) == len(state.players):
            self.query_one(TopLine).show(state, self.seats, self.note())

    @property
    def _is_whole(self) -> bool:
        """Whether all widgets exist: others may act even while the screen is closing."""
        return bool(self.query(TopLine)) and bool(self.query("#log")) and bool(self.query(ActionList))

    def show(self) -> None:
        """Show everything as it is now. Between two games, the seats may already be those of the next one."""
        if self._is_whole and self.shown is not None and len(self.seats) == len(self.shown.players):
            super().show()

    def _refresh(self) -> None:
        """Something has changed: update the log and the top line, even if the loop is busy with a dialog."""
        if not self._is_whole or self._wanted is not None:
            return
        self._write_news()
        looks = (self._game.seq, self.note(), self.decides_here)
        if looks != self._looks and not self._telling:  # drawing is slow, and most news changes nothing
            self._looks = looks
            self.show()

    def _write_news(self) -> None:
        """Write what others say and, in the lobby, what they do: there, nothing has to be shown before it is read."""
        lines = self._game.take_lines()
        for line in lines:
            self.query_one(WholeTable).note(clean(line))
        if self._lobby is None or self._table is None:
            return
        if self._table.view.status == "waiting":
            sentences = [*map(clean, self._game.take_sentences())]
            self.query_one(WholeTable).tell(sentences)
            lines += sentences
        self._lobby.add_lines(lines)
        self._lobby.refresh_table()

    @work(exclusive=True)
    async def _play(self) -> None:
        """Come to the table, sit down, and play until somebody here leaves."""
        try:
            async with visiting(self._visit, self._game) as table:
                self._table = table
                await self._stay(table)
        except (DeadwoodError, OSError) as error:
            self.app.notify(clean(error_sentence(error)), severity="error", markup=False)
            self._go("menu")

    async def _stay(self, table: ServedTable) -> None:
        try:
            if self._visit.address.seat is not None:
                await self._menu(table).take_over(self._visit.address.seat)
            await self._sit_down(table)
            while self._wanted is None:
                await self._step(table)
        finally:
            self._game.forget()  # the screen may be gone

    async def _step(self, table: ServedTable) -> None:
        """The one thing to do next."""
        await self._uncovered.wait()
        self._game.news.clear()
        if table.status == "ended":
            raise TableLeft(table.problem or phrase("served.ended"))
        await self._game.look(table)
        if update := self._game.take_update():
            if self._is_whole:
                await self._tell(update, bool(table.held))
            return
        self._refresh()
        if table.view.status == "waiting":
            await self._wait_in_lobby(table)
        elif table.view.status == "finished":
            await self._finish(table)
        elif table.view.pending not in (None, self._declined) and table.held:
            await self._enter_pending(table)
        else:
            await self._next_wish(table)

    async def _tell(self, update: ShownUpdate, waits: bool) -> None:
        """Show what happened; the map is not drawn until the dice have been seen."""
        sentences = [*map(clean, update.sentences)]
        if not update.events:
            self.query_one(WholeTable).tell(sentences)
            return
        self._telling = True
        try:
            await self.tell(update.events, waits=waits, sentences=sentences)
        finally:
            self._telling = False

    async def _sit_down(self, table: ServedTable) -> None:
        """Take a seat if we have none yet, the game has not started, and the table is open."""
        name = self._visit.name
        if table.view.status != "waiting" and not table.held:
            self.query_one(WholeTable).note(phrase("served.watch_late"))
        while table.view.status == "waiting" and not table.held:
            if name is None:
                taken = [chair.name for chair in table.view.chairs]
                suggestion = suggested_name(taken, load_settings().name)
                name = await self.app.push_screen_wait(LineDialog(phrase("served.name_heading"), suggestion))
            if name is None:
                return  # and watch
            try:
                await table.sit(name, invitation=self._visit.address.invitation)
            except ServerRefused as error:
                self.warn(error)
                name = None
                if error.problem.code in CLOSED:
                    return

    async def _wait_in_lobby(self, table: ServedTable) -> None:
        self._lobby = LobbyScreen(table, self._visit, self._speaker)
        try:
            if await self.app.push_screen_wait(self._lobby) == "menu":
                self._go("menu")
        finally:
            self._lobby = None

    async def _next_wish(self, table: ServedTable) -> None:
        """Wait until somebody here wants something, or something happens."""
        wishing = asyncio.create_task(self._wishes.get())
        waking = asyncio.create_task(self._game.news.wait())
        try:
            await asyncio.wait({wishing, waking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
            wishing.cancel()
        if wishing.done() and not wishing.cancelled():
            await self._act(table, wishing.result())

    async def _act(self, table: ServedTable, action: Action) -> None:
        """Play an action, once; it may have to wait for the connection."""
        self._busy = True
        self._refresh()
        try:
            await self._played(table, format_action(action))
        except (DeadwoodError, OSError) as error:
            self.warn(error)
        finally:
            self._busy = False

    async def _played(self, table: ServedTable, action: str) -> None:
        try:
            await table.play(action)
        except ServerRefused as error:
            state, active, needs = self.shown, table.active, error.problem.needs
            if needs is None or state is None or active is None:
                raise
            await self.ask_outcome(
                f"{active.name}: {action}", state, needs, lambda given: _entered(table, action, given)
            )

    async def _enter_pending(self, table: ServedTable) -> None:
        """Ask for real dice for a bot (R12.7). After cancelling, others can enter them, or we press `d` later."""
        pending, state = table.view.pending, self.shown
        if pending is None or state is None:
            return
        self._declined = pending
        player = table.chair(pending.chair)
        who = f"{player.name if player else ''}: {pending.action}"
        try:
            await self.ask_outcome(who, state, pending.needs, lambda given: _entered(table, pending.action, given))
        except (DeadwoodError, OSError) as error:
            self.warn(error)

    async def _finish(self, table: ServedTable) -> None:
        """Show who has won, once, and ask what to do next; then wait for another game."""
        if self._done_with == table.view.game:
            await self._game.news.wait()
            return
        self._done_with = table.view.game
        wanted = await self.app.push_screen_wait(ending(table))
        if wanted in ("again", "lobby"):
            try:
                await go_on(table, wanted)
            except ServerRefused as error:  # somebody else was faster
                self.warn(error)
            return
        if wanted == "replay":
            self.replayed = Game.from_record(await table.record())
        self._go(wanted or "menu")

    def _go(self, wanted: str) -> None:
        """Close with an answer, now or as soon as no other screen covers this one."""
        self._wanted = wanted
        self.answer(wanted)

    def on_screen_suspend(self) -> None:
        self._uncovered.clear()
        if self._wanted is None:
            self.app.clear_notifications()  # they would cover what is shown now

    def on_screen_resume(self) -> None:
        self._uncovered.set()
        if self._wanted is not None:
            self.answer(self._wanted)

    # --- keys

    def wish(self, action: Action) -> None:
        if self.decides_here and self._wishes.empty():
            self._wishes.put_nowait(action)
        elif self._table is not None and not self._busy and not self._table.my_turn:
            self.notify(why_not_now(self._table), markup=False)

    def action_undo(self) -> None:
        """Take back our last action."""
        if self._table is not None:
            send(self, self._table.undo())

    def action_correct(self) -> None:
        """Correct the last roll or card, or show why not."""
        if self._table is not None:
            send(self, self._corrected(self._table))

    async def _corrected(self, table: ServedTable) -> None:
        state, last = self.shown, table.position.correction if table.position else None
        if state is None or last is None:
            raise OutcomeError(Refusal("R12.7", "nothing_to_correct"))
        who = f"{phrase('table.correct', outcome=last.outcome)}\n{last.action}"
        await self.ask_outcome(who, state, last.needs, lambda given: _entered(table, None, given))

    def cannot_have_come_up(self, error: DeadwoodError) -> bool:
        return isinstance(error, ServerRefused) and error.problem.rule == "R12.7"

    def action_enter(self) -> None:
        """Enter what came up for a bot."""
        self._declined = None
        self._game.news.set()

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask the strongest bot; drop its advice if somebody has acted meanwhile."""
        table = self._table
        if table is None:
            return
        try:
            hints = await table.hint()
        except (DeadwoodError, OSError) as error:
            self.warn(error)
            return
        if hints.seq == table.view.seq:
            self.app.push_screen(HintPopup([*map(clean, served_hint_lines(hints, await table.state()))]))

    def _menu(self, table: ServedTable) -> TableMenu:
        return TableMenu(self, table, self._visit, self._speaker)

    def action_talk(self) -> None:
        """Say something to everybody."""
        if self._table is not None:
            ask(self, self._menu(self._table).talk)

    def action_seat(self) -> None:
        """Votes, people who are away, handovers."""
        if self._table is not None:
            ask(self, self._menu(self._table).show)

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpScreen(phrase("served.help_keys")))

    @work(exclusive=True, group="leave")
    async def action_leave(self) -> None:
        """Go to the menu, or leave for good."""
        answers = [(phrase("table.to_menu"), "menu"), (phrase("served.stay_button"), "stay")]
        if self._table is not None and self._table.held and self._table.view.status == "running":
            answers.append((phrase("served.leave_for_good"), "leave"))
        lines = [phrase("served.leave_lines", command=self._visit.way_back), phrase("served.leave_bot")]
        wanted = await self.app.push_screen_wait(
            ChoiceDialog(phrase("served.leave_heading"), answers, lines, escape="stay")
        )
        if wanted == "leave" and self._table is not None:
            for chair in self._table.held:
                await self._table.leave(chair)
        if wanted != "stay":
            self._go("menu")


async def _entered(table: ServedTable, action: str | None, outcome: str) -> Events:
    """Send what came up, for an action or as a correction; its events come as an update."""
    try:
        await (table.correct(outcome) if action is None else table.play(action, outcome))
    except ServerRefused as error:
        needs = error.problem.needs
        if needs is not None:
            raise OutcomeNeeded(needs.kind, needs.count) from error
        raise
    return ()
