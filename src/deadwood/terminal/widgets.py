"""The parts of the table on screen: map, players, scene, log and actions."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ..engine.actions import Action
from ..engine.board import UPGRADE_RANKS
from ..engine.events import Events
from ..engine.seats import Seat
from ..engine.state import State
from ..engine.table import FIRST_EXTRA
from .choices import KIND_MARKS, Choice
from .log import Log
from .map.drawing import Picture, draw_map, neighbour_towards
from .pieces import look
from .sentences import scene_text
from .wording import card_text, phrase, place, sentence

WIDE = 110
WIDTHS = [(0, "-narrow"), (WIDE, "-wide")]
ROOMY_PLAYERS = 5  # with more, a line each leaves room for the scene
BOT = "°"  # after the name of a bot
CHIP = "◉"  # not +, which marks extra roles
LONGEST = 200  # columns; no role has a longer name
HEIGHTS = [(0, "-short"), (34, "-tall")]


class TopLine(Static):
    """The day, the scenes left, and whose turn it is (R13.2)."""

    def show(self, state: State, seats: Sequence[Seat], note: str = "") -> None:
        """Show a state, and a note on what the table is doing."""
        line = Text(phrase("table.day", day=state.day, days=state.table.days))
        if state.over:
            line.append(f"  ·  {phrase('table.over')}")
        else:
            line.append(f"  ·  {phrase('table.scenes_left', n=state.scenes_left)}  ·  ")
            line.append_text(_die_text(state, seats, state.active))
            line.append(f" {phrase('table.turn', player=state.table.names[state.active])}", "bold reverse")
        line.append(f"  {note}" if note else "")
        self.update(line)


class MapView(Widget, can_focus=True):
    """The board: arrow keys choose a place, Enter or a click moves there."""

    BINDINGS = [
        Binding("up", "choose(0, -1)", "Choose a place", show=False),
        Binding("down", "choose(0, 1)", show=False),
        Binding("left", "choose(-1, 0)", show=False),
        Binding("right", "choose(1, 0)", show=False),
        Binding("enter", "go", "Go there", show=False),
    ]

    class Chosen(Message):
        """The cursor is on a place."""

        def __init__(self, area: int) -> None:
            super().__init__()
            self.area = area

    class Entered(Message):
        """Somebody wants to move to a place."""

        def __init__(self, area: int) -> None:
            super().__init__()
            self.area = area

    def __init__(self) -> None:
        super().__init__(id="map")
        self._picture: Picture | None = None
        self._shown: tuple[State, Sequence[Seat], frozenset[int]] | None = None
        self._space = Size(52, 15)
        self.chosen: int | None = None

    def show(self, state: State, seats: Sequence[Seat], open_to: frozenset[int] = frozenset()) -> None:
        """Show a state, with marks on the places that the active player may move to."""
        self._shown = state, seats, open_to
        self._draw()

    def fit(self, space: Size) -> None:
        """Use the available space."""
        if space != self._space:
            self._space = space
            self._draw()

    def choose(self, area: int | None) -> None:
        """Put the cursor on a place."""
        self.chosen = area
        self._draw()
        if area is not None:
            self.post_message(self.Chosen(area))
            self.call_after_refresh(self._scroll_into_view, area)

    def _scroll_into_view(self, area: int) -> None:
        """Keep the place under the cursor visible on maps that are larger than their space."""
        if self._picture is not None and isinstance(self.parent, MapFrame):
            column, row = self._picture.centres[area]
            self.parent.scroll_to_region(Region(column - 12, row - 4, 24, 8), animate=False)

    def _draw(self) -> None:
        if self._shown is None:
            return
        state, seats, open_to = self._shown
        before, (width, height) = self._picture, self._space
        self._picture = draw_map(state, seats, width, height, chosen=self.chosen, open_to=open_to)
        self.refresh(layout=before is None or _size(before) != _size(self._picture))

    def render(self) -> Text:
        return Text("\n", no_wrap=True).join(self._picture.lines) if self._picture else Text()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return _size(self._picture)[0] if self._picture else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return _size(self._picture)[1] if self._picture else 0

    def action_choose(self, across: int, down: int) -> None:
        if self._shown is None or self._picture is None:
            return
        state = self._shown[0]
        here = self.chosen if self.chosen is not None else state.players[state.active].area
        area = neighbour_towards(self._picture, here, state.table.neighbours[here], across, down)
        if area is not None:
            self.choose(area)

    def action_go(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Entered(self.chosen))

    def on_click(self, event: events.Click) -> None:
        area = self._picture.areas[event.y][event.x] if self._picture else None
        if area is not None:
            self.choose(area)
            self.post_message(self.Entered(area))


def _size(picture: Picture) -> tuple[int, int]:
    return picture.lines[0].cell_len, len(picture.lines)


class MapFrame(ScrollableContainer, can_focus=False):
    """Scrolls a map that is larger than its space."""

    def on_resize(self) -> None:
        self.query_one(MapView).fit(self.content_region.size)


class PlayersPanel(Static):
    """One or two lines per player: rank, dollars, credits, chips, role."""

    def show(self, state: State, seats: Sequence[Seat], roomy: bool) -> None:
        """Show all players. The layout is computed again only if the number of lines has changed."""
        lines = [line for seat in range(len(seats)) for line in _player_lines(state, seats, seat, roomy)]
        self.update(Text("\n").join(lines), layout=len(lines) != self._lines)
        self._lines = len(lines)

    _lines = 0


def _die_text(state: State, seats: Sequence[Seat], seat: int) -> Text:
    """A player's die: symbol and rank, in the seat's colour."""
    shown = look(seats[seat])
    return Text(f"{shown.symbol}{state.players[seat].rank}", f"bold {shown.colour}")


def _player_lines(state: State, seats: Sequence[Seat], seat: int, roomy: bool) -> list[Text]:
    player = state.players[seat]
    name_width = 16 if roomy else 7
    line = Text("▶" if seat == state.active else " ", "bold", no_wrap=True)
    line.append_text(_die_text(state, seats, seat))
    mark = BOT if seats[seat].bot else ""
    room = name_width - len(mark)
    name = Text(f" {_short_name(state.table.names, seat, room)}", "bold" if seat == state.active else "")
    name.truncate(room + 1, overflow="ellipsis")
    name.append(mark).pad_right(name_width + 1 - name.cell_len)
    chips = f" {CHIP}{player.chips}" if player.chips else ""
    line.append_text(name)
    line.append(f" {f'${player.dollars}':>4} {player.credits:>2}{phrase('scene.credits')}{chips}")
    if not roomy:
        return [line]
    where = place(state.table.areas[player.area].name)
    if player.role is not None:
        role = state.table.role(player.area, state.scenes[player.area], player.role)
        where = f"{card_text(role.name)}, {where}"
    bot = seats[seat].bot
    kind = f"{phrase('set_up.bot', bot=bot)} · " if bot else ""
    return [line, Text(f"     {kind}{where}", "dim", no_wrap=True, overflow="ellipsis")]


def _short_name(names: Sequence[str], seat: int, width: int) -> str:
    """A name where space is short: its last word, if another player's name begins the same (`Random Randy`)."""
    name = names[seat]
    others = [other for number, other in enumerate(names) if number != seat]
    if len(name) <= width or not any(other[: width - 1] == name[: width - 1] for other in others):
        return name
    return name.split()[-1]


