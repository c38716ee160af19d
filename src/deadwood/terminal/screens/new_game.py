"""The form for a new game: players, colours, options, and a picture of the layout (RULES sections 2 and 12)."""

import os
from pathlib import Path

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from ... import bots
from ...engine.deck import BUILT_IN_DECKS, Deck, load_deck
from ...engine.game import Game
from ...engine.options import CHOICES, DAYS, PLAYERS, RANDOM, Options
from ...engine.refusal import DataError, DeadwoodError
from ...engine.seats import COLOURS
from ...narration import option_explanation, option_label, value_label
from ..key_line import KeyLine
from ..map.drawing import draw_map
from ..new_game import PEOPLE, NewGame, NewPlayer, suggested_name
from ..pieces import LOOKS
from ..sentences import clean
from ..summary import bot_text, options_line, player_text
from ..wording import language, phrase, sentence, unfilled
from .base import Answering, is_on_top
from .dialogs import ChoiceDialog

PERSON = "person"
USUAL_DAYS = 0
OWN = OWN_LAYOUT = OWN_DECK = "own"
NOBODY = -1  # no seat: the first player will be drawn
PREVIEW_SIZE = (52, 15)


OPTIONS: dict[str, tuple[object, ...]] = {  # in the order of the form, the usual value first
    "deck": (*BUILT_IN_DECKS, OWN_DECK),
    "layout": ("standard", "second", RANDOM, OWN_LAYOUT),
    "first": (RANDOM,),
    "ties": CHOICES["ties"],
    "bonus": CHOICES["bonus"],
    "days": (USUAL_DAYS, *DAYS),
    "dice": CHOICES["dice"],
}


def _values(option: str) -> list[tuple[str, object]]:
    """What an option can be, each with its label."""
    return [(_value_text(option, value), value) for value in OPTIONS[option]]


def _value_text(option: str, value: object) -> str:
    if value == OWN:
        return phrase(f"set_up.own_{option}")
    return value_label(option, None if value == USUAL_DAYS else value, language())  # type: ignore[arg-type]


