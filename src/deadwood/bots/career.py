"""A career: a player's points at the end, after buying the right ranks at the right time."""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import ceil

from ..engine.actions import Upgrade
from ..engine.scoring import score_of
from ..engine.state import Player, State
from ..engine.table import FACE_DOWN, Table

INCOME = {  # expected dollars and credits per turn, by rank: four fifths of what `regular` bots earn
    1: (0.54, 0.28),
    2: (0.70, 0.34),
    3: (0.75, 0.38),
    4: (0.88, 0.46),
    5: (1.07, 0.50),
    6: (1.24, 0.57),
}
TRIP = 5  # turns between being able to pay for a rank and having it: finishing the scene, and the walk
TURNS_PER_SCENE = (8.0, 1 / 3)  # of all players together: with two players, and for each further one


class Career:
    """The best growth of rank and purse at one table, with the board's prices (R8.2)."""

    def __init__(self, prices: dict[Upgrade, int]) -> None:
        self._prices = prices
        self._end = lru_cache(maxsize=1 << 17)(self._best_end)

    def points(self, player: Player, turns: int) -> float:
        """The player's score at the end, after `turns` more turns."""
        return self._end(player.rank, player.dollars, player.credits, turns)

    def points_with(self, player: Player, upgrade: Upgrade, turns: int) -> float:
        """Like `points`, after that upgrade."""
        price = self._prices[upgrade]
        dollars, credits = _paid(player.dollars, player.credits, upgrade, price)
        return self._end(upgrade.rank, round(dollars), round(credits), turns)

    def _best_end(self, rank: int, dollars: int, credits: int, turns: int) -> float:
        by_dollars, by_credits = INCOME[rank]
        without = score_of(dollars, credits, rank) + (by_dollars + by_credits) * turns
        return max(without, max(self._with_upgrades(rank, dollars, credits, turns), default=without))

    def _with_upgrades(self, rank: int, dollars: int, credits: int, turns: int) -> Iterator[float]:
        """The points after saving for each higher rank, if there is time for it."""
        by_dollars, by_credits = INCOME[rank]
        for upgrade, price in self._prices.items():
            purse, income = (dollars, by_dollars) if upgrade.currency == "dollars" else (credits, by_credits)
            wait = max(0, ceil((price - purse) / income))
            left = turns - wait - TRIP
            if upgrade.rank > rank and left > 0:
                after = _paid(dollars + by_dollars * wait, credits + by_credits * wait, upgrade, price)
                yield self._end(upgrade.rank, round(after[0]), round(after[1]), left)


@lru_cache(maxsize=64)
def career_of(table: Table) -> Career:
    """The careers at a table; all tables with the same prices share them."""
    return _careers(tuple(table.prices.items()))


@cache
def _careers(prices: tuple[tuple[Upgrade, int], ...]) -> Career:
    return Career(dict(prices))


def _paid(dollars: float, credits: float, upgrade: Upgrade, price: int) -> tuple[float, float]:
    return (dollars - price, credits) if upgrade.currency == "dollars" else (dollars, credits - price)


def turns_left(state: State) -> int:
    """Roughly how many turns each player has left in the game."""
    table, players = state.table, len(state.players)
    scenes_a_day = table.new_scenes.count(FACE_DOWN) - 1  # the last one of a day is never finished (R9.1)
    scenes = state.scenes_left - 1 + (table.days - state.day) * scenes_a_day
    for_two, for_another = TURNS_PER_SCENE
    return int(scenes * (for_two + for_another * (players - 2)) / players)