class ScenePanel(Static):
    """The scene at a place: card, roles, players on them and, if they fit, the roles' lines."""

    _shown: tuple[State, Sequence[Seat], int] | None = None

    def show(self, state: State, seats: Sequence[Seat], area: int) -> None:
        """Show one place. The panel keeps its size, so nothing else needs a new layout."""
        self._shown = state, seats, area
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        state, seats, area = self._shown
        width, height = max(self.content_size.width, 1), self.content_size.height
        lines = scene_lines(state, seats, area, spoken=False, width=width)
        spoken = scene_lines(state, seats, area, spoken=True, width=width)
        shown = spoken if len(spoken) <= height else lines
        for line in shown:
            line.truncate(width, overflow="ellipsis")
        self.update(Text("\n", no_wrap=True).join(shown), layout=False)


def scene_lines(state: State, seats: Sequence[Seat], area: int, spoken: bool, width: int = LONGEST) -> list[Text]:
    """A place with its scene, roles and players and, if `spoken`, the roles' lines.

    A role with a player is cut to the `width`, but the player's die is kept.
    """
    here, card = state.table.areas[area], state.card(area)
    if card is None:
        lines = [Text(place(here.name), "bold"), Text(scene_text(state, area), "dim")]
        return [*lines, *_prices(state)] if area == state.table.office else lines
    shots = f"{'▮' * state.shots[area]}{'▯' * (here.shots - state.shots[area])}"
    lines = [Text(f"{place(here.name)}  ${card.budget}M {shots}", "bold"), Text(card_text(card.title), "bold italic")]
    for first, kind, roles in ((0, "star", card.roles), (FIRST_EXTRA, "extra", here.extras)):
        for number, role in enumerate(roles, first):
            lines.append(
                _role_line(state, seats, area, number, f"{KIND_MARKS[kind]}{role.rank} {card_text(role.name)}", width)
            )
            if spoken:
                lines.append(Text(f"   {card_text(role.line)}", "italic dim"))
    return lines


