"""A career: a player's points at the end, after buying the right ranks at the right time."""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import ceil

from ..engine.actions import Upgrade
from ..engine.scoring import money_points, score_of
from ..engine.state import Player, State
from ..engine.table import Table, Upgrades, purse_after

INCOME = {  # expected dollars and credits per turn, by rank: four fifths of what `regular` bots earn
    1: (0.54, 0.28),
    2: (0.70, 0.34),
    3: (0.75, 0.38),
    4: (0.88, 0.46),
    5: (1.07, 0.50),
    6: (1.24, 0.57),
}
TRIP = 5  # turns between being able to pay for a rank and having it: finishing the scene, and the walk
TURNS_PER_SCENE = (8.0, 1 / 3)  # of all players together: with two players, and for each one more


class Career:
    """The best growth of rank and purse at one table, with what its ranks cost (R8.2)."""

    def __init__(self, upgrades: Upgrades) -> None:
        self._upgrades = upgrades  # by rank
        self._prices = {upgrade: price for above in upgrades for upgrade, price in above}
        self._end = lru_cache(maxsize=1 << 17)(self._best_end)

    def points(self, player: Player, turns: int) -> float:
        """The player's score at the end, after `turns` more turns."""
        return self._end(player.rank, player.dollars, player.credits, turns)

    def points_with(self, player: Player, upgrade: Upgrade, turns: int) -> float:
        """Like `points`, after that upgrade."""
        dollars, credits = purse_after(player.dollars, player.credits, upgrade, self._prices[upgrade])
        return self._end(upgrade.rank, dollars, credits, turns)

    def _best_end(self, rank: int, dollars: int, credits: int, turns: int) -> float:
        by_dollars, by_credits = INCOME[rank]
        without = score_of(dollars, credits, rank) + money_points(by_dollars, by_credits) * turns
        return max(without, max(self._with_upgrades(rank, dollars, credits, turns), default=without))

    def _with_upgrades(self, rank: int, dollars: int, credits: int, turns: int) -> Iterator[float]:
        """The points after saving for each higher rank, if there is time for it."""
        by_dollars, by_credits = INCOME[rank]
        for upgrade, price in self._upgrades[rank]:
            purse, income = (dollars, by_dollars) if upgrade.currency == "dollars" else (credits, by_credits)
            wait = max(0, ceil((price - purse) / income))
            left = turns - wait - TRIP
            if left > 0:
                after = purse_after(dollars + by_dollars * wait, credits + by_credits * wait, upgrade, price)
                yield self._end(upgrade.rank, round(after[0]), round(after[1]), left)


@lru_cache(maxsize=64)
def career_of(table: Table) -> Career:
    """The careers at a table; all tables with the same prices share them."""
    return _careers(table.upgrades)


@cache
def _careers(upgrades: Upgrades) -> Career:
    return Career(upgrades)


def turns_left(state: State) -> int:
    """Roughly how many turns each player has left in the game."""
    players = len(state.players)
    for_two, for_another = TURNS_PER_SCENE
    return int(state.wraps_to_come * (for_two + for_another * (players - 2)) / players)
