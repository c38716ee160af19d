"""The form for a new game: players, colours, options, and a picture of the layout (RULES sections 2 and 12)."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Footer, Input, Label, Select, Static

from ... import bots
from ...engine.deck import BUILT_IN_DECKS, Deck, load_deck
from ...engine.game import Game
from ...engine.options import CHOICES, DAYS, PLAYERS, RANDOM, Options, usual_days
from ...engine.refusal import DataError, DeadwoodError
from ...engine.seats import COLOURS
from ...narration import narrate
from ..map.drawing import draw_map
from ..new_game import PEOPLE, NewGame, NewPlayer
from ..pieces import LOOKS
from ..sentences import clean
from .dialogs import Answering, ChoiceDialog, is_on_top

PERSON = "person"
USUAL_DAYS = 0
OWN_LAYOUT = OWN_DECK = "own"
PREVIEW_SIZE = (52, 15)


class Explained(NamedTuple):
    """An option of RULES section 12 with its values and their meaning."""

    name: str
    label: str
    values: tuple[tuple[str, object], ...]
    explanation: str


def _as_named(values: Iterable[str]) -> tuple[tuple[str, object], ...]:
    return tuple((value, value) for value in values)


OPTIONS = (
    Explained("deck", "Deck", (*_as_named(BUILT_IN_DECKS), ("a file", OWN_DECK)), "40 scenes, or 60 with our own 20"),
    Explained(
        "layout",
        "Layout",
        (("standard", "standard"), ("second", "second"), (RANDOM, RANDOM), ("spelled out", OWN_LAYOUT)),
        "how the four sections of the board lie",
    ),
    Explained("first", "First", ((RANDOM, RANDOM),), "who takes the first turn"),
    Explained("ties", "Ties", _as_named(CHOICES["ties"]), "later player ahead, or shared places"),
    Explained(
        "bonus",
        "Bonus",
        _as_named(CHOICES["bonus"]),
        "bonus dice for all stars, or only for those on a role",
    ),
    Explained(
        "days",
        "Days",
        (("usual", USUAL_DAYS), *((str(day), day) for day in DAYS)),
        f"usual: {usual_days(3)}, with four or more players {usual_days(4)}",
    ),
    Explained("dice", "Dice", _as_named(CHOICES["dice"]), "rolled here, or on your real table and typed in"),
)


class NewGameScreen(Answering[NewGame]):
    """Asks for everything and checks it on every keystroke."""

    BINDINGS = [Binding("escape", "back", "Back"), Binding("ctrl+s", "begin", "Begin")]

    _offered: list[str] | None = None  # the names among which the first player can be chosen

    def compose(self) -> ComposeResult:
        kinds = [("a person", PERSON), *((f"bot: {name}", name) for name in bots.names())]
        with VerticalScroll(id="form"):
            yield Label("Players", classes="heading")
            with Horizontal(classes="row"):
                yield Label("How many")
                yield Select([(str(count), count) for count in PLAYERS], value=2, allow_blank=False, id="count")
            for number, name in enumerate(PEOPLE):
                with Horizontal(classes="row seat", id=f"seat-{number}"):
                    yield Label(f"Player {number + 1}")
                    yield Input(name, placeholder="name", id=f"name-{number}")
                    yield Select(kinds, value=PERSON, allow_blank=False, id=f"kind-{number}")
                    yield Select(_colours(), value=COLOURS[number], allow_blank=False, id=f"colour-{number}")
            yield Label("Options", classes="heading")
            for option in OPTIONS:
                with Horizontal(classes="explained"):
                    yield Label(option.label)
                    yield Select(list(option.values), value=option.values[0][1], allow_blank=False, id=option.name)
                    yield Label(option.explanation, classes="explanation")
                if option.name == "deck":
                    yield from self._deck_file()
                if option.name == "layout":
                    yield from self._layout_picture()
        yield Static(id="problem")
        with Vertical(id="begin"):
            yield Button("Begin", variant="primary", id="start")
        yield Footer(show_command_palette=False)

    def _deck_file(self) -> ComposeResult:
        with Horizontal(classes="explained unused", id="deck-row"):
            yield Label("")
            yield Input("", placeholder="my-deck.toml", id="own-deck")
            yield Label("the file of a deck of your own", classes="explanation")

    def _layout_picture(self) -> ComposeResult:
        with Horizontal(classes="explained unused", id="own-row"):
            yield Label("")
            yield Input("GM/CH", id="own-layout")
            yield Label("initials G M C H, / between rows, . empty, ' turned", classes="explanation")
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
            problem = clean(narrate(error))
        self.query_one("#problem", Static).update(Text(problem))
        self.query_one("#start", Button).disabled = bool(problem)

    def _offer_first_players(self) -> None:
        first = self.query_one("#first", Select)
        names = [name for name in dict.fromkeys(self._names()) if name.strip() and name.strip().casefold() != RANDOM]
        if names != self._offered:
            self._offered = names
            value = first.value
            first.set_options([(RANDOM, RANDOM), *((Text(name), name) for name in names)])
            first.value = value if value in names else RANDOM

    def _draw(self, game: Game) -> None:
        preview = self.query_one("#preview", Static)
        if self._value("layout") == RANDOM:
            preview.update(Text("\n\n   The layout is drawn when the game begins.", "italic"))
            return
        picture = draw_map(game.state, game.seats, *PREVIEW_SIZE)
        preview.update(Text("\n", no_wrap=True).join(picture.lines))

    def new_game(self) -> NewGame:
        """What was chosen; raises a DeadwoodError if an option is invalid."""
        values = {option.name: self._value(option.name) for option in OPTIONS}
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
            raise DataError("Name the file of your deck.")
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
            self.notify(clean(narrate(error)), severity="warning", markup=False)
            return

        def answered(ready: bool | None) -> None:
            if ready:
                self.answer(chosen)

        answers, lines = (("Begin", True), ("Not yet", False)), _summary(preview, chosen.options)
        self.app.push_screen(ChoiceDialog("Ready to begin?", answers, lines, escape=False), answered)


def _file(typed: str) -> Path:
    """The regular file of that name; opening a pipe or a device could take for ever."""
    try:
        path = os.path.expanduser(typed)
    except ValueError:  # a null character in the name of a user
        path = typed
    if not os.path.isfile(path):
        raise DataError(f"{path}: cannot be read: there is no such file")
    return Path(path)


def _colours() -> list[tuple[str, str]]:
    return [(f"{LOOKS[colour].symbol} {colour}", colour) for colour in COLOURS]


def _summary(preview: Game, options: Options) -> list[str]:
    seats = [
        f"{LOOKS[seat.colour].symbol} {name}{f' (bot: {seat.bot})' if seat.bot else ''}"
        for name, seat in zip(preview.state.table.names, preview.seats, strict=True)
    ]
    first = "chance decides who starts" if options.first == RANDOM else f"{options.first} starts"
    deck = clean(preview.state.table.deck.name)
    return [", ".join(seats), f"Layout {options.layout}, {deck} deck; {first}."]
