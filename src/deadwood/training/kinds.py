"""Which kinds of table are mixed: every number of players, deck, bonus and tie rule, and number of days."""

from collections import Counter
from itertools import product
from typing import NamedTuple

from ..engine.deck import BUILT_IN_DECKS
from ..engine.options import CHOICES, DAYS, RANDOM, Options, usual_days
from .config import Settings

# How often each number of players occurs: two and four are the most frequent, because we want to be strongest there.
_COUNTS = (4, 2, 8, 3, 4, 6, 2, 5, 4, 8, 3, 7, 4, 2, 6, 8, 4, 3, 5, 2, 4, 6, 8, 7, 4, 2, 3, 5, 4, 8, 6, 7)
_OTHER_DAYS = 4  # one in this many unusual tables has another number of days


class Kind(NamedTuple):
    """A kind of table."""

    players: int
    options: Options


def kinds(settings: Settings) -> list[Kind]:
    """The kinds of table of a run, one for every row of its games."""
    counts = [count for count in _COUNTS if count in settings.players]
    seen: Counter[int] = Counter()
    unusual: Counter[int] = Counter()
    found = []
    for number in range(settings.tables):
        players = counts[number % len(counts)]
        seen[players] += 1
        is_usual = unusual[players] >= (1 - settings.usual) * seen[players]
        unusual[players] += not is_usual
        found.append(Kind(players, Options(layout=RANDOM) if is_usual else _unusual(players, unusual[players])))
    return found


def _unusual(players: int, number: int) -> Options:
    """Another deck, bonus rule or tie rule, and sometimes another number of days."""
    choices = list(product(BUILT_IN_DECKS, CHOICES["bonus"], CHOICES["ties"]))[1:]
    deck, bonus, ties = choices[(number + players) % len(choices)]
    others = [days for days in DAYS if days != usual_days(players)]
    days = others[number // _OTHER_DAYS % len(others)] if number % _OTHER_DAYS == 0 else None
    return Options(layout=RANDOM, deck=deck, bonus=bonus, ties=ties, days=days)  # type: ignore[arg-type]
