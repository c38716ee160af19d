"""Watching a recorded game: step by step, by turns or days, or automatically."""

from collections.abc import Callable

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.timer import Timer
from textual.widgets import Static

from ...engine.game import Game
from ...engine.state import State
from ..key_line import KeyLine
from ..log import Log
from ..widgets import HEIGHTS, WIDTHS, MapView, TopLine, WholeTable
from ..wording import phrase
from ..worth import worth_lines
from .base import Answering
from .dialogs import HelpScreen, ScenePopup, WorthPopup
from .rules import RulesScreen

CHART_WIDTH = 48


class ReplayScreen(Answering[None]):
    """Steps through the states of a game."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS = [
        Binding("right", "step(1)", "keys.on", priority=True),
        Binding("left", "step(-1)", show=False, priority=True),
        Binding("pagedown", "turn(1)", "keys.turn", priority=True),
        Binding("pageup", "turn(-1)", show=False, priority=True),
        Binding("d", "day(1)", "keys.day"),
        Binding("D", "day(-1)", show=False),
        Binding("home", "jump(0)", show=False, priority=True),
        Binding("end", "jump(-1)", show=False, priority=True),
        Binding("space", "play", "keys.play", priority=True),
        Binding("plus,equals_sign", "pace(0.5)", show=False),
        Binding("minus", "pace(2)", show=False),
        Binding("g", "chart", "keys.chart"),
        Binding("i", "look", "keys.look"),
        Binding("R", "rules", "keys.rules"),
        Binding("question_mark", "help", "keys.keys"),
        Binding("escape,q", "back", "keys.back"),
    ]

    def __init__(self, game: Game, place: int = 0) -> None:
        super().__init__()
        self._game = game
        self._states = list(game.states())
        self._place = place
        self._pace = 0.6
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield TopLine()
        yield WholeTable(Static(id="replay-keys", classes="panel"))
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#replay-keys").border_title = phrase("replay.heading")
        self.query_one(MapView).focus()
        self._show()

    def on_resize(self) -> None:
        self._show()

    @property
    def place(self) -> int:
        """How many actions have been played."""
        return self._place

    def _show(self) -> None:
        state = self._states[self._place]
        self.query_one(TopLine).show(state, self._game.seats, f"· {phrase('table.replay')}")
        view = self.query_one(WholeTable)
        self.query_one(MapView).choose(view.focus_of(state))
        view.show(state, self._game.seats)
        self._tell()
        total = len(self._states) - 1
        done = round(28 * self._place / total) if total else 28
        place = phrase("replay.place", n=self._place, total=total, day=state.day)
        bar = f"{'━' * done}{'╌' * (28 - done)}\n{place}\n\n"
        self.query_one("#replay-keys", Static).update(Text(bar).append(phrase("replay.keys"), "dim"))

    def _tell(self) -> None:
        self.query_one(Log).forget()
        view = self.query_one(WholeTable)
        if self._place == 0:
            view.narrate(tuple(self._game.events[:2]))
        for step in self._game.steps[max(0, self._place - 12) : self._place]:
            view.narrate(step.events)

    def _go(self, place: int) -> None:
        self._place = min(max(place, 0), len(self._states) - 1)
        self._show()

    def _seek(self, change: int, differs: Callable[[State, State], bool]) -> None:
        """Go forward or back to the next place where the state differs from the one before it."""
        places = range(self._place + 1, len(self._states)) if change > 0 else range(self._place - 1, 0, -1)
        found = (place for place in places if differs(self._states[place - 1], self._states[place]))
        self._go(next(found, len(self._states) - 1 if change > 0 else 0))

    @on(MapView.Chosen)
    def _looked_at(self) -> None:
        self.query_one(WholeTable).show_scene(self._states[self._place], self._game.seats)

    def action_step(self, change: int) -> None:
        """One action forward or back."""
        self._go(self._place + change)

    def action_turn(self, change: int) -> None:
        """One turn forward or back."""
        self._seek(change, lambda before, after: before.active != after.active)

    def action_day(self, change: int) -> None:
        """One day forward or back."""
        self._seek(change, lambda before, after: before.day != after.day)

    def action_jump(self, place: int) -> None:
        """To the beginning or the end."""
        self._go(place if place >= 0 else len(self._states) - 1)

    def action_play(self) -> None:
        """Play automatically, or stop."""
        if self._timer is None:
            self._timer = self.set_interval(self._pace, self._tick)
        else:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        self._go(self._place + 1)
        if self._place == len(self._states) - 1 and self._timer is not None:
            self.action_play()

    def action_pace(self, factor: float) -> None:
        """Faster or slower."""
        self._pace = min(max(self._pace * factor, 0.05), 5.0)
        if self._timer is not None:
            self.action_play()
            self.action_play()

    def action_look(self) -> None:
        """Look closely at the chosen place."""
        area = self.query_one(MapView).chosen
        if area is not None:
            self.app.push_screen(ScenePopup(self._states[self._place], self._game.seats, area))

    def action_chart(self) -> None:
        """Show how everybody's score rises."""
        self.app.push_screen(WorthPopup(worth_lines(self._states, self._game.seats, self._place, CHART_WIDTH)))

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesScreen())

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpScreen(phrase("replay.help")))