class NewGameScreen(Answering[NewGame]):
    """Asks for everything and checks it on every keystroke."""

    BINDINGS = [Binding("escape", "back", "keys.back"), Binding("ctrl+s", "begin", "keys.begin")]

    def __init__(self, name: str | None = None) -> None:
        """`name` is that of the first player."""
        super().__init__()
        self._names_at_first: list[str] = []
        for _ in PEOPLE:
            self._names_at_first.append(suggested_name(self._names_at_first, name))

    _offered: list[str] | None = None  # the names among which the first player can be chosen

    def compose(self) -> ComposeResult:
        kinds = [(phrase("set_up.person"), PERSON), *((phrase("set_up.bot", bot=name), name) for name in bots.names())]
        with VerticalScroll(id="form"):
            yield Label(phrase("set_up.players"), classes="heading")
            with Horizontal(classes="row"):
                yield Label(phrase("set_up.how_many"))
                yield Select([(str(count), count) for count in PLAYERS], value=2, allow_blank=False, id="count")
            for number, name in enumerate(self._names_at_first):
                unused = "" if number < PLAYERS[0] else " unused"
                with Horizontal(classes=f"row seat{unused}", id=f"seat-{number}"):
                    yield Label(phrase("set_up.player", n=number + 1))
                    yield Input(name, placeholder=phrase("set_up.name"), id=f"name-{number}")
                    yield Select(kinds, value=PERSON, allow_blank=False, id=f"kind-{number}")
                    yield Select(_colours(), value=COLOURS[number], allow_blank=False, id=f"colour-{number}")
            yield Static(Text("\n").join(_bots()), id="bots")
            yield Label(phrase("set_up.options"), classes="heading")
            for option in OPTIONS:
                with Horizontal(classes="explained"):
                    yield Label(option_label(option, language()))
                    yield Select(_values(option), value=OPTIONS[option][0], allow_blank=False, id=option)
                    yield Label(option_explanation(option, language()), classes="explanation")
                if option == "deck":
                    yield from self._deck_file()
                if option == "layout":
                    yield from self._layout_picture()
        yield Static(id="problem")
        with Vertical(id="begin"):
            yield Button(phrase("set_up.begin"), variant="primary", id="start")
        yield KeyLine()

    def _deck_file(self) -> ComposeResult:
        with Horizontal(classes="explained unused", id="deck-row"):
            yield Label("")
            yield Input("", placeholder="my-deck.toml", id="own-deck")
            yield Label(phrase("set_up.own_deck_explained"), classes="explanation")

    def _layout_picture(self) -> ComposeResult:
        with Horizontal(classes="explained unused", id="own-row"):
            yield Label("")
            yield Input("GM/CH", id="own-layout")
            yield Label(phrase("set_up.own_layout_explained", initials="G M C H"), classes="explanation")
        yield Static(id="preview")

    def on_mount(self) -> None:
        if is_on_top(self):  # it may be closed before it was ever shown
            self.query_one("#count").focus()
            self._check()

    @on(Select.Changed, "#count")
    def _recount(self) -> None:
        for number in range(PLAYERS[-1]):
            self.query_one(f"#seat-{number}").set_class(number >= self._count(), "unused")

    @on(Select.Changed, "#layout")
    def _show_own_layout(self) -> None:
        self.query_one("#own-row").set_class(self._value("layout") != OWN_LAYOUT, "unused")

    @on(Select.Changed, "#deck")
    def _show_own_deck(self) -> None:
        self.query_one("#deck-row").set_class(self._value("deck") != OWN_DECK, "unused")

    @on(Select.Changed)
    @on(Input.Changed)
    def _check(self) -> None:
        """Show what is wrong, and enable the button if nothing is."""
        if not is_on_top(self):
            return
        self._offer_first_players()
        problem = ""
        try:
            self._draw(self.new_game().preview())
        except DeadwoodError as error:
            problem = clean(sentence(error))
        self.query_one("#problem", Static).update(Text(problem))
        self.query_one("#start", Button).disabled = bool(problem)

    def _offer_first_players(self) -> None:
        first = self.query_one("#first", Select)
        names = [name for name in dict.fromkeys(self._names()) if name.strip() and name.strip().casefold() != RANDOM]
        if names != self._offered:
            self._offered = names
            value = first.value
            first.set_options([*_values("first"), *((Text(name), name) for name in names)])
            first.value = value if value in names else RANDOM

    def _draw(self, game: Game) -> None:
        preview = self.query_one("#preview", Static)
        if self._value("layout") == RANDOM:
            preview.update(Text(f"\n\n   {phrase('set_up.layout_drawn')}", "italic"))
            return
        state = replace(game.state, active=NOBODY) if self._value("first") == RANDOM else game.state
        picture = draw_map(state, game.seats, *PREVIEW_SIZE)
        preview.update(Text("\n", no_wrap=True).join(picture.lines))

    def new_game(self) -> NewGame:
        """What was chosen; raises a DeadwoodError if an option is invalid."""
        values = {option: self._value(option) for option in OPTIONS}
        deck = self._own_deck() if values["deck"] == OWN_DECK else None
        if deck is not None:
            values["deck"] = BUILT_IN_DECKS[0]
        values["days"] = values["days"] or None
        if values["layout"] == OWN_LAYOUT:
            values["layout"] = self.query_one("#own-layout", Input).value
        return NewGame(
            players=tuple(self._player(number, name) for number, name in enumerate(self._names())),
            options=Options(**values),  # type: ignore[arg-type]
            colours=tuple(str(self._value(f"colour-{number}")) for number in range(self._count())),
            deck=deck,
        )

    def _own_deck(self) -> Deck:
        typed = self.query_one("#own-deck", Input).value.strip()
        if not typed:
            raise DataError(phrase("set_up.own_deck_missing"))
        return load_deck(_file(typed))

    def _player(self, number: int, name: str) -> NewPlayer:
        kind = str(self._value(f"kind-{number}"))
        return NewPlayer(name, None if kind == PERSON else kind)

    def _names(self) -> list[str]:
        return [self.query_one(f"#name-{number}", Input).value for number in range(self._count())]

    def _count(self) -> int:
        value = self._value("count")
        return value if isinstance(value, int) else PLAYERS[0]

    def _value(self, name: str) -> object:
        return self.query_one(f"#{name}", Select).value

    @on(Button.Pressed, "#start")
    def _start(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Ask "Ready to begin?" (R13.1), if nothing is wrong."""
        try:
            chosen = self.new_game()
            preview = chosen.preview()
        except DeadwoodError as error:
            self.notify(clean(sentence(error)), severity="warning", markup=False)
            return

        def answered(ready: bool | None) -> None:
            if ready:
                self.answer(chosen)

        answers = ((phrase("set_up.begin"), True), (phrase("set_up.not_yet"), False))
        lines = [_players(preview), clean(options_line(chosen))]
        self.app.push_screen(ChoiceDialog(phrase("set_up.ready"), answers, lines, escape=False), answered)


def _file(typed: str) -> Path:
    """The regular file with that name; opening a pipe or a device could block for ever."""
    try:
        path = os.path.expanduser(typed)
    except ValueError:  # a null character in the name of a user
        path = typed
    if not os.path.isfile(path):
        raise DataError(phrase("set_up.no_such_file", file=path))
    return Path(path)


def _bots() -> list[Text]:
    """Every bot, and how it plays."""
    abouts = map(bot_text, bots.names())
    return [Text(phrase("set_up.bots"), "bold"), *(Text(f"{one.label}: {one.style}", "dim") for one in abouts)]


def _colours() -> list[tuple[str, str]]:
    names = str(unfilled("set_up.colours")).split()
    return [(f"{LOOKS[colour].symbol} {name}", colour) for colour, name in zip(COLOURS, names, strict=True)]


def _players(preview: Game) -> str:
    """Every player with their die."""
    seated = zip(preview.state.table.names, preview.seats, strict=True)
    return ", ".join(f"{LOOKS[seat.colour].symbol} {player_text(name, seat.bot)}" for name, seat in seated)
