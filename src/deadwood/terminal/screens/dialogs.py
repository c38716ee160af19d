"""Small screens over the table: dice, wraps, ends of days, questions, help and charts."""

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from ...engine.chance import FACES
from ...engine.events import Acted, BonusPaid, CardTurned, DayEnded, SceneWrapped
from ...engine.outcomes import Needed, find_cards
from ...engine.seats import Seat
from ...engine.state import State
from ...narration import all_titles
from ..pieces import dice_picture
from ..widgets import scene_lines
from ..wording import card_text, phrase, place, sentence
from .base import Dialog

T = TypeVar("T")
ROLL_FRAME = 0.07
SCROLL_KEYS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}


class Popup(Dialog[bool]):
    """Shows something until a key or a click, or for a number of seconds; the answer is whether to correct it."""

    def __init__(
        self, heading: str, *, seconds: float | None = None, wide: bool = False, correctable: bool = False
    ) -> None:
        super().__init__()
        self._heading = heading
        self._seconds = seconds
        self._wide = wide
        self._correctable = correctable

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog wide-dialog" if self._wide else "dialog"):
            yield Label(self._heading, classes="heading", markup=False)
            yield from self.contents()
            yield Label(phrase("dialogs.corrects" if self._correctable else "dialogs.continues"), classes="hint")

    def contents(self) -> ComposeResult:
        """The widgets below the heading."""
        yield from ()

    def on_mount(self) -> None:
        if self._seconds is not None:
            self.set_timer(max(self._seconds, 0.01), self._close)

    def on_key(self, event: Key) -> None:
        event.stop()
        box = self.query_one(VerticalScroll)
        if event.key in SCROLL_KEYS and box.max_scroll_y:
            box.scroll_relative(y=SCROLL_KEYS[event.key], animate=False)
        elif event.key == "c" and self._correctable:
            self.answer(True)
        else:
            self._close()

    def on_click(self) -> None:
        self._close()

    def _close(self) -> None:
        self.answer(None)


class DiePopup(Popup):
    """An act: the die rolls, then shows its face, and the pay is explained."""

    def __init__(self, acted: Acted, pace: float, stays: bool, correctable: bool = False) -> None:
        heading = phrase("dialogs.acts", player=acted.player)
        super().__init__(heading, seconds=None if stays else 2 * pace, correctable=correctable)
        self._acted = acted
        self._frames = int(pace / ROLL_FRAME / 2)

    def contents(self) -> ComposeResult:
        yield Static(dice_picture([self._acted.die]), classes="picture", id="die")
        yield Static(Text(sentence(self._acted), justify="center"), classes="text", id="sentence")

    def on_mount(self) -> None:
        super().on_mount()
        if self._frames:
            self.query_one("#sentence").visible = False
            self._roll()

    def _roll(self) -> None:
        """Show a face at random, and the real one at the end."""
        rolling = self._frames > 0
        self._frames -= 1
        face = random.randint(1, FACES) if rolling else self._acted.die
        self.query_one("#die", Static).update(dice_picture([face]))
        self.query_one("#sentence").visible = not rolling
        if rolling:
            self.set_timer(ROLL_FRAME, self._roll)


class CardPopup(Popup):
    """A card that was turned for a bot, shown until people have checked that they typed the right one."""

    def __init__(self, turned: CardTurned) -> None:
        super().__init__(phrase("dialogs.turns_card", player=turned.player), correctable=True)
        self._turned = turned

    def contents(self) -> ComposeResult:
        yield Static(Text(sentence(self._turned)), classes="text")


class WrapPopup(Popup):
    """A wrap: the bonus dice, how they were dealt, and who got what (R7)."""

    def __init__(self, wrapped: SceneWrapped, bonuses: Sequence[BonusPaid], seconds: float | None) -> None:
        super().__init__(phrase("dialogs.wrap", area=place(wrapped.area)), seconds=seconds, wide=True)
        self._wrapped = wrapped
        self._bonuses = bonuses

    def contents(self) -> ComposeResult:
        yield Static(
            Text(phrase("notes.line", line=card_text(self._wrapped.title)), "bold", justify="center"), classes="text"
        )
        if self._wrapped.dice:
            yield Static(dice_picture(self._wrapped.dice), classes="picture")
        for share in self._wrapped.shares:
            who = share.player or phrase("dialogs.nobody")
            dice = " + ".join(map(str, share.dice)) or phrase("dialogs.no_die")
            yield Static(Text(f"*{share.rank} {card_text(share.role)}: {dice} ({who})"))
        if not self._wrapped.dice:
            yield Static(Text(sentence(self._wrapped)))
        for bonus in self._bonuses:
            yield Static(Text(sentence(bonus), "bold"))


