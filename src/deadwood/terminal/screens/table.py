"""The table: a game being played."""

import asyncio
from collections.abc import Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer

from ...bots import BotFailed
from ...engine import rules
from ...engine.actions import ACT, END_TURN, REHEARSE, Action, Move
from ...engine.chance import OutcomeNeeded
from ...engine.events import Acted, BonusPaid, CardTurned, DayEnded, Events, SceneWrapped
from ...engine.game import Game
from ...engine.refusal import DeadwoodError, OutcomeError
from ...engine.scoring import winners
from ...engine.state import State
from ..choices import choices, label_of
from ..sentences import error_sentence
from ..session import Session
from ..views import ending_lines, hint_lines
from ..widgets import HEIGHTS, WIDTHS, ActionList, MapView, TableView, TopLine
from ..wording import phrase, told
from .base import Answering
from .dialogs import (
    CardNotice,
    ChoiceDialog,
    DayNotice,
    DieNotice,
    HelpScreen,
    HintNotice,
    OutcomeDialog,
    SceneNotice,
    WrapNotice,
)
from .rules import RulesScreen

Needed = OutcomeNeeded | rules.OutcomeNeed
_AFTERWARDS = (("again", "again"), ("watch", "replay"), ("to_menu", "menu"))
PACES = (0.0, 0.15, 0.4, 0.8, 1.6)  # seconds that a bot waits before it acts; dice roll as long