def _role_line(state: State, seats: Sequence[Seat], area: int, number: int, role: str, width: int) -> Text:
    dice = Text()
    for seat, player in enumerate(state.players):
        if player.area == area and player.role == number:
            dice.append(" ").append_text(_die_text(state, seats, seat))
    line = Text(role)
    line.truncate(max(width - dice.cell_len, 1), overflow="ellipsis")
    return line.append_text(dice)


def _prices(state: State) -> list[Text]:
    prices = state.table.board.prices
    rows = zip(UPGRADE_RANKS, prices.dollars, prices.credits, strict=True)
    return [Text(phrase("scene.price", rank=rank, dollars=dollars, credits=credits)) for rank, dollars, credits in rows]


class ActionList(OptionList):
    """The active player's actions, numbered; impossible ones are dim, with the reason."""

    class Picked(Message):
        """An action was picked."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__(id="actions", classes="panel")
        self.border_title = phrase("table.you_can")
        self._choices: list[Choice] = []

    def show(self, offered: list[Choice]) -> None:
        """Show what is offered."""
        self._choices = offered
        self.clear_options()
        width = max(self.scrollable_content_region.width - 1, 20)
        self.add_options(
            Option(_choice_text(number, choice, width), id=str(number), disabled=choice.action is None)
            for number, choice in enumerate(offered)
        )
        if offered and offered[0].action is not None:
            self.highlighted = 0

    def on_resize(self) -> None:
        """Cut the lines again, and keep the cursor where it was."""
        highlighted = self.highlighted
        self.show(self._choices)
        self.highlighted = highlighted

    def pick(self, number: int) -> None:
        """Pick the action with this number, if there is one."""
        if number < len(self._choices) and (action := self._choices[number].action) is not None:
            self.post_message(self.Picked(action))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.pick(event.option_index)


def _choice_text(number: int, choice: Choice, width: int) -> Text:
    """One line for a possible action; as many as the reason needs for an impossible one."""
    if choice.action is None:
        return Text(f"  {choice.label}: {choice.note}")
    key = str((number + 1) % 10) if number < 10 else " "
    text = Text(f"{key} ", "bold").append(choice.label, "bold").append(f"  {choice.note}", "dim")
    text.truncate(width, overflow="ellipsis")
    return text


class WholeTable(Vertical):
    """The whole table: map, players, scene and log, and beside the log a widget of the caller's choice."""

    def __init__(self, beside_log: Widget) -> None:
        super().__init__()
        self._beside_log = beside_log

    def compose(self) -> ComposeResult:
        with Horizontal(id="upper"):
            with MapFrame(classes="panel", id="map-frame"):
                yield MapView()
            with Vertical(id="side"):
                yield PlayersPanel(classes="panel")
                yield ScenePanel(classes="panel")
        with Horizontal(id="lower"):
            yield self._beside_log
            yield Log()

    def on_mount(self) -> None:
        self.query_one(PlayersPanel).border_title = phrase("table.players")
        self.query_one(Log).border_title = phrase("table.happened")
        self.query_one(Log).can_focus = False
        self.call_after_refresh(self._scroll_log_ourselves)

    def _scroll_log_ourselves(self) -> None:
        """RichLog's own scrolling would draw the screen once more."""
        self.query_one(Log).auto_scroll = False

    def show(self, state: State, seats: Sequence[Seat], open_to: frozenset[int] = frozenset()) -> None:
        """Show a state."""
        self.query_one(MapView).show(state, seats, open_to)
        roomy = self.app.size.width >= WIDE and len(seats) <= ROOMY_PLAYERS
        self.query_one(PlayersPanel).show(state, seats, roomy)
        self.show_scene(state, seats)

    @staticmethod
    def focus_of(state: State) -> int:
        """Where the active player is; the Trailers when the game is over."""
        return state.table.trailers if state.over else state.players[state.active].area

    def show_scene(self, state: State, seats: Sequence[Seat]) -> None:
        """Show the place under the cursor, or where the active player is."""
        chosen = self.query_one(MapView).chosen
        self.query_one(ScenePanel).show(state, seats, self.focus_of(state) if chosen is None else chosen)

    def note(self, text: str) -> None:
        """Add a remark to the log."""
        self.query_one(Log).tell([Text(text, "italic dim")])

    def narrate(self, happened: Events) -> None:
        """Add events to the log."""
        self.tell([*map(sentence, happened)])

    def tell(self, sentences: Sequence[str]) -> None:
        """Add sentences to the log."""
        self.query_one(Log).tell([Text(sentence) for sentence in sentences])
