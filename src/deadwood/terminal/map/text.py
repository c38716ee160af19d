"""What is written in the areas of the map: names, scenes, shots, roles, prices and dice."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil

from msgspec import Struct
from rich.cells import cell_len

from ...engine.deck import Card, Role
from ...engine.seats import Seat
from ...engine.state import Player, State
from ...engine.table import FIRST_EXTRA, Table
from ..pieces import look
from ..wording import card_text, phrase, place
from .flow import ELLIPSIS, Paragraph, TextPlan, Word, clipped

NAME, OPEN_NAME, WRAPPED_NAME, CHOSEN_NAME = "bold", "bold #c8811a", "dim", "bold reverse"
TITLE, BUDGET, SHOTS, BACK, QUIET = "italic", "bold #4f9a4a", "#cf5f3a", "#a87443", "dim"
OPEN_MARK = "»"
SHOT_LEFT, SHOT_DONE = "▮", "▯"
STAR_MARK, EXTRA_MARK = "*", "+"
CARD_BACK = "▒▒▒"
SHORT_NAME = 9
TITLE_WIDTH = 13  # with less, only the ellipsis of a title would be left

_BLANK = Paragraph((Word(""),))


class Manner(Struct, frozen=True):
    """How an area stands out."""

    chosen: bool
    open: bool


def plans(state: State, seats: Sequence[Seat], area: int, manner: Manner, width: int) -> Iterator[TextPlan]:
    """Ways to fill an area of that width, the best first; the last ones drop details to show every die."""
    dice = dice_words(state, seats, area)
    head = (Paragraph((_padded(_name(state, area, manner, width), manner, width),)),)
    for middle in _middles(state, area, width):
        yield TextPlan(head, middle, _dice_rows(dice, width))
    scene = _scene(state, area)
    yield TextPlan(head, _paragraphs(scene), _paragraphs(dice, ""))
    yield TextPlan(head, (), _paragraphs((*scene, *_marks(state, area), *dice)))
    yield TextPlan(head, (), _paragraphs((*scene, *dice)))
    short = _name(state, area, manner, SHORT_NAME)
    yield TextPlan(_paragraphs((short, *scene)), (), _paragraphs(dice))
    yield TextPlan(_paragraphs((short, *scene)), (), _paragraphs(dice, ""))
    bare = dice_words(state, seats, area, bare=True)
    shortest = _name(state, area, manner, 0)
    space = (Word(" "),)
    for words in ((short, *space, *dice), (short, *space, *bare), (shortest, *bare), bare):
        yield TextPlan(_paragraphs(words, ""))
    for count in range(len(bare) - 1, 0, -1):  # an area of a custom board may be too small for all
        yield TextPlan(_paragraphs((*bare[:count], Word(ELLIPSIS)), ""))
    yield TextPlan(_paragraphs((shortest,)))


def dice_words(state: State, seats: Sequence[Seat], area: int, *, bare: bool = False) -> tuple[Word, ...]:
    """The players in an area, each a symbol and a rank, with a mark on a role; `bare` ones are narrower."""
    return tuple(
        _die(player, seat, number == state.active, bare)
        for number, (player, seat) in enumerate(zip(state.players, seats, strict=True))
        if player.area == area
    )


def _die(player: Player, seat: Seat, active: bool, bare: bool) -> Word:
    die = f"{look(seat).symbol}{player.rank}"
    style = f"bold {look(seat).colour}" + (" underline" if player.role is not None else "")
    if bare:
        return Word(f">{die}", f"{style} reverse") if active else Word(die, style)
    if player.role is not None:
        die += STAR_MARK if player.starring else EXTRA_MARK
    return Word(f"[{die}]", f"{style} reverse") if active else Word(die, style)


def _dice_rows(dice: Sequence[Word], width: int) -> tuple[Paragraph, ...]:
    """As few rows as hold the dice, with about the same number of dice in each."""
    rows = ceil((sum(cell_len(die.text) + 1 for die in dice) - 1) / max(width, 1))
    count = ceil(len(dice) / max(rows, 1))
    return tuple(Paragraph(tuple(dice[first : first + count])) for first in range(0, len(dice), max(count, 1)))


def _paragraphs(words: Sequence[Word], space: str = " ") -> tuple[Paragraph, ...]:
    """One paragraph, or none if there are no words."""
    return (Paragraph(tuple(words), space),) if words else ()


def _name(state: State, area: int, manner: Manner, width: int) -> Word:
    """The name in at most `width` cells, or its shortest form."""
    names = short_names(tuple(place(one.name) for one in state.table.areas))[area]
    marks = (f"{OPEN_MARK} ", OPEN_MARK) if manner.open else ("",)
    forms = [mark + name for name in names for mark in marks]
    return Word(next((form for form in forms if cell_len(form) <= width), forms[-1]), _name_style(state, area, manner))


def _name_style(state: State, area: int, manner: Manner) -> str:
    if manner.chosen:
        return CHOSEN_NAME
    if manner.open:
        return OPEN_NAME
    return WRAPPED_NAME if _is_wrapped(state, area) else NAME


def _padded(name: Word, manner: Manner, width: int) -> Word:
    roomy = manner.chosen and cell_len(name.text) + 2 <= width
    return Word(f" {name.text} ", name.style) if roomy else name


@lru_cache(maxsize=16)
def short_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """For every name, itself and shorter unambiguous forms, longest first."""
    return tuple((name, *_shorter(name, [other for other in names if other != name])) for name in names)


def _shorter(name: str, others: Sequence[str]) -> Iterator[str]:
    first = name.split(maxsplit=1)[0]
    if first != name and not any(first in other.split() for other in others):
        yield first
    for length in range(cell_len(first) - 1, 1, -1):
        form = clipped(name, length)
        if any(other.startswith(form[:-1]) for other in others):
            return
        yield form


def _is_wrapped(state: State, area: int) -> bool:
    return not state.over and state.table.areas[area].shots > 0 and state.shots[area] == 0


def _middles(state: State, area: int, width: int) -> Iterator[tuple[Paragraph, ...]]:
    """What is between name and dice, from full to minimal."""
    card = state.card(area)
    if area == state.table.office:
        yield from _price_lists(state.table)
    elif card is not None:
        yield from _face_up(state, area, card, width)
    elif _scene(state, area) and not _is_wrapped(state, area):
        yield from _face_down(state, area)
    yield _paragraphs(_scene(state, area))


def _face_up(state: State, area: int, card: Card, width: int) -> Iterator[tuple[Paragraph, ...]]:
    scene = _scene(state, area)
    stars, extras = (
        _in_words(kind, roles) for kind, roles in zip(("star", "extra"), _open_roles(state, area), strict=True)
    )
    ranks = tuple(_with_ranks(scene, _paragraphs((*stars, *extras), "  "), _paragraphs(_marks(state, area))))
    if width >= TITLE_WIDTH:
        title = _title(card_text(card.title), width)
        yield (*title, _BLANK, *_paragraphs(scene), _BLANK, *_paragraphs(stars), *_paragraphs(extras))
        yield from ((*title, *below) for below in ranks)
    yield from ranks


def _title(title: str, width: int) -> tuple[Paragraph, ...]:
    """The title in one row, or in two of about the same length."""
    words = title.split()
    lines = [" ".join(words)]
    if cell_len(title) > width and len(words) > 1:
        cuts = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words)))
        lines = list(min(cuts, key=lambda halves: max(map(cell_len, halves))))
    return tuple(Paragraph((Word(clipped(line, width), TITLE),)) for line in lines)


def _face_down(state: State, area: int) -> Iterator[tuple[Paragraph, ...]]:
    back, shots = _scene(state, area)
    roles = _paragraphs(_in_words("extra", state.table.areas[area].extras))
    big = Paragraph((Word(CARD_BACK * 3, back.style),))
    yield (big, big, big, _BLANK, Paragraph((shots,)), _BLANK, *roles)
    yield (big, big, Paragraph((shots,)), *roles)
    yield from _with_ranks((back, shots), roles, _paragraphs(_marks(state, area)))


def _with_ranks(
    scene: tuple[Word, ...], roles: tuple[Paragraph, ...], marks: tuple[Paragraph, ...]
) -> Iterator[tuple[Paragraph, ...]]:
    """The scene and the ranks of its open roles, below each other or in one row."""
    for ranks in (roles, marks):
        yield (*_paragraphs(scene), *ranks)
    for ranks in (roles, marks):
        yield _paragraphs((*scene, *(word for paragraph in ranks for word in paragraph.words)))


def _open_roles(state: State, area: int) -> tuple[list[Role], list[Role]]:
    """The open roles on the card, if it is face up, and on the set."""
    card, extras = state.card(area), state.table.areas[area].extras
    taken = {player.role for player in state.players if player.area == area}
    return (
        [role for number, role in enumerate(card.roles if card else ()) if number not in taken],
        [role for number, role in enumerate(extras, FIRST_EXTRA) if number not in taken],
    )


def _in_words(kind: str, roles: Sequence[Role]) -> tuple[Word, ...]:
    ranks = " ".join(str(role.rank) for role in roles)
    return (Word(f"{phrase(f'scene.{kind}')} {ranks}", QUIET),) if roles else ()


def _marks(state: State, area: int) -> tuple[Word, ...]:
    """The ranks of the open roles in as few cells as possible."""
    if not state.shots[area]:
        return ()
    marked = zip((STAR_MARK, EXTRA_MARK), _open_roles(state, area), strict=True)
    return tuple(Word(mark + "".join(str(role.rank) for role in roles), QUIET) for mark, roles in marked if roles)


def _scene(state: State, area: int) -> tuple[Word, ...]:
    printed, left = state.table.areas[area].shots, state.shots[area]
    if not printed or state.over:  # in the end all cards are gone, finished or not (R9.1)
        return ()
    if not left:
        return (Word(phrase("scene.wrapped"), QUIET),)
    card = state.card(area)
    scene = Word(CARD_BACK, BACK) if card is None else Word(f"${card.budget}M", BUDGET)
    return scene, Word(SHOT_LEFT * left + SHOT_DONE * (printed - left), SHOTS)


def _price_lists(table: Table) -> Iterator[tuple[Paragraph, ...]]:
    """R8.2"""
    prices = table.board.prices
    unit = phrase("scene.credits")
    rows = [f"{one.rank} {f'${one.dollars}':>4} {f'{one.credits}{unit}':>5}" for one in table.board.price_list]
    in_two = [
        f"{currency} {' '.join(f'{price:>2}' for price in line)}"
        for currency, line in (("$", prices.dollars), (phrase("scene.credits_row"), prices.credits))
    ]
    for lines in (rows, in_two, [phrase("scene.upgrades")]):
        yield tuple(Paragraph((Word(line, QUIET),)) for line in lines)
