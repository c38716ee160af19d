"""Numbers and lists in words, and what intervals allow to be said of them."""

from collections.abc import Sequence
from math import floor, log10
from statistics import NormalDist
from typing import Protocol

from ..statistics import SURE
from .estimates import Estimate

Named = Sequence[tuple[str, Estimate]]
_LOPSIDED = 0.2  # of the margin: from here on "plus or minus" would mislead
_MOST_DIGITS = 3
_NAMED_AT_MOST = 3  # where more cannot be told apart, they are counted
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Format(Protocol):
    """How a kind of number is written."""

    def __call__(self, number: float, digits: int | None = None) -> str:
        """The number as text, with so many digits behind the point, or as many as are usual."""


def whole(number: float) -> str:
    """As in 12,345."""
    return f"{number:,.0f}"


def percent(number: float, digits: int | None = None) -> str:
    """As in 27.1%."""
    return f"{100 * number:.{1 if digits is None else digits}f}%"


def decimal(number: float, digits: int | None = None) -> str:
    """As in 2.31; usually fewer digits for larger numbers."""
    usual = 1 if abs(number) >= 10 else 2
    return f"{number:,.{usual if digits is None else digits}f}".replace("-", "−")


def ordinal(place: int) -> str:
    """As in first, from 1."""
    return _ORDINALS[place - 1]


def listed(words: Sequence[str]) -> str:
    """As in a, b and c."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)  # of none: nothing


def cut(text: str, length: int) -> str:
    """A text that fits beside a plot."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def capital(sentence: str) -> str:
    """With a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def with_margin(estimate: Estimate, form: Format = decimal) -> str:
    """As in 27.1% ± 0.6, or with both ends where the interval is lopsided."""
    if not estimate.is_bounded:
        return f"{form(estimate.value)} (no interval)"
    margin = (estimate.high - estimate.low) / 2
    if abs(estimate.low + margin - estimate.value) > _LOPSIDED * margin:
        return f"{form(estimate.value)} ({interval(estimate, form)})"
    digits = _digits(margin * (100 if form is percent else 1))
    return f"{form(estimate.value, digits)} ± {form(margin, digits).removesuffix('%')}"


def _digits(margin: float) -> int:
    """Enough for the first digit of the margin, or for two if the first is small; more would not be known."""
    return min(max(-floor(log10(margin / 3)), 0), _MOST_DIGITS) if margin > 0 else 1


def interval(estimate: Estimate, form: Format = decimal) -> str:
    """As in 26.5% to 27.7%."""
    return f"{form(estimate.low)} to {form(estimate.high)}" if estimate.is_bounded else "none: one game"


def highest(named: Named) -> tuple[str, Estimate, Named]:
    """The highest, and the others."""
    best = max(range(len(named)), key=lambda place: named[place][1].value)
    return *named[best], [*named[:best], *named[best + 1 :]]


def leader(named: Named, verb: str, verb_of_best: str, unit: str, form: Format = decimal) -> str:
    """Who comes out highest and how sure that is, as in: Jail pays most: 2.03 ± 0.05 points, more than Bank."""
    name, estimate, others = highest(named)
    value = f"{with_margin(estimate, form)}{unit}"
    if not others:
        return f"{name} {verb} {value}"
    alike = not_told_from(estimate, others)
    if alike:
        return f"{name} comes out highest, but cannot be told from {alike}: it {verb} {value}"
    return f"{name} {verb_of_best}: {value}, more than {each_of(others)}"


def each_of(others: Named) -> str:
    """All of the others."""
    return others[0][0] if len(others) == 1 else f"each of the {len(others)} others"


def not_told_from(estimate: Estimate, others: Named) -> str:
    """The others that the intervals do not show to be lower; nothing if all are."""
    alike = [name for name, other in others if not estimate.is_above(other)]
    if len(alike) <= _NAMED_AT_MOST:
        return listed(alike)
    return (
        f"any of the {len(others)} others" if len(alike) == len(others) else f"{len(alike)} of the {len(others)} others"
    )


def _widened(estimate: Estimate, comparisons: int) -> Estimate:
    """So wide that among all comparisons together one in twenty goes wrong by chance, and no more (Bonferroni)."""
    factor = NormalDist().inv_cdf(1 - 0.025 / comparisons) / SURE
    value = estimate.value
    return Estimate(value, value - factor * (value - estimate.low), value + factor * (estimate.high - value))


def beside_even(named: Named, even: float) -> str:
    """Who wins more than an even share and who less, or that nobody can be told from it."""
    shares = f"an even {percent(even)} of the games"
    more, less = [
        listed([f"{name} with {with_margin(share, percent)}" for name, share in group])
        for group in (
            [(name, share) for name, share in named if _widened(share, len(named)).is_above(even)],
            [(name, share) for name, share in named if _widened(share, len(named)).is_below(even)],
        )
    ]
    if not more and not less:
        name, share, _ = highest(named)
        return f"Nobody can be told from {shares}; {name} comes out highest with {with_margin(share, percent)}."
    told = [f"{side} is won by {who}" for side, who in ((f"more than {shares}", more), ("less", less)) if who]
    return f"{capital('; '.join(told))}." if more else f"Less than {shares} is won by {less}."
