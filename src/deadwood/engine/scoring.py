"""Scores, places and ties (RULES section 11)."""

from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct

from .actions import Upgrade
from .events import Standing
from .options import POINTS_PER_RANK, Purse
from .state import Player, State
from .table import purse_after


class Countable(Protocol):
    """A number, or an array or a column of numbers: statistics and nets count points as we do."""

    def __add__(self, other: Any, /) -> Self:
        """Their sum."""

    def __rmul__(self, factor: int, /) -> Self:
        """That many times as much."""


Amount = TypeVar("Amount", bound=Countable)


class CashedOut(Struct, frozen=True):
    """Everything a player has, sold for dollars: what the credits fetch, what the rank fetches, and the sum (R11.1)."""

    name: str
    dollars: int
    credits: int
    rank: int
    total: int


def money_points(dollars: Amount, credits: Amount) -> Amount:
    """What money and credits count at the end (R11.1)."""
    return dollars + credit_points(credits)


def credit_points(credits: Amount) -> Amount:
    """What credits count at the end (R11.1)."""
    return credits


def rank_points(rank: Amount) -> Amount:
    """What a rank counts at the end (R11.1)."""
    return POINTS_PER_RANK * rank


def score_of(dollars: Amount, credits: Amount, rank: Amount) -> Amount:
    """What money, credits and a rank count together (R11.1)."""
    return money_points(dollars, credits) + rank_points(rank)


def points(purse: Purse) -> int:
    """What a purse counts at the end (R11.1)."""
    return money_points(purse.dollars, purse.credits)


def score(player: Player) -> int:
    """R11.1"""
    return score_of(player.dollars, player.credits, player.rank)


def gain(player: Player, upgrade: Upgrade, price: int) -> int:
    """How much an upgrade changes a player's score: the rank counts, and so does the money it costs (R8.3, R11.1)."""
    dollars, credits = purse_after(player.dollars, player.credits, upgrade, price)
    return score_of(dollars, credits, upgrade.rank) - score(player)


def scores(state: State) -> tuple[int, ...]:
    """Everybody's score as it would be if the game ended now, by seat (R11.1)."""
    return tuple(map(score, state.players))


def leaders(state: State) -> tuple[int, ...]:
    """The seats that would win if the game ended now (R11.2); none while everybody is tied."""
    points = scores(state)
    best = max(points)
    first = [seat for seat, one in enumerate(points) if one == best]
    if len(first) == len(points):
        return ()
    return tuple(first) if state.table.options.ties == "shared" else (max(first, key=lambda seat: _merit(state, seat)),)


def standings(state: State) -> tuple[Standing, ...]:
    """Everybody's place, best first; among equals, the one later in turn order comes first (R11.2)."""
    ranking = sorted(range(len(state.players)), key=lambda seat: _merit(state, seat), reverse=True)
    scores = [score(state.players[seat]) for seat in ranking]
    shared = state.table.options.ties == "shared"
    return tuple(
        _standing(state, seat, scores.index(scores[index]) + 1 if shared else index + 1)
        for index, seat in enumerate(ranking)
    )


def winners(table: tuple[Standing, ...]) -> tuple[str, ...]:
    """Everybody in first place."""
    return tuple(line.name for line in table if line.place == 1)


def recorded_winners(result: tuple[tuple[str, int], ...], ties: str) -> tuple[str, ...]:
    """Everybody in first place, given the names and scores that close a record, best first (R11.2)."""
    return tuple(name for name, points in result if points == result[0][1]) if ties == "shared" else (result[0][0],)


def cashed_out(table: tuple[Standing, ...]) -> tuple[CashedOut, ...]:
    """The same table in dollars alone: a credit sells for $1, a rank for as many dollars as it has points (R11.1)."""
    return tuple(CashedOut(one.name, one.dollars, one.credit_points, one.rank_points, one.score) for one in table)


def win_shares(state: State) -> tuple[float, ...]:
    """By seat: 1 for the winner, equal parts for those who win together (R11.2); all 0 before the end."""
    first = winners(standings(state)) if state.over else ()
    return tuple((name in first) / max(1, len(first)) for name in state.table.names)


def _merit(state: State, seat: int) -> tuple[int, int]:
    turn = (seat - state.table.first) % len(state.players)
    return score(state.players[seat]), turn


def _standing(state: State, seat: int, place: int) -> Standing:
    player = state.players[seat]
    return Standing(
        place=place,
        name=state.table.names[seat],
        score=score(player),
        dollars=player.dollars,
        credits=player.credits,
        credit_points=credit_points(player.credits),
        rank=player.rank,
        rank_points=rank_points(player.rank),
    )