class DayPopup(Popup):
    """The sun goes down (R9)."""

    def __init__(self, ended: DayEnded, state: State) -> None:
        super().__init__(phrase("dialogs.day_ends", day=ended.day), wide=True)
        self._ended = ended
        self._state = state

    def contents(self) -> ComposeResult:
        yield Static(_SUNSET.replace("sunset", phrase("dialogs.sunset")), classes="picture")
        yield Static(Text(sentence(self._ended)), classes="text")
        table = self._state.table
        for name, player in zip(table.names, self._state.players, strict=True):
            purse = {"rank": player.rank, "dollars": player.dollars, "credits": player.credits}
            yield Static(Text(f"  {phrase('dialogs.purse', player=name, **purse)}"))


_SUNSET = "\n".join(
    (
        "      \\   |   /      ",
        "   '-.  .---.  .-'   ",
        "  ----( sunset )---- ",
        "▁▁▂▁▁▁▃▅▃▁▁▂▁▁▁▁▃▂▁▁▂",
    )
)


class ChoiceDialog(Dialog[T], Generic[T]):
    """A question with a few answers as buttons; Escape gives the answer that changes nothing."""

    BINDINGS = [
        Binding("escape", "back", "keys.back"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, heading: str, answers: Sequence[tuple[str, T]], lines: Sequence[str], escape: T) -> None:
        super().__init__()
        self._heading = heading
        self._answers = answers
        self._lines = lines
        self._escape = escape

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog wide-dialog", can_focus=False):
            yield Label(self._heading, classes="heading", markup=False)
            for line in self._lines:
                yield Static(Text(line), classes="text")
            with Horizontal(classes="buttons"):
                for number, (label, _) in enumerate(self._answers):
                    yield Button(label, id=f"answer-{number}", variant="primary" if number == 0 else "default")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.answer(self._answers[int((event.button.id or "answer-0").removeprefix("answer-"))][1])

    def action_back(self) -> None:
        """Give the harmless answer."""
        self.answer(self._escape)


class OutcomeDialog(Dialog[str | None]):
    """Asks for the real die that was rolled, or the real card that was turned (R12.7)."""

    BINDINGS = [Binding("escape", "back", "keys.not_yet")]

    def __init__(self, who: str, needed: Needed, state: State, first_die: str, problem: str) -> None:
        super().__init__()
        self._who = who
        self._needed = needed
        self._state = state
        self._first_die = first_die
        self._problem = problem

    def compose(self) -> ComposeResult:
        asks_card = self._needed.kind == "card"
        with Vertical(classes="dialog"):
            yield Label(f"{self._who}\n{self._heading()}", classes="heading", markup=False)
            yield Input(
                placeholder=phrase("dialogs.number_or_title" if asks_card else "dialogs.for_example"), id="answer"
            )
            yield Static(Text(self._problem), classes="problem")
            if asks_card:
                yield OptionList(*self._cards(""), id="cards")
            yield Label(phrase("dialogs.enter"), classes="hint")

    def _heading(self) -> str:
        if self._needed.kind == "card":
            return phrase("dialogs.which_card")
        if self._needed.count == 1:
            return phrase("dialogs.which_die")
        return phrase("dialogs.which_dice", n=self._needed.count)

    def _cards(self, typed: str) -> list[Option]:
        fitting = find_cards(typed, self._state, all_titles())
        return [Option(Text(f"{one.number:>3}  {card_text(one.title)}"), id=str(one.number)) for one in fitting]

    @on(Input.Changed)
    def _look_up(self, event: Input.Changed) -> None:
        if self._needed.kind == "card":
            cards = self.query_one("#cards", OptionList)
            cards.clear_options()
            cards.add_options(self._cards(event.value))

    @on(OptionList.OptionSelected)
    def _pick(self, event: OptionList.OptionSelected) -> None:
        self.answer(f"card {event.option.id}")

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        self.answer(f"{self._first_die} / {typed}" if self._first_die else typed)


class ScenePopup(Popup):
    """A close look at a place: the whole card, with every role's line."""

    def __init__(self, state: State, seats: Sequence[Seat], area: int) -> None:
        super().__init__(place(state.table.areas[area].name), wide=True)
        self._lines = scene_lines(state, seats, area, spoken=True)
        self._card = state.card(area)

    def contents(self) -> ComposeResult:
        yield Static(Text("\n").join(self._lines))
        if self._card is not None:
            description = card_text(self._card.description)
            text = phrase("scene.number", scene=self._card.scene, description=description)
            yield Static(Text(f"\n{text}", "italic"))


class HintPopup(Popup):
    """What the strongest bot would do, and why."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(phrase("dialogs.hint"), wide=True)
        self._lines = lines

    def contents(self) -> ComposeResult:
        yield Static(Text("\n".join(self._lines)))


class HelpScreen(Popup):
    """All keys."""

    def __init__(self, text: str) -> None:
        super().__init__(phrase("dialogs.keys"), wide=True)
        self._text = text

    def contents(self) -> ComposeResult:
        yield Static(Text(self._text))


class WorthPopup(Popup):
    """How everybody's score rises through a game."""

    def __init__(self, lines: Sequence[Text]) -> None:
        super().__init__(phrase("replay.chart"), wide=True)
        self._lines = lines

    def contents(self) -> ComposeResult:
        yield Static(Text("\n").join(self._lines))
