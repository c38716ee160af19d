"""Formats numbers and lists, and words comparisons as their intervals allow."""

from collections.abc import Sequence
from math import floor, log10
from statistics import NormalDist
from typing import Protocol

from ..statistics import Z_95
from .estimates import Estimate

Named = Sequence[tuple[str, Estimate]]
_LOPSIDED = 0.2  # part of the margin from which "plus or minus" would mislead
_MOST_DIGITS = 3
_NAMED_AT_MOST = 3  # longer lists are given as a count
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Format(Protocol):
    """How a kind of number is written."""

    def __call__(self, number: float, digits: int | None = None) -> str:
        """The number as text, with this many decimals or the usual number of them."""


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
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def cut(text: str, length: int) -> str:
    """Shorten a text to at most this length."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def capital(sentence: str) -> str:
    """Capitalize the first letter."""
    return sentence[:1].upper() + sentence[1:]


def with_margin(estimate: Estimate, form: Format = decimal) -> str:
    """As in 27.1% ± 0.6, or with both ends if the interval is lopsided."""
    if not estimate.is_bounded:
        return f"{form(estimate.value)} (no interval)"
    margin = (estimate.high - estimate.low) / 2
    if abs(estimate.low + margin - estimate.value) > _LOPSIDED * margin:
        return f"{form(estimate.value)} ({interval(estimate, form)})"
    digits = _digits(margin * (100 if form is percent else 1))
    return f"{form(estimate.value, digits)} ± {form(margin, digits).removesuffix('%')}"


def _digits(margin: float) -> int:
    """Enough decimals for the margin's first digit, or two digits if the first is small."""
    return min(max(-floor(log10(margin / 3)), 0), _MOST_DIGITS) if margin > 0 else 1


def interval(estimate: Estimate, form: Format = decimal) -> str:
    """As in 26.5% to 27.7%."""
    return f"{form(estimate.low)} to {form(estimate.high)}" if estimate.is_bounded else "none (one game)"


def highest(named: Named) -> tuple[str, Estimate, Named]:
    """The highest, and the others."""
    best = max(range(len(named)), key=lambda place: named[place][1].value)
    return *named[best], [*named[:best], *named[best + 1 :]]


def leader(named: Named, verb: str, verb_of_best: str, unit: str, form: Format = decimal) -> str:
    """The highest and whether it stands out, as in: Jail pays the most: 2.03 ± 0.05 points, more than Bank."""
    name, estimate, others = highest(named)
    value = f"{with_margin(estimate, form)}{unit}"
    if not others:
        return f"{name} {verb} {value}"
    alike = indistinguishable(estimate, others)
    if alike:
        return f"{name} is highest but cannot be distinguished from {alike}: it {verb} {value}"
    return f"{name} {verb_of_best}: {value}, more than {each_of(others)}"


def each_of(others: Named) -> str:
    """The others, by name if there is only one."""
    return others[0][0] if len(others) == 1 else f"each of the {len(others)} others"


def indistinguishable(estimate: Estimate, others: Named) -> str:
    """The others whose intervals are not clearly lower; empty if all are."""
    alike = [name for name, other in others if not estimate.is_above(other)]
    if len(alike) <= _NAMED_AT_MOST:
        return listed(alike)
    return (
        f"any of the {len(others)} others" if len(alike) == len(others) else f"{len(alike)} of the {len(others)} others"
    )


def _widened(estimate: Estimate, comparisons: int) -> Estimate:
    """The interval widened for multiple comparisons, for a family-wise error rate of 5% (Bonferroni)."""
    factor = NormalDist().inv_cdf(1 - 0.025 / comparisons) / Z_95
    value = estimate.value
    return Estimate(value, value - factor * (value - estimate.low), value + factor * (estimate.high - value))


def compared_with_even(named: Named, even: float) -> str:
    """Which shares are significantly above an even one and which below, or that none is."""
    even_share = f"an even {percent(even)} of the games"
    more = [(name, share) for name, share in named if _widened(share, len(named)).is_above(even)]
    less = [(name, share) for name, share in named if _widened(share, len(named)).is_below(even)]
    clauses = [_winners(group, side) for group, side in ((more, "more"), (less, "less")) if group]
    if clauses:
        return f"Compared with {even_share}, {', and '.join(clauses)}."
    name, share, _ = highest(named)
    return f"Nobody differs significantly from {even_share}; {name} is highest with {with_margin(share, percent)}."


def _winners(named: Named, side: str) -> str:
    shares = listed([f"{name} with {with_margin(share, percent)}" for name, share in named])
    return f"{shares} {'wins' if len(named) == 1 else 'win'} {side}"
