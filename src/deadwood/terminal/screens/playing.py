"""What every table on screen shares: the view, the keys, and the small screens over it."""

from collections.abc import Awaitable, Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding

from ...engine.actions import ACT, END_TURN, REHEARSE, Action, Move
from ...engine.chance import OutcomeNeeded
from ...engine.events import Acted, BonusPaid, CardTurned, DayEnded, Events, SceneWrapped
from ...engine.outcomes import Needed
from ...engine.refusal import DeadwoodError, OutcomeError
from ...engine.seats import Seat
from ...engine.state import State
from ..choices import choices
from ..key_line import KeyLine
from ..sentences import error_sentence
from ..widgets import HEIGHTS, WIDTHS, ActionList, MapView, TopLine, WholeTable
from ..wording import phrase, sentence
from .base import Answering
from .dialogs import (
    CardPopup,
    DayPopup,
    DiePopup,
    HelpScreen,
    OutcomeDialog,
    ScenePopup,
    WrapPopup,
)
from .rules import RulesScreen

AFTERWARDS = (("again", "again"), ("watch", "replay"), ("to_menu", "menu"))  # after a game
PACES = (0.0, 0.15, 0.4, 0.8, 1.6)  # seconds that a bot waits before it acts; dice roll as long


class PlayingScreen(Answering[str]):
    """A table where people at this keyboard play, locally or on a server; subclasses know which."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS = [
        Binding("a", "act", "keys.act"),
        Binding("r", "rehearse", "keys.rehearse"),
        Binding("e", "end", "keys.end"),
        Binding("u", "undo", "keys.undo"),
        Binding("c", "correct", show=False),
        Binding("plus,equals_sign", "pace(-1)", show=False),
        Binding("minus", "pace(1)", show=False),
        Binding("i", "look", "keys.look"),
        Binding("h", "hint", "keys.hint"),
        Binding("R", "rules", "keys.rules"),
        Binding("question_mark", "help", "keys.keys"),
        Binding("escape", "leave", "keys.menu"),
        *(Binding(str((number + 1) % 10), f"pick({number})", show=False) for number in range(10)),
    ]
    pace: float
    pace_note = ""  # shown once somebody has changed the pace; a toast would cover dialogs

    # --- what a subclass knows

    @property
    def shown(self) -> State | None:
        """The state to show; None while there is none."""
        raise NotImplementedError

    @property
    def seats(self) -> Sequence[Seat]:
        """Colours, and who is a bot."""
        raise NotImplementedError

    @property
    def decides_here(self) -> bool:
        """Whether somebody at this keyboard may act now."""
        raise NotImplementedError

    @property
    def can_correct(self) -> bool:
        """Whether what came up last may be corrected (R12.7)."""
        raise NotImplementedError

    def note(self) -> str:
        """What the table is doing, for the top line."""
        raise NotImplementedError

    def wish(self, action: Action) -> None:
        """Somebody here wants to do this."""
        raise NotImplementedError

    async def corrected(self) -> Events:
        """Ask what really came up for the last action (R12.7)."""
        raise NotImplementedError

    # --- what it looks like

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield WholeTable(ActionList())
        yield KeyLine()

    def on_resize(self) -> None:
        self.show()

    def show(self) -> None:
        """Show everything as it is now."""
        state, here = self.shown, self.decides_here
        if state is None:
            return
        offered = choices(state) if here else []
        open_to = frozenset(
            state.table.area_numbers[choice.action.area] for choice in offered if isinstance(choice.action, Move)
        )
        with self.app.batch_update():
            self.query_one(TopLine).show(state, self.seats, self.note())
            view = self.query_one(WholeTable)
            focus = view.focus_of(state)
            if self.query_one(MapView).chosen != focus:
                self.query_one(MapView).choose(focus)
            view.show(state, self.seats, open_to)
            self.query_one(ActionList).show(offered)
        if here and self.focused is None:
            self.query_one(ActionList).focus()

    async def tell(self, events: Events, *, waits: bool, sentences: Sequence[str] | None = None) -> None:
        """Show dice, wraps and ends of days on their own screens; with `waits`, until people have seen them.

        The log is never ahead of these screens. It has our sentences, unless others are given.
        """
        lines = [*map(sentence, events)] if sentences is None else sentences
        bonuses = [event for event in events if isinstance(event, BonusPaid)]
        typed = self.can_correct
        for event, line in zip(events, lines, strict=True):
            wrong: bool | None = False
            match event:
                case Acted() if self.pace:
                    stays = typed or self.is_ours(event.player)
                    wrong = await self.app.push_screen_wait(DiePopup(event, self.pace, stays, typed))
                case CardTurned() if self.pace and typed and self.is_bot(event.player):
                    wrong = await self.app.push_screen_wait(CardPopup(event))
                case SceneWrapped() if self.pace or waits:
                    await self.app.push_screen_wait(WrapPopup(event, bonuses, None if waits else 3 * self.pace))
                case DayEnded() if waits and (state := self.shown):
                    self.show()
                    await self.app.push_screen_wait(DayPopup(event, state))
            self.query_one(WholeTable).tell([line])
            if wrong and (corrected := await self.corrected()):
                await self.tell(corrected, waits=waits)
                return

    def is_bot(self, name: str) -> bool:
        """Whether a player is a bot."""
        state = self.shown
        return state is not None and self.seats[state.table.names.index(name)].bot is not None

    def is_ours(self, name: str) -> bool:
        """Whether a player is a person at this keyboard."""
        return not self.is_bot(name)

    async def ask_outcome(
        self, who: str, state: State, needed: Needed, play: Callable[[str], Awaitable[Events]]
    ) -> Events:
        """Ask what came up in a state until it is valid, and play it; no events if the question is cancelled."""
        first_die = trouble = ""
        while True:
            outcome = await self.app.push_screen_wait(OutcomeDialog(who, needed, state, first_die, trouble))
            if outcome is None:
                return ()
            try:
                return await play(outcome)
            except OutcomeNeeded as more:
                needed, first_die, trouble = more, outcome, ""
            except DeadwoodError as error:
                if not self.cannot_have_come_up(error):
                    raise
                trouble = sentence(error)

    def cannot_have_come_up(self, error: DeadwoodError) -> bool:
        """Whether an error says that what was typed cannot have come up (R12.7)."""
        return isinstance(error, OutcomeError)

    def warn(self, error: DeadwoodError | OSError) -> None:
        """Say what went wrong."""
        self.notify(error_sentence(error), severity="warning", markup=False)

    # --- keys and clicks

    @on(ActionList.Picked)
    def _picked(self, event: ActionList.Picked) -> None:
        self.wish(event.action)

    @on(MapView.Chosen)
    def _looked_at(self) -> None:
        if state := self.shown:
            self.query_one(WholeTable).show_scene(state, self.seats)

    @on(MapView.Entered)
    def _entered(self, event: MapView.Entered) -> None:
        if state := self.shown:
            self.wish(Move(state.table.areas[event.area].id))

    def action_pick(self, number: int) -> None:
        """Do the action with this number."""
        self.query_one(ActionList).pick(number)

    def action_act(self) -> None:
        """Act, or show why not."""
        self.wish(ACT)

    def action_rehearse(self) -> None:
        """Rehearse, or show why not."""
        self.wish(REHEARSE)

    def action_end(self) -> None:
        """End the turn, or show why not."""
        self.wish(END_TURN)

    def action_pace(self, change: int) -> None:
        """Make bots and dice faster or slower."""
        nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - self.pace))
        self.pace = PACES[min(max(nearest + change, 0), len(PACES) - 1)]
        self.pace_note = f" · {phrase('table.pace', seconds=self.pace)}"
        self.show()

    def action_look(self) -> None:
        """Look closely at the chosen place."""
        area, state = self.query_one(MapView).chosen, self.shown
        if area is not None and state is not None:
            self.app.push_screen(ScenePopup(state, self.seats, area))

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesScreen())

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpScreen(phrase("help.table")))
