"""Styled words flowing into rows of free cells."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len, set_cell_size

from .grid import Free

ELLIPSIS = "…"


class Word(Struct, frozen=True):
    """Text that is never broken, and its style."""

    text: str
    style: str = ""


class Paragraph(Struct, frozen=True):
    """Words for one row or more."""

    words: tuple[Word, ...]
    space: str = " "


class TextPlan(Struct, frozen=True):
    """What to write in an area: at its top, in its middle and at its bottom."""

    head: tuple[Paragraph, ...] = ()
    middle: tuple[Paragraph, ...] = ()
    foot: tuple[Paragraph, ...] = ()


WordLine = tuple[Word, ...]
Placing = tuple[Free, WordLine]


def clipped(text: str, width: int) -> str:
    """The text, shortened with an ellipsis if it is wider than `width` cells."""
    return text if cell_len(text) <= width else set_cell_size(text, max(0, width - 1)).rstrip() + ELLIPSIS


def placed(plan: TextPlan, rows: Sequence[Free]) -> list[Placing] | None:
    """Where each line goes, or None if the rows do not hold the plan."""
    head = _flow(plan.head, rows)
    foot = _lowest(plan.foot, rows)
    if head is None or foot is None:
        return None
    bottom = rows.index(foot[0][0]) if foot else len(rows)
    between = rows[len(head) : bottom]
    middle = _flow(plan.middle, between)
    if middle is None or bottom < len(head):
        return None
    centred = _flow(plan.middle, between[(len(between) - len(middle)) // 2 :])
    return [*head, *(centred or middle), *foot]


def _lowest(paragraphs: Sequence[Paragraph], rows: Sequence[Free]) -> list[Placing] | None:
    tried = (_flow(paragraphs, rows[len(rows) - count :]) for count in range(len(rows) + 1))
    return next((placing for placing in tried if placing is not None), None)


def _flow(paragraphs: Sequence[Paragraph], rows: Sequence[Free]) -> list[Placing] | None:
    """The lines in the first rows, one below the other, or None if they do not hold them."""
    lines: list[WordLine] = []
    for paragraph in paragraphs:
        lines += _broken(paragraph, [row.width for row in rows[len(lines) :]])
    if len(lines) > len(rows):
        return None
    placing = list(zip(rows, lines, strict=False))
    return placing if all(width_of(line) <= row.width for row, line in placing) else None


def width_of(line: WordLine) -> int:
    """The cells that a line takes."""
    return sum(cell_len(word.text) for word in line)


def _broken(paragraph: Paragraph, widths: Sequence[int]) -> Iterator[WordLine]:
    """Lines as full as the rows allow; more lines than rows if there are too few rows."""
    line: list[Word] = []
    remaining = iter(widths)
    room = next(remaining, 0)
    for word in paragraph.words:
        gap = [Word(paragraph.space)] if line and paragraph.space else []
        if line and width_of((*line, *gap, word)) > room:
            yield tuple(line)
            line, gap, room = [], [], next(remaining, 0)
        line += [*gap, word]
    yield tuple(line)