class TableScreen(Answering[str]):
    """Plays a session; the answer is what to do next: `again`, `replay` or `menu`."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS = [
        Binding("a", "act", "keys.act"),
        Binding("r", "rehearse", "keys.rehearse"),
        Binding("e", "end", "keys.end"),
        Binding("u", "undo", "keys.undo"),
        Binding("c", "correct", show=False),
        Binding("p", "pause", show=False),
        Binding("plus,equals_sign", "pace(-1)", show=False),
        Binding("minus", "pace(1)", show=False),
        Binding("i", "look", "keys.look"),
        Binding("h", "hint", "keys.hint"),
        Binding("R", "rules", "keys.rules"),
        Binding("question_mark", "help", "keys.keys"),
        Binding("escape", "leave", "keys.menu"),
        *(Binding(str((number + 1) % 10), f"pick({number})", show=False) for number in range(10)),
    ]

    def __init__(self, session: Session, pace: float) -> None:
        super().__init__()
        self.session = session
        self.pace = pace
        self._wishes: asyncio.Queue[Action | None] = asyncio.Queue()  # None: look again whose turn it is
        self._decided: tuple[State, Action] | None = None  # a bot's decision, until it is played
        self._answered = False
        self._pace_note = ""  # once somebody has changed the pace; a toast would cover dialogs
        self._uncovered = asyncio.Event()
        self._unpaused = asyncio.Event()
        self._unpaused.set()

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield TableView(ActionList())
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(TableView).narrate(tuple(self.session.game.events[-40:]))
        self._play()

    def on_resize(self) -> None:
        self._show()

    def on_unmount(self) -> None:
        self.session.close()

    @work(exclusive=True)
    async def _play(self) -> None:
        """The game: show it, let a person or a bot decide, show what happened, until it is over."""
        while not self._answered:
            self._show()
            await self._ready()
            try:
                events = await self._next()
            except BotFailed as error:
                self._warn(error)
                self.action_pause()
            except (DeadwoodError, OSError) as error:
                self._warn(error)
            else:
                if not self._answered:
                    await self._tell(events)

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
            return await self._ask_outcome(who, state, needed, lambda given: self.session.play(action, given))

    async def _ask_outcome(self, who: str, state: State, needed: Needed, play: Callable[[str], Events]) -> Events:
        """Ask what came up in a state until it is valid, and play it; no events if nobody wants to say."""
        first_die = trouble = ""
        while True:
            outcome = await self.app.push_screen_wait(OutcomeDialog(who, needed, state, first_die, trouble))
            if outcome is None:
                return ()
            try:
                return play(outcome)
            except OutcomeNeeded as more:
                needed, first_die, trouble = more, outcome, ""
            except OutcomeError as error:
                trouble = told(error)

    async def _corrected(self) -> Events:
        """Ask what really came up for the last action (R12.7)."""
        last = self.session.game.last_outcome()
        player = last.before.table.names[last.before.active]
        who = f"{phrase('table.correct', outcome=last.outcome)}\n{player}: {label_of(last.before, last.action)}"
        return await self._ask_outcome(who, last.before, last.needed, self.session.correct)

    async def _tell(self, events: Events) -> None:
        """Show dice, wraps and ends of days on their own screens; the log is never ahead of them."""
        bonuses = [event for event in events if isinstance(event, BonusPaid)]
        people = any(seat.bot is None for seat in self.session.game.seats)
        typed = self.session.game.correct_refusal() is None
        for event in events:
            wrong: bool | None = False
            match event:
                case Acted() if self.pace:
                    stays = typed or not self._is_bot(event.player)
                    wrong = await self.app.push_screen_wait(DieNotice(event, self.pace, stays, typed))
                case CardTurned() if self.pace and typed and self._is_bot(event.player):
                    wrong = await self.app.push_screen_wait(CardNotice(event))
                case SceneWrapped() if self.pace or people:
                    await self.app.push_screen_wait(WrapNotice(event, bonuses, None if people else 3 * self.pace))
                case DayEnded() if people:
                    self._show()
                    await self.app.push_screen_wait(DayNotice(event, self.session.game.state))
            self.query_one(TableView).narrate((event,))
            if wrong and (corrected := await self._corrected()):
                await self._tell(corrected)
                return
        self._forget_wishes()

    def _is_bot(self, name: str) -> bool:
        game = self.session.game
        return game.seats[game.state.table.names.index(name)].bot is not None

    def _forget_wishes(self) -> None:
        """Drop keys that were pressed for an earlier state."""
        while not self._wishes.empty():
            self._wishes.get_nowait()

    async def _finish(self) -> Events:
        """Show who has won, and ask what to do next. If the last roll was wrong, the game may go on."""
        game = self.session.game
        answers = [(phrase(f"table.{text}"), answer) for text, answer in _AFTERWARDS]
        if game.correct_refusal() is None:
            answers.append((phrase("table.correct_roll"), "correct"))
        dialog = ChoiceDialog(_heading(game), answers, [*ending_lines(game)], escape="menu")
        wanted = await self.app.push_screen_wait(dialog)
        if wanted == "correct":
            return await self._corrected()
        self._answered = True
        self.answer(wanted)
        return ()

    def _show(self) -> None:
        game = self.session.game
        state = game.state
        waiting = self.session.bot_is_up
        offered = [] if waiting else choices(state)
        open_to = frozenset(
            state.table.area_numbers[choice.action.area] for choice in offered if isinstance(choice.action, Move)
        )
        with self.app.batch_update():
            self.query_one(TopLine).show(state, game.seats, self._note())
            view = self.query_one(TableView)
            here = view.focus_of(state)
            if self.query_one(MapView).chosen != here:
                self.query_one(MapView).choose(here)
            view.show(state, game.seats, open_to)
            self.query_one(ActionList).show(offered)
        if not waiting and self.focused is None:
            self.query_one(ActionList).focus()

    def _note(self) -> str:
        if not self._unpaused.is_set():
            return f"· {phrase('table.paused')}{self._pace_note}"
        thinking = f"· {phrase('table.thinking')}" if self.session.bot_is_up else ""
        return f"{thinking}{self._pace_note}"

    def _wish(self, action: Action) -> None:
        if not self._unpaused.is_set():
            self.notify(phrase("table.is_paused"))
        elif not self.session.bot_is_up:
            self._wishes.put_nowait(action)

    def _warn(self, error: DeadwoodError | OSError) -> None:
        self.notify(error_sentence(error), severity="warning", markup=False)

    @on(ActionList.Picked)
    def _picked(self, event: ActionList.Picked) -> None:
        self._wish(event.action)

    @on(MapView.Chosen)
    def _looked_at(self) -> None:
        self.query_one(TableView).show_scene(self.session.game.state, self.session.game.seats)

    @on(MapView.Entered)
    def _entered(self, event: MapView.Entered) -> None:
        self._wish(Move(self.session.game.state.table.areas[event.area].id))

    def action_pick(self, number: int) -> None:
        """Do the action with this number."""
        self.query_one(ActionList).pick(number)

    def action_act(self) -> None:
        """Act, or show why not."""
        self._wish(ACT)

    def action_rehearse(self) -> None:
        """Rehearse, or show why not."""
        self._wish(REHEARSE)

    def action_end(self) -> None:
        """End the turn, or show why not."""
        self._wish(END_TURN)

    def action_undo(self) -> None:
        """Take back the last action."""
        try:
            self.session.undo()
        except (DeadwoodError, OSError) as error:
            self._warn(error)
        else:
            self.query_one(TableView).note(phrase("table.taken_back"))
            self._forget_wishes()
            self._show()

    @work(exclusive=True, group="correct")
    async def action_correct(self) -> None:
        """Correct the last roll or card, or show why not."""
        try:
            events = await self._corrected()
        except (DeadwoodError, OSError) as error:
            self._warn(error)
            return
        if events:
            self.query_one(TableView).narrate(events)
            self._forget_wishes()
            self._wishes.put_nowait(None)
            self._show()

    def action_pause(self) -> None:
        """Pause, or continue."""
        if self._unpaused.is_set():
            self._unpaused.clear()
        else:
            self._unpaused.set()
        self._show()

    def action_pace(self, change: int) -> None:
        """Make bots and dice faster or slower."""
        nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - self.pace))
        self.pace = PACES[min(max(nearest + change, 0), len(PACES) - 1)]
        self._pace_note = f" · {phrase('table.pace', seconds=self.pace)}"
        self._show()

    def action_look(self) -> None:
        """Look closely at the chosen place."""
        area = self.query_one(MapView).chosen
        if area is not None:
            self.app.push_screen(SceneNotice(self.session.game.state, self.session.game.seats, area))

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask the strongest bot, which takes a moment; drop its advice if somebody has acted meanwhile."""
        state = self.session.game.state
        if not state.over:
            lines = await asyncio.to_thread(lambda: list(hint_lines(state)))
            if self.session.game.state is state:
                self.app.push_screen(HintNotice(lines))

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesScreen())

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpScreen(phrase("help.table")))

    def action_leave(self) -> None:
        """Go back to the menu; the game is saved."""
        self.answer("menu")


def _heading(game: Game) -> str:
    first = () if game.called_off else winners(game.standings())
    return phrase("table.wins", players=first) if first else phrase("table.over")
