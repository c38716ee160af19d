"""The table: a game being played here."""

import asyncio
from collections.abc import Sequence

from textual import work
from textual.binding import Binding

from ...bots import BotFailed
from ...engine.actions import Action
from ...engine.chance import OutcomeNeeded
from ...engine.events import Events
from ...engine.game import Game
from ...engine.refusal import DeadwoodError
from ...engine.scoring import winners
from ...engine.seats import Seat
from ...engine.state import State
from ..choices import label_of
from ..session import Session
from ..views import ending_lines, hint_lines
from ..widgets import WholeTable
from ..wording import phrase
from .dialogs import ChoiceDialog, HintPopup
from .playing import AFTERWARDS, PlayingScreen


class TableScreen(PlayingScreen):
    """Plays a session; the answer is what to do next: `again`, `replay` or `menu`."""

    BINDINGS = [Binding("p", "pause", show=False)]

    def __init__(self, session: Session, pace: float) -> None:
        super().__init__()
        self.session = session
        self.pace = pace
        self._wishes: asyncio.Queue[Action | None] = asyncio.Queue()  # None: check again whose turn it is
        self._decided: tuple[State, Action] | None = None  # a bot's decision, until it is played
        self._answered = False
        self._uncovered = asyncio.Event()
        self._unpaused = asyncio.Event()
        self._unpaused.set()

    @property
    def shown(self) -> State:
        return self.session.game.state

    @property
    def seats(self) -> Sequence[Seat]:
        return self.session.game.seats

    @property
    def decides_here(self) -> bool:
        return not self.session.bot_is_up

    @property
    def can_correct(self) -> bool:
        return self.session.game.correct_refusal() is None

    def note(self) -> str:
        if not self._unpaused.is_set():
            return f"· {phrase('table.paused')}{self.pace_note}"
        thinking = f"· {phrase('table.thinking')}" if self.session.bot_is_up else ""
        return f"{thinking}{self.pace_note}"

    def on_mount(self) -> None:
        self.query_one(WholeTable).narrate(tuple(self.session.game.events[-40:]))
        self._play()

    def on_unmount(self) -> None:
        self.session.close()

    @work(exclusive=True)
    async def _play(self) -> None:
        """The game: show it, let a person or a bot decide, show what happened, until it is over."""
        while not self._answered:
            self.show()
            await self._ready()
            try:
                events = await self._next()
            except BotFailed as error:
                self.warn(error)
                self.action_pause()
            except (DeadwoodError, OSError) as error:
                self.warn(error)
            else:
                if not self._answered:
                    await self.tell(events, waits=any(seat.bot is None for seat in self.seats))
                    self._forget_wishes()

    async def _next(self) -> Events:
        """What happens next: a bot acts, a person acts, or the game is over."""
        if self.session.game.over:
            return await self._finish()
        return await (self._bot_turn() if self.session.bot_is_up else self._person_turn())

    async def _ready(self) -> None:
        """Wait while the game is paused, or another screen covers the table."""
        await self._unpaused.wait()
        await self._uncovered.wait()

    def on_screen_suspend(self) -> None:
        self._uncovered.clear()
        self.app.clear_notifications()  # they would cover what is shown now

    def on_screen_resume(self) -> None:
        self._uncovered.set()

    async def _bot_turn(self) -> Events:
        before = self.session.game.state
        if self._decided is None or self._decided[0] is not before:
            self._decided = before, await asyncio.to_thread(self.session.bot_action)
            await asyncio.sleep(self.pace)
            await self._ready()
        if self.session.game.state is not before:  # an action was taken back meanwhile
            return ()
        return await self._played(self._decided[1])

    async def _person_turn(self) -> Events:
        wish = await self._wishes.get()
        return () if wish is None else await self._played(wish)

    async def _played(self, action: Action) -> Events:
        """Play an action; with real dice, ask for what came up (R12.7)."""
        try:
            return self.session.play(action)
        except OutcomeNeeded as needed:
            state = self.session.game.state
            who = f"{state.table.names[state.active]}: {label_of(state, action)}"
            return await self.ask_outcome(who, state, needed, lambda given: self._entered_for(action, given))

    async def _entered_for(self, action: Action, outcome: str) -> Events:
        return self.session.play(action, outcome)

    async def corrected(self) -> Events:
        last = self.session.game.last_outcome()
        player = last.before.table.names[last.before.active]
        who = f"{phrase('table.correct', outcome=last.outcome)}\n{player}: {label_of(last.before, last.action)}"
        return await self.ask_outcome(who, last.before, last.needed, self._correct)

    async def _correct(self, outcome: str) -> Events:
        return self.session.correct(outcome)

    def _forget_wishes(self) -> None:
        """Drop keys that were pressed for an earlier state."""
        while not self._wishes.empty():
            self._wishes.get_nowait()

    async def _finish(self) -> Events:
        """Show who has won, and ask what to do next. If the last roll was wrong, the game may go on."""
        game = self.session.game
        answers = [(phrase(f"table.{text}"), answer) for text, answer in AFTERWARDS]
        if game.correct_refusal() is None:
            answers.append((phrase("table.correct_roll"), "correct"))
        dialog = ChoiceDialog(_heading(game), answers, [*ending_lines(game)], escape="menu")
        wanted = await self.app.push_screen_wait(dialog)
        if wanted == "correct":
            return await self.corrected()
        self._answered = True
        self.answer(wanted)
        return ()

    def wish(self, action: Action) -> None:
        if not self._unpaused.is_set():
            self.notify(phrase("table.is_paused"))
        elif not self.session.bot_is_up:
            self._wishes.put_nowait(action)

    def action_undo(self) -> None:
        """Take back the last action."""
        try:
            self.session.undo()
        except (DeadwoodError, OSError) as error:
            self.warn(error)
        else:
            self.query_one(WholeTable).note(phrase("table.taken_back"))
            self._forget_wishes()
            self.show()

    @work(exclusive=True, group="correct")
    async def action_correct(self) -> None:
        """Correct the last roll or card, or show why not."""
        try:
            events = await self.corrected()
        except (DeadwoodError, OSError) as error:
            self.warn(error)
            return
        if events:
            self.query_one(WholeTable).narrate(events)
            self._forget_wishes()
            self._wishes.put_nowait(None)
            self.show()

    def action_pause(self) -> None:
        """Pause, or continue."""
        if self._unpaused.is_set():
            self._unpaused.clear()
        else:
            self._unpaused.set()
        self.show()

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask the strongest bot, which takes a moment; drop its advice if somebody has acted meanwhile."""
        state = self.session.game.state
        if not state.over:
            lines = await asyncio.to_thread(lambda: list(hint_lines(state)))
            if self.session.game.state is state:
                self.app.push_screen(HintPopup(lines))

    def action_leave(self) -> None:
        """Go back to the menu; the game is saved."""
        self.answer("menu")


def _heading(game: Game) -> str:
    first = () if game.called_off else winners(game.standings())
    return phrase("table.wins", players=first) if first else phrase("table.over")
